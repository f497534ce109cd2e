import type { z } from 'zod'
import type { Tool, ToolContext, ToolResult } from '../src/core/tool.ts'

// A tool whose `run` is typed by its own schema, as the registry takes it.
export function defineTool<Schema extends z.ZodType>(tool: {
  name: string
  description: string
  kind?: Tool['kind']
  makes?: Tool['makes']
  input: Schema
  arguments?: Tool['arguments']
  danger?: Tool['danger']
  varies?: Tool['varies']
  run(input: z.infer<Schema>, context: ToolContext): Promise<ToolResult>
}): Tool {
  return tool as Tool
}
