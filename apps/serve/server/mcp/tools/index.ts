import type { McpTool } from '../define-tool.ts'
import { addVideoTool } from './add-video.ts'
import { askTool } from './ask.ts'
import { cancelTool } from './cancel.ts'
import { explainTool } from './explain.ts'
import { indexVideoTool } from './index-video.ts'
import { listVideosTool } from './list-videos.ts'
import { look } from './look.ts'
import { read } from './read.ts'
import { searchTool } from './search.ts'
import { wait } from './wait.ts'

export const mcpTools: readonly McpTool[] = [
  listVideosTool,
  addVideoTool,
  indexVideoTool,
  askTool,
  wait,
  cancelTool,
  searchTool,
  read,
  look,
  explainTool,
]
