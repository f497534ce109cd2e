import type { ChatModel, ChatReply, ChatRequest } from '../../../src/core/chat.ts'
import type { Span } from '../../../src/core/time.ts'
import { fence } from '../../../src/core/words/fence.ts'
import { planned } from './plan.ts'
import { askedIn, fenced, hasOptions, propertiesOf, wordsIn } from './request-text.ts'
import { framesIn, rowsOfClues, shownIn } from './shown.ts'
import type { Slips } from './slips.ts'
import type { Truth } from './truth.ts'
import { verdictOf } from './verdict.ts'

export interface PerfectSettings {
  verifier?: 'honest' | 'bound to rows'
  slips?: Slips // errors; none if left out
}

// A model that knows the truth of a made set in every role: it plans, writes, looks and checks. What it cites and what
// it says rests on what the messages of the request show; if they do not show enough it calls tools.
export function perfectModel(
  truths: readonly Truth[],
  { verifier = 'honest', slips }: PerfectSettings = {},
): ChatModel {
  return {
    id: `chat/${slips?.name ?? 'perfect'}`,
    accepts: new Set(['text', 'image']),
    async reply(request, signal) {
      signal.throwIfAborted()
      const words = wordsIn(request)
      const truth = askedIn(words, truths)
      const made = slips?.of(request, truth) ?? replyTo(request, words, truth, truths, verifier)
      return { ...made, usage: { inputTokens: Math.ceil(words.length / 4), outputTokens: 40 } }
    },
  }
}

function replyTo(
  request: ChatRequest,
  words: string,
  truth: Truth | undefined,
  truths: readonly Truth[],
  verifier: 'honest' | 'bound to rows',
): ChatReply {
  const asked = propertiesOf(request.schema?.schema)
  if (asked.includes('verdict'))
    return json({ reason: 'as the video has it', verdict: verdictOf(words, truths, verifier) })
  if (asked.includes('claims')) return json({ claims: verdictsOf(words, truths, verifier) })
  if (!truth) throw new Error(`The perfect model knows no question of this request: ${words.slice(0, 400)}`)
  if (asked.includes('sentences')) return json(draftOf(request, words, truth))
  if (asked.includes('facts'))
    return json({ facts: [{ fact: truth.answer, cites: citesOf(request, truth) ?? [], query: '' }] })
  if (asked.includes('answer') && asked.includes('reason'))
    return json({ reason: '', answer: rightAnswer(words, truth) })
  if (request.tools && request.tools.length > 0) return planned(request, words, truth)
  if (framesIn(lastContent(request)).length > 0) return said(seen(request, truth))
  throw new Error(`The perfect model does not know such a request: ${words.slice(0, 400)}`)
}

// Of a check of all claims in one request: each claim as if it were alone.
function verdictsOf(words: string, truths: readonly Truth[], verifier: 'honest' | 'bound to rows'): object[] {
  const [claims = ''] = fenced(words, 'claims')
  return claims.split('\n').flatMap(line => {
    const [, number, text] = /^(\d+)\. (.*?)(?: \[[\d:.-]+\])* \(cites .*$/.exec(line) ?? []
    if (number === undefined || text === undefined) return []
    const alone = `${fence('claim', text)}\n${fence('evidence', fenced(words, 'rows').join('\n'))}`
    return [{ claim: Number(number), reason: 'as the video has it', verdict: verdictOf(alone, truths, verifier) }]
  })
}

// Ids of the rows that show the answer; undefined if not all of it is shown.
export function citesOf(request: ChatRequest, truth: Truth): string[] | undefined {
  const rows = rowsOfClues(truth, shownIn(request))
  return rows.every(row => row !== undefined) ? [...new Set(rows.map(row => row?.id ?? ''))] : undefined
}

function draftOf(request: ChatRequest, words: string, truth: Truth): object {
  const cites = citesOf(request, truth)
  const choice = hasOptions(words, truth) && truth.right !== undefined ? { choice: truth.right } : {}
  if (truth.clues.length === 0)
    return { sentences: [{ text: truth.answer, cites: [] }], ...choice, confidence: 0.9, abstained: true, unknown: [] }
  if (!cites) return { sentences: [], confidence: 0.2, abstained: true, unknown: [truth.question] }
  return { sentences: [{ text: truth.answer, cites }], ...choice, confidence: 0.95, abstained: false, unknown: [] }
}

// Of several answers the true one; 0 if none is.
function rightAnswer(words: string, truth: Truth): number {
  return fenced(words, 'answer').findIndex(answer => answer.includes(truth.answer.replace(/\.$/, ''))) + 1
}

function seen(request: ChatRequest, truth: Truth): string {
  const shows = (clue: Span) => framesIn(lastContent(request)).some(time => time >= clue.start - 1 && time <= clue.end)
  return truth.clues.some(shows) ? truth.answer : 'The frames do not show it.'
}

function lastContent({ messages }: ChatRequest) {
  return messages.at(-1)?.content ?? []
}

export function said(text: string): ChatReply {
  return { text, calls: [], stop: 'end', usage: { inputTokens: 0, outputTokens: 0 }, model: 'perfect' }
}

export function json(value: object): ChatReply {
  return said(JSON.stringify(value))
}
