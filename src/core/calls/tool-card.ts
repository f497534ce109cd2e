import { z } from 'zod'
import type { ToolCard } from '../chat.ts'
import type { Tool } from '../tool.ts'

const cards = new WeakMap<Tool, ToolCard>()

// A tool as a model sees it; its schema is made once, as it costs more than a step of the graph.
export function toolCard(tool: Tool): ToolCard {
  let card = cards.get(tool)
  if (!card) {
    const { $schema, ...parameters } = z.toJSONSchema(tool.input, { io: 'input', unrepresentable: 'any' })
    card = { name: tool.name, description: tool.description, parameters }
    cards.set(tool, card)
  }
  return card
}
