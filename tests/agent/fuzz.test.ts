import { expect, test } from 'vitest'
import { type Blueprint, prepareParts } from '../../graphs/compile.ts'
import investigate from '../../graphs/investigate.ts'
import type { GraphInput } from '../../graphs/parts.ts'
import { AgentSession } from '../../graphs/session.ts'
import { agentState, channels, type RunState, type Update } from '../../graphs/state.ts'
import type { AgentState } from '../../src/core/agent.ts'
import { seededRandom } from '../../src/core/basics/numbers.ts'
import type { ChatModel, ToolCall } from '../../src/core/chat.ts'
import { formatTime } from '../../src/core/time.ts'
import { statedTimes } from '../../src/text/times-in-prose.ts'
import { ask, partsOf } from './ask.ts'
import { freshState } from './fresh-state.ts'
import { handMadeIndex, heard, itemAt, said, shown } from './hand-made-index.ts'

const sequences = 2000
const seed = 20_261_121

const index = handMadeIndex({
  duration: 180,
  rows: [
    said(3, 9, 'welcome to the harbor report'),
    said(12, 17, 'today forty two people visited the new maritime museum'),
    said(52, 57, 'the password for the guided tour is blue falcon'),
    said(70, 76, 'the train leaves at 10:15 from platform four'),
    shown(20, 31, 'Tickets\nAdults $12'),
    shown(60, 64, 'Room 204'),
    heard(48, 49, 'beep'),
    heard(90, 91, 'beep'),
  ],
  chapters: [{ start: 0, end: 180, title: 'Harbor report', summary: 'the museum' }],
})

const names = ['search', 'timeline', 'overview', 'look', 'listen', 'transcribe', 'read_text', 'verify_claim']
const strange = ['serch', '', '__proto__', 'constructor', 'rm -rf', 'search_video', 'SEARCH', '搜索']
const keys = ['query', 'start', 'end', 'tracks', 'k', 'nth', 'about', 'limit', 'question', 'claim', 'before', 'after']
const words = [
  'password',
  'falcon',
  'beep',
  'museum',
  'at 1:23:45',
  '[9:99]',
  '',
  '\u0000',
  '"}',
  'a'.repeat(300),
  '🦅',
]

// Arguments from plausible to absurd.
function madeUp(random: () => number, depth = 0): unknown {
  const pick = <T>(list: readonly T[]): T => itemAt(list, Math.floor(random() * list.length))
  const kinds: (() => unknown)[] = [
    () => pick(words),
    () => Math.round((random() - 0.2) * 400),
    () => pick([Number.NaN, Number.POSITIVE_INFINITY, -0, 1e308, null, undefined, true]),
    () => pick(['0:52', '1:02:03', '-5', 'end', '52-57']),
    () => [pick(['speech', 'text', 'ocr', 'audio', 'x']), random()],
    () => (depth > 2 ? {} : { [pick(keys)]: madeUp(random, depth + 1) }),
    () => JSON.stringify({ query: pick(words) }),
  ]
  return pick(kinds)()
}

function randomCall(random: () => number, id: string): ToolCall {
  const name =
    random() < 0.85
      ? itemAt(names, Math.floor(random() * names.length))
      : itemAt(strange, Math.floor(random() * strange.length))
  if (random() < 0.1) return { id, name, arguments: madeUp(random) }
  const count = Math.floor(random() * 4)
  const given = Array.from({ length: count }, () => [keys[Math.floor(random() * keys.length)], madeUp(random)])
  return {
    id,
    name,
    arguments: {
      ...(random() < 0.5 ? { query: 'password', start: 10, end: 60 } : {}),
      ...Object.fromEntries(given),
    },
  }
}

function randomPlanner(random: () => number): ChatModel {
  let left = Math.floor(random() * 4)
  return {
    id: 'chat/random',
    accepts: new Set(['text']),
    async reply() {
      const calls =
        left-- > 0 ? Array.from({ length: Math.floor(random() * 5) }, (_, i) => randomCall(random, `c${i}`)) : []
      const text = calls.length > 0 ? '' : itemAt(['READY', '', 'The answer is 7:77.'], Math.floor(random() * 3))
      return { text, calls, stop: 'end', usage: { inputTokens: 1, outputTokens: 1 }, model: 'random' }
    },
  }
}

// A writer that makes up sentences, times and citations, and sometimes gets one right.
function randomWriter(random: () => number): ChatModel {
  const rows = index.evidence()
  return {
    id: 'chat/random-writer',
    accepts: new Set(['text']),
    async reply() {
      const row = itemAt(rows, Math.floor(random() * rows.length))
      const time = formatTime(random() * 7200)
      const texts = [row.text, `At ${time} ${row.text}`, `It is said [${time}-${time}] in minute 77.`, '']
      const text = texts[Math.floor(random() * texts.length)]
      const cites = random() < 0.7 ? [row.id] : ['s0123456789']
      const made = JSON.stringify({ sentences: [{ text, cites }], confidence: random() * 3 - 1, choice: 3 })
      return {
        text: random() < 0.8 ? made : made.slice(0, 20),
        calls: [],
        stop: 'end',
        usage: { inputTokens: 1, outputTokens: 1 },
        model: 'w',
      }
    },
  }
}

type Answered = AgentState & { answer: NonNullable<AgentState['answer']> }

function checkAnswer({ answer, evidence }: Answered, where: string) {
  const ledger = new Map(evidence.map(row => [row.id, row]))
  const rows = answer.sentences.flatMap(one => one.cites.map(id => ledger.get(id)))
  expect(
    rows.every(row => row !== undefined),
    `${where}: ${answer.text}`,
  ).toBe(true)
  expect(answer.text.trim(), where).not.toBe('')
  const known = rows.flatMap(row => (row ? [row.span.start, row.span.end, row.frame ?? 0].map(Math.floor) : []))
  const quoted = rows.map(row => row?.text).join('\n')
  for (const stated of statedTimes(answer.text)) {
    const from = stated.seconds.every(second => known.includes(Math.floor(second)))
    expect(from || quoted.includes(stated.text), `${where}: ${stated.text} in ${answer.text}`).toBe(true)
  }
  expect(answer.confidence >= 0 && answer.confidence <= 1, where).toBe(true)
}

// The nodes one after another as the graph would call them, without what LangGraph itself costs.
async function drive(asked: GraphInput): Promise<Answered> {
  const { parts, policies } = await prepareParts(investigate, asked)
  const nodes: Blueprint['nodes'] = investigate.nodes
  let state = freshState({ question: asked.question })
  for (let at = nodes.overview; at; ) {
    const session = new AgentSession(parts, policies, state)
    const { update, goto = at.next[0] } = await at.work(session, state)
    state = added(state, { ...update, ...session.news() })
    session.meter.close()
    if (goto === undefined) break
    at = nodes[goto]
  }
  return agentState(state) as Answered
}

function added(state: RunState, update: Update): RunState {
  const reducers = new Map(Object.entries(channels) as [string, { reducer(now: unknown, more: unknown): unknown }][])
  const before = new Map<string, unknown>(Object.entries(state))
  const news = Object.entries(update).filter(([, more]) => more !== undefined)
  return {
    ...state,
    ...Object.fromEntries(news.map(([name, more]) => [name, reducers.get(name)?.reducer(before.get(name), more)])),
  }
}

function moreOf(next: () => number, n: number) {
  const writer = n % 2 === 0 ? undefined : randomWriter(next)
  const options = next() < 0.2 ? ['red hawk', 'blue falcon'] : undefined
  return { planner: randomPlanner(next), writer, options, budget: { steps: 4 } }
}

test(`${sequences} random sequences of calls: no crash, no time but the ledger's, no state without bounds`, async () => {
  const next = seededRandom(seed)
  const began = process.cpuUsage()
  let steps = 0
  let largest = 0
  for (let n = 0; n < sequences; n++) {
    const state = await drive(await partsOf(index, 'What is the password?', moreOf(next, n)))
    checkAnswer(state, `sequence ${n}`)
    steps += state.steps.length
    largest = Math.max(largest, JSON.stringify(state).length)
  }
  const { user, system } = process.cpuUsage(began)
  expect(largest).toBeLessThan(60_000)
  expect(steps).toBeGreaterThan(sequences)
  expect((user + system) / 1e6).toBeLessThan(40) // seconds of the processor; far less where nothing else runs
})

test('100 of them through the whole graph', async () => {
  const next = seededRandom(seed + 1)
  for (let n = 0; n < 100; n++) checkAnswer(await ask(index, 'What is the password?', moreOf(next, n)), `sequence ${n}`)
})
