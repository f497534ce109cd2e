import { PlanBrief, WriteBrief } from '../../src/core/brief.ts'
import type { ChatModel, ChatReply, ChatRequest } from '../../src/core/chat.ts'
import type { Evidence } from '../../src/core/evidence.ts'
import { contentHash } from '../../src/core/json.ts'
import { coverage } from '../../src/text/word-similarity.ts'
import { tokens } from '../../src/text/words.ts'

export interface Weakness {
  name: string
  about: string
  planner: ChatModel
  writer: ChatModel
}

// Models of graded weakness: the rules of the embedded profile with one fault each, as small language models have them.
export function weaknesses(rules: ChatModel): Weakness[] {
  const weak = (name: string, about: string, faults: { plan?: Fault; write?: Fault }): Weakness => ({
    name,
    about,
    planner: faulty(name, rules, 'plan', faults.plan),
    writer: faulty(name, rules, 'write', faults.write),
  })
  return [
    weak('no fault', 'the rules themselves, to compare with', {}),
    weak('stops at once', 'is ready before its first call', { plan: () => said('READY') }),
    weak('trusts the first hit', 'one search for one row, then it is ready', { plan: oneSearch(1) }),
    weak('quotes the first hit', 'one search, and its first row is the answer, word for word', {
      plan: oneSearch(8),
      write: firstRow,
    }),
    weak('repeats itself', 'one and the same search of one word for ever', { plan: sameSearch }),
    weak('bad arguments', 'wrong tools, wrong names, times as words; one call of four is right', { plan: badCalls }),
    weak('ignores results', 'searches well, then answers from a row that it picks blindly', { write: blindRow }),
    weak('hallucinates', 'writes a value that no row holds into every other answer', { write: inventedValue }),
    weak('invents times', 'puts a made-up time and a made-up id into each sentence', { write: inventedTimes }),
  ]
}

const abstention = said(JSON.stringify({ sentences: [], abstained: true }))

type Fault = (request: ChatRequest, rules: ChatModel, signal: AbortSignal) => ChatReply | Promise<ChatReply>

function faulty(name: string, rules: ChatModel, purpose: string, fault: Fault | undefined): ChatModel {
  return {
    id: `chat/weak ${name}`,
    accepts: rules.accepts,
    reply: (request, signal) =>
      fault && request.purpose === purpose
        ? Promise.resolve(fault(request, rules, signal))
        : rules.reply(request, signal),
  }
}

function oneSearch(k: number): Fault {
  return request => {
    const { question, round } = PlanBrief.parse(request.brief)
    return round === 0 ? called('search', { query: question.text, k }) : said('READY')
  }
}

const sameSearch: Fault = request => {
  const { question } = PlanBrief.parse(request.brief)
  const words = tokens(question.text).map(token => token.text)
  return called('search', { query: words.reduce((long, word) => (word.length > long.length ? word : long), ''), k: 3 })
}

const badCalls: Fault = request => {
  const { question, round } = PlanBrief.parse(request.brief)
  const tries: [string, unknown][] = [
    ['video_search', { q: question.text }],
    ['look', { start: 'the beginning', end: 'the end' }],
    ['timeline', { start: '9:59:59', end: '0:10', tracks: 'everything' }],
    ['search', { q: question.text, max_results: '6', modality: 'audio' }],
  ]
  const next = tries[round]
  return next ? called(...next) : said('READY')
}

const firstRow: Fault = request => {
  const { question, evidence, steps } = WriteBrief.parse(request.brief)
  const first = evidence.find(row => row.id === steps[0]?.evidence[0])
  return first ? quoting(first, question.options) : abstention
}

const blindRow: Fault = request => {
  const { question, evidence } = WriteBrief.parse(request.brief)
  const dice = diceOf(question.text)
  const row = evidence[dice % evidence.length]
  if (!row) return abstention
  const options = question.options ?? []
  const claim = `The answer is ${tokens(row.text)[0]?.text ?? 'this'} of ${1 + (dice % 90)} people.`
  const choice = options.length > 0 ? { choice: dice % options.length } : {}
  return said(JSON.stringify({ sentences: [{ text: claim, cites: [row.id] }], confidence: 0.9, ...choice }))
}

const inventedValue: Fault = async (request, rules, signal) => {
  const { question, evidence } = WriteBrief.parse(request.brief)
  const reply = await rules.reply(request, signal)
  const dice = diceOf(question.text)
  const row = evidence[dice % evidence.length]
  if (dice % 2 === 0 || !row) return reply
  const value = `Quintus Abernathy paid ${7000 + (dice % 999)} crowns for it`
  return said(JSON.stringify({ sentences: [{ text: `${value}.`, cites: [row.id] }], confidence: 0.9 }))
}

const inventedTimes: Fault = async (request, rules, signal) => {
  const reply = await rules.reply(request, signal)
  const draft = JSON.parse(reply.text) as { sentences: { text: string; cites: string[] }[] }
  const sentences = draft.sentences.map(one => ({
    text: `At 1:23:45 ${one.text}`,
    cites: ['s0000000000', ...one.cites],
  }))
  return said(JSON.stringify({ ...draft, sentences }))
}

function quoting(row: Evidence, options: readonly string[] | undefined): ChatReply {
  const scores = (options ?? []).map(option => coverage(tokens(option), row.text))
  const choice = scores.length > 0 ? { choice: scores.indexOf(Math.max(...scores)) } : {}
  return said(JSON.stringify({ sentences: [{ text: row.text, cites: [row.id] }], confidence: 0.9, ...choice }))
}

function called(name: string, args: unknown): ChatReply {
  return { ...said(''), calls: [{ id: 'call', name, arguments: args }], stop: 'calls' }
}

// A number that depends on the question alone.
function diceOf(question: string): number {
  return Number.parseInt(contentHash(question).slice(0, 8), 16)
}

function said(text: string): ChatReply {
  return { text, calls: [], stop: 'end', usage: { inputTokens: 0, outputTokens: 0 }, model: 'weak' }
}
