import { operations } from '../../../../../src/runtime/operations/index.ts'
import { servedMemory } from '../../../work/videos/served-memory.ts'
import { defineMcpTool, type McpTool } from '../define-tool.ts'
import { askTool } from './ask.ts'
import { cancelTool } from './cancel.ts'
import { indexVideoTool } from './index-video.ts'
import { listVideosTool } from './list-videos.ts'
import { wait } from './wait.ts'

const operationTools = operations.map(operation =>
  defineMcpTool({
    ...operation,
    annotations: { readOnlyHint: true, openWorldHint: operation.asksModels ?? false },
    run: (input, { place, signal }) => operation.run(input, servedMemory(place, signal)),
  }),
)

export const mcpTools: readonly McpTool[] = [
  listVideosTool,
  ...operationTools,
  askTool,
  indexVideoTool,
  wait,
  cancelTool,
]
