import type { z } from 'zod'
import type { Tool, ToolContext, ToolResult } from '../src/core/tool.ts'

interface Typed<Schema extends z.ZodType> extends Omit<Tool, 'input' | 'run'> {
  input: Schema
  run(input: z.infer<Schema>, context: ToolContext): Promise<ToolResult>
}

// A tool whose `run` is typed by its own schema, as the registry takes it.
export function defineTool<Schema extends z.ZodType>(tool: Typed<Schema>): Tool {
  return tool as Tool
}
