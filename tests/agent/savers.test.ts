import { mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { MemorySaver } from '@langchain/langgraph'
import { expect, test } from 'vitest'
import { openGraph } from '../../graphs/index.ts'
import type { GraphInput } from '../../graphs/parts.ts'
import type { AgentState, RunEvent } from '../../src/core/agent.ts'
import type { ChatModel } from '../../src/core/chat.ts'
import type { Checkpointer, Checkpoints } from '../../src/core/run/checkpoints.ts'
import { openCheckpoints } from '../../src/store/run/checkpoints.ts'
import { makeRunFolder } from '../../src/store/run/run-folder.ts'
import { type AskMore, partsOf } from './ask.ts'
import { handMadeIndex } from './hand-made-index.ts'
import { museum } from './museum.ts'

const index = handMadeIndex(museum)
const question = 'Why was the lighthouse closed?'

// A saver as it is opened: once before the cut, and once more by the process that goes on.
const savers: Record<string, () => Promise<() => Promise<Checkpoints | Checkpointer>>> = {
  async 'of the run folder'() {
    const home = await mkdtemp(join(tmpdir(), 'longtake-savers-'))
    const run = await makeRunFolder(home, { name: 'cut', config: {}, environment: {}, secrets: [] })
    return () => openCheckpoints(run)
  },
  async MemorySaver() {
    const saver = new MemorySaver()
    return async () => saver
  },
}

// A process that dies when a node of this name begins for the nth time.
class Killed extends Error {}

function dyingAt(asked: GraphInput, node: string): GraphInput {
  return {
    ...asked,
    watch(event) {
      asked.watch(event)
      if (event.type === 'step' && event.name === node) throw new Killed(node)
    },
  }
}

function plain({ spent: { seconds: _, ...spent }, steps, ...state }: AgentState) {
  return { ...state, spent, steps: steps.map(({ seconds: __, ...step }) => step) }
}

// Looks twice, then answers: by what it was shown, as it would in another process.
const seeing: ChatModel = {
  id: 'chat/seeing',
  accepts: new Set(['text', 'image']),
  async reply({ messages }) {
    const looks = messages.filter(one => one.role === 'tool').length
    const input = { start: looks * 10, end: looks * 10 + 40, seen: `look ${looks}` }
    const calls = looks < 3 ? [{ id: `c${looks}`, name: 'skim', arguments: input }] : []
    const text = looks < 3 ? '' : 'The lighthouse is white.'
    return { text, calls, stop: 'end', usage: { inputTokens: 5, outputTokens: 5 }, model: 'x' }
  },
}

// Looks once, then answers by a call, and sees the same pictures in another process.
const conversing: ChatModel = {
  id: 'chat/conversing',
  accepts: new Set(['text', 'image']),
  async reply({ messages, schema }) {
    const looked = messages.some(one => one.role === 'tool')
    const frame = /([a-z][0-9a-f]{10}) 0:12\.\d/.exec(
      messages.flatMap(one => one.content.map(part => (part.type === 'text' ? part.text : ''))).join('\n'),
    )?.[1]
    const claims = [{ text: 'The lighthouse is white.', cites: [frame ?? ''] }]
    const answer = { name: 'answer', arguments: { claims, text: 'It is white.', confidence: 0.9 } }
    const look = { name: 'view', arguments: { start: 12, end: 14, frames: 3 } }
    const text = schema ? JSON.stringify({ claims: [{ claim: 1, reason: 'seen', verdict: 'supported' }] }) : ''
    const calls = schema ? [] : [{ id: 'c', ...(looked ? answer : look) }]
    return { text, calls, stop: 'end', usage: { inputTokens: 5, outputTokens: 5 }, model: 'x' }
  },
}
// Answers as the roles of videomind do, whoever asks.
const roles: ChatModel = {
  id: 'chat/roles',
  accepts: new Set(['text', 'image']),
  async reply({ messages }) {
    const asked = JSON.stringify(messages.map(one => one.content.filter(part => part.type === 'text')))
    const text = /moments that a query/.test(asked)
      ? '{"moments": [{"start": "0:30", "end": "0:40"}, {"start": 32, "end": 38}]}'
      : /candidate/.test(asked)
        ? `{"yes": ${/0:32-0:38/.test(asked) ? 0.9 : 0.1}}`
        : '{"ground": true, "query": "the lighthouse"}'
    return { text, calls: [], stop: 'end', usage: { inputTokens: 5, outputTokens: 5 }, model: 'x' }
  },
}
const eyes = { vision: async () => ({ by: 'chat/roles', service: roles }) }

const draw = async (times: number[]) =>
  times.map(time => ({ time, width: 4, height: 4, rgb: new Uint8Array(48).fill(Math.round(time) % 200) }))

const graphs: [string, string[], AskMore?][] = [
  ['converse', ['open', 'model', 'tools', 'check', 'answer'], { planner: conversing, verifier: conversing, draw }],
  ['investigate', ['overview', 'plan', 'act', 'draft', 'check', 'answer']],
  ['retrieve-and-write', ['overview', 'plan', 'act', 'draft', 'phrase', 'check', 'answer']],
  ['single-pass', ['gather', 'draft', 'answer']],
  ['search-then-answer', ['act', 'draft', 'answer']],
  ['longshot-v2', ['plan', 'act', 'answer']],
  ['dvd', ['begin', 'plan', 'act', 'answer']],
  ['windows', ['retrieve', 'look', 'draft', 'answer']],
  ['task-graph', ['plan', 'act', 'fuse', 'answer']],
  ['video-rag', ['request', 'retrieve', 'draft', 'answer']],
  ['videomind', ['plan', 'ground', 'verify', 'draft', 'answer'], { services: eyes, draw, budget: { frames: 700 } }],
  ['video-explorer', ['plan', 'act', 'answer']],
  ['seek', ['look', 'plan', 'act', 'answer'], { planner: seeing, frames: 99 }],
]

const cuts = Object.keys(savers).flatMap(saver =>
  graphs.map(([name, nodes, more]) => [saver, name, nodes, more] as const),
)

test.each(cuts)(
  'the saver %s: %s goes on from a cut at each node as if there had been none',
  async (saver, name, nodes, more) => {
    const graph = await openGraph(name)
    const parts = () => partsOf(index, question, more) // of one process
    const whole = plain(await graph(await parts()))
    for (const node of nodes) {
      const open = await savers[saver]?.()
      const kept = async () => ({ checkpoints: (await open?.()) ?? new MemorySaver(), thread: node })
      await expect(graph(dyingAt({ ...(await parts()), kept: await kept() }, node))).rejects.toThrow(Killed)
      const events: RunEvent[] = []
      const end = await graph({ ...(await parts()), kept: await kept(), watch: event => events.push(event) })
      expect(plain(end), node).toEqual(whole)
      // What was done before the cut is not done again.
      expect(events.find(event => event.type === 'step')).toMatchObject({ name: node })
    }
  },
)

test('a fork gives its hint to a conversation', async () => {
  const checkpoints = new MemorySaver()
  const graph = await openGraph('converse')
  const more = { planner: conversing, verifier: conversing, draw }
  const kept = { checkpoints, thread: 'hint' }
  await expect(graph(dyingAt({ ...(await partsOf(index, question, more)), kept }, 'model'))).rejects.toThrow(Killed)
  const asked: string[] = []
  const planner: ChatModel = {
    ...conversing,
    reply: async (request, signal) => {
      asked.push(JSON.stringify(request.messages.at(-1)))
      return conversing.reply(request, signal)
    },
  }
  const hinted = { ...(await partsOf(index, question, { ...more, planner })), kept: { ...kept, hint: 'Look at 12 s.' } }
  expect((await graph(hinted)).answer?.text).toContain('It is white')
  expect(asked[0]).toContain('Look at 12 s.')
})

test('what is no saver is refused with what one is', async () => {
  const parts = await partsOf(index, question)
  const checkpoints = { put: async () => {} } as unknown as Checkpointer
  const graph = await openGraph('investigate')
  await expect(graph({ ...parts, kept: { checkpoints, thread: 'x' } })).rejects.toMatchObject({
    message: 'The checkpointer must be a checkpoint saver of LangGraph.',
  })
})
