import type { McpTool } from '../define-tool.ts'
import { addVideo } from './add-video.ts'
import { ask } from './ask.ts'
import { cancel } from './cancel.ts'
import { explain } from './explain.ts'
import { indexVideo } from './index-video.ts'
import { listVideos } from './list-videos.ts'
import { look } from './look.ts'
import { read } from './read.ts'
import { search } from './search.ts'
import { wait } from './wait.ts'

export const tools: readonly McpTool[] = [
  listVideos,
  addVideo,
  indexVideo,
  ask,
  wait,
  cancel,
  search,
  read,
  look,
  explain,
]
