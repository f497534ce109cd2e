import { PlanBrief, WriteBrief } from '../../../src/core/brief.ts'
import type { ChatModel, ChatReply, ChatRequest } from '../../../src/core/chat.ts'
import { contentHash } from '../../../src/core/json.ts'
import { tokens } from '../../../src/text/words.ts'

// The rules of the embedded profile with one fault each, as small language models have them.
export function faultyRules(rules: ChatModel): { planner: ChatModel; writer: ChatModel }[] {
  const faults: { plan?: Fault; write?: Fault }[] = [
    { plan: () => textReply('READY') }, // before its first call
    { plan: oneSearch(1) }, // trusts the first hit
    { plan: sameSearch }, // of one word, for ever
    { plan: badCalls }, // wrong tools, wrong names, times as words; one call of four is right
    { write: blindRow }, // answers from a row that it picks blindly
    { write: inventedValue }, // into every other answer
    { write: inventedTimes }, // a made-up time and a made-up id in each sentence
  ]
  return faults.map(({ plan, write }) => ({
    planner: faulty(rules, 'plan', plan),
    writer: faulty(rules, 'write', write),
  }))
}

const abstention = textReply(JSON.stringify({ sentences: [], abstained: true }))

type Fault = (request: ChatRequest, rules: ChatModel, signal: AbortSignal) => ChatReply | Promise<ChatReply>

function faulty(rules: ChatModel, purpose: string, fault: Fault | undefined): ChatModel {
  return {
    id: 'chat/faulty rules',
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
    return round === 0 ? called('search', { query: question.text, k }) : textReply('READY')
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
  return next ? called(...next) : textReply('READY')
}

const blindRow: Fault = request => {
  const { question, evidence } = WriteBrief.parse(request.brief)
  const dice = diceOf(question.text)
  const row = evidence[dice % evidence.length]
  if (!row) return abstention
  const options = question.options ?? []
  const claim = `The answer is ${tokens(row.text)[0]?.text ?? 'this'} of ${1 + (dice % 90)} people.`
  const choice = options.length > 0 ? { choice: dice % options.length } : {}
  return textReply(JSON.stringify({ sentences: [{ text: claim, cites: [row.id] }], confidence: 0.9, ...choice }))
}

const inventedValue: Fault = async (request, rules, signal) => {
  const { question, evidence } = WriteBrief.parse(request.brief)
  const reply = await rules.reply(request, signal)
  const dice = diceOf(question.text)
  const row = evidence[dice % evidence.length]
  if (dice % 2 === 0 || !row) return reply
  const value = `Quintus Abernathy paid ${7000 + (dice % 999)} crowns for it`
  return textReply(JSON.stringify({ sentences: [{ text: `${value}.`, cites: [row.id] }], confidence: 0.9 }))
}

const inventedTimes: Fault = async (request, rules, signal) => {
  const reply = await rules.reply(request, signal)
  const draft = JSON.parse(reply.text) as { sentences: { text: string; cites: string[] }[] }
  const sentences = draft.sentences.map(one => ({
    text: `At 1:23:45 ${one.text}`,
    cites: ['s0000000000', ...one.cites],
  }))
  return textReply(JSON.stringify({ ...draft, sentences }))
}

function called(name: string, args: unknown): ChatReply {
  return { ...textReply(''), calls: [{ id: 'call', name, arguments: args }], stop: 'calls' }
}

// A number that depends on the question alone.
function diceOf(question: string): number {
  return Number.parseInt(contentHash(question).slice(0, 8), 16)
}

function textReply(text: string): ChatReply {
  return { text, calls: [], stop: 'end', usage: { inputTokens: 0, outputTokens: 0 }, model: 'weak' }
}
