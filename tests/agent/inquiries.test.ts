import { MemorySaver } from '@langchain/langgraph'
import { expect, test } from 'vitest'
import { z } from 'zod'
import { openGraph } from '../../graphs/index.ts'
import type { GraphInput } from '../../graphs/parts.ts'
import { chatModels } from '../../models/chat/index.ts'
import type { Inquiry } from '../../src/core/run/checkpoints.ts'
import type { Tool } from '../../src/core/tool.ts'
import { host, partsOf } from './ask.ts'
import { handMadeIndex } from './hand-made-index.ts'
import { museum } from './museum.ts'

const index = handMadeIndex(museum)
const graph = await openGraph('investigate')

// Two rounds in which the planner wants to run code.
async function coding(more: Partial<GraphInput> = {}) {
  const ran: unknown[] = []
  const tool: Tool = {
    name: 'run_it',
    description: 'runs it',
    input: z.object({ code: z.string() }),
    danger: 'code',
    async run(input, { permissions }) {
      ran.push({ input, allowed: permissions.has('code') })
      return { evidence: [], text: '2' }
    },
  }
  const call = (code: string) => ({ calls: [{ name: 'run_it', arguments: { code } }] })
  const replies = [call('1+1'), call('1+2'), 'READY']
  const planner = await chatModels.open('scripted', { replies, atEnd: 'repeat-last' }, host)
  const parts = await partsOf(index, 'What is the password?', { planner })
  return { ran, asked: { ...parts, tools: [...parts.tools, tool], ...more } }
}

function outcomes({ steps }: { steps: { tool: string; outcome: string }[] }): string[] {
  return steps.filter(step => step.tool === 'run_it').map(step => step.outcome)
}

test('a tool without its permission is refused where nobody can be asked', async () => {
  const { ran, asked } = await coding()
  expect(outcomes(await graph(asked))).toEqual(['refused', 'refused'])
  expect(ran).toEqual([])
})

test("a permission that was given when the run was recorded counts, and not where its folder may be a stranger's", async () => {
  const own = await coding({ permits: { code: true } })
  expect(outcomes(await graph(own.asked))).toEqual(['nothing', 'nothing'])
  const strange = await coding({ permits: { code: true }, strange: true })
  expect(outcomes(await graph(strange.asked))).toEqual(['refused', 'refused'])
  expect(strange.ran).toEqual([])
})

test('a person gives the permission once, for the rest of the run', async () => {
  const inquiries: Inquiry[] = []
  const { ran, asked } = await coding({ reply: async inquiry => inquiries.push(inquiry) > 0 })
  expect(outcomes(await graph(asked))).toEqual(['nothing', 'nothing'])
  expect(inquiries).toEqual([{ type: 'permission', permission: 'code', tool: 'run_it', input: { code: '1+1' } }])
  expect(ran).toEqual([
    { input: { code: '1+1' }, allowed: true },
    { input: { code: '1+2' }, allowed: true },
  ])
})

test.each([[false], ['yes'], [1], [undefined], ['']])(
  'any other answer (%j) refuses it, and is asked for once',
  async answer => {
    let asks = 0
    const reply = async () => {
      asks++
      return answer
    }
    const { ran, asked } = await coding({ reply })
    expect(outcomes(await graph(asked))).toEqual(['refused', 'refused'])
    expect({ asks, ran }).toEqual({ asks: 1, ran: [] })
  },
)

test('a run that ends while a person thinks asks again when it goes on, and does nothing twice', async () => {
  const kept = { checkpoints: new MemorySaver(), thread: 'thinking' }
  const gone = async () => Promise.reject(new Error('gone'))
  const { ran, asked } = await coding({ kept, reply: gone })
  await expect(graph(asked)).rejects.toThrow('gone')
  expect(ran).toEqual([])
  const steps: string[] = []
  const watch: GraphInput['watch'] = event => event.type === 'step' && steps.push(event.name)
  expect(outcomes(await graph({ ...asked, watch, reply: async () => true }))).toContain('nothing')
  expect(steps[0]).toBe('act')
})

test('what a question leans on is asked for where nothing was said before, and taken as it is where nobody answers', async () => {
  const ask = async (text: string, reply?: GraphInput['reply']) =>
    (await graph({ ...(await partsOf(index, text)), reply })).question.text
  const leaning = 'What is said right after that?'
  expect(await ask(leaning)).toBe(leaning)
  expect(await ask(leaning, async () => '')).toBe(leaning)
  expect(await ask(leaning, async () => 'the bell')).toBe(`${leaning} ("after that": the bell)`)
  expect(await ask('And why?', async () => 'the lighthouse')).toBe('And why? ("And why?": the lighthouse)')
  const never = async () => Promise.reject(new Error('asked'))
  for (const plain of ['What is the password?', 'What happens after the bell?', 'Who built it and why?'])
    expect(await ask(plain, never)).toBe(plain)
})
