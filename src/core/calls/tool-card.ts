import { z } from 'zod'
import type { ToolCard } from '../chat.ts'
import type { Tool } from '../tool.ts'

const schemas = new WeakMap<Tool['input'], ToolCard['parameters']>()

// A tool as a model sees it; its schema is made once, as it costs more than a step of the graph.
export function toolCard({ name, description, input }: Tool): ToolCard {
  let parameters = schemas.get(input)
  if (!parameters) {
    const { $schema, ...rest } = z.toJSONSchema(input, { io: 'input', unrepresentable: 'any' })
    parameters = rest
    schemas.set(input, parameters)
  }
  return { name, description, parameters }
}
