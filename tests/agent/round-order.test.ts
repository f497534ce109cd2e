import { expect, test } from 'vitest'
import { openGraph } from '../../graphs/index.ts'
import { chatModels } from '../../models/chat/index.ts'
import type { Tool } from '../../src/core/tool.ts'
import { host, partsOf } from './ask.ts'
import { handMadeIndex } from './hand-made-index.ts'
import { museum } from './museum.ts'

// The calls of a round run side by side; which of them answers first depends on the machine, and on whether a resumed run
// has their results already.
async function stateWhere(slow: string) {
  const round = [
    { name: 'search', arguments: { query: 'password' } },
    { name: 'timeline', arguments: {} },
  ]
  const planner = await chatModels.open(
    'scripted',
    { replies: [{ calls: round }, 'READY'], atEnd: 'repeat-last' },
    host,
  )
  const parts = await partsOf(handMadeIndex(museum), 'What is the password?', { planner })
  const late = (tool: Tool): Tool => ({
    ...tool,
    async run(input, context) {
      const result = await tool.run(input, context)
      await new Promise(resolve => setTimeout(resolve, 100))
      return result
    },
  })
  const graph = await openGraph('investigate')
  return graph({ ...parts, tools: parts.tools.map(tool => (tool.name === slow ? late(tool) : tool)) })
}

test('a round ends the same whichever of its calls answers first', async () => {
  const [first, second] = await Promise.all([stateWhere('search'), stateWhere('timeline')])
  const withoutSeconds = first.steps.map(({ seconds: _, ...step }) => step)
  expect(second.steps.map(({ seconds: _, ...step }) => step)).toEqual(withoutSeconds)
  expect(second.evidence).toEqual(first.evidence)
  expect(first.steps[1]?.tool).toBe('timeline')
})
