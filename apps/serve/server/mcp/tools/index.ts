import { operations } from '../../../../../src/runtime/operations/index.ts'
import { defineMcpTool, type McpTool } from '../define-tool.ts'
import { hostMemory } from '../host-memory.ts'
import { askTool } from './ask.ts'
import { cancelTool } from './cancel.ts'
import { indexVideoTool } from './index-video.ts'
import { listVideosTool } from './list-videos.ts'
import { wait } from './wait.ts'

const operationTools = operations.map(operation =>
  defineMcpTool({
    ...operation,
    annotations: { readOnlyHint: true, openWorldHint: operation.asksModels ?? false },
    run: (input, { signal, ...desk }) => operation.run(input, hostMemory(desk, signal)),
  }),
)

export const readingTools: readonly McpTool[] = [listVideosTool, ...operationTools]

export const mcpTools: readonly McpTool[] = [...readingTools, askTool, indexVideoTool, wait, cancelTool]
