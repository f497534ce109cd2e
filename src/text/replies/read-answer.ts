import { Cause } from '../../core/agent.ts'
import type { Draft } from '../../core/brief.ts'
import { parseJsonText } from '../../core/json.ts'
import { parseTime, type Span } from '../../core/time.ts'
import { bracketedCites } from '../bracketed-cites.ts'
import { readDraft } from './read-draft.ts'

type Claim = Draft['sentences'][number]

const maxClaims = 60
const longestText = 12_000 // characters

// An answer of a model, however nearly right its form is: the arguments of its call, JSON in its text, or prose.
export function readAnswer(value: unknown, options: readonly string[] = []): Draft | undefined {
  const parsedValue = typeof value === 'string' ? (parseJsonText(value) ?? value) : value
  if (typeof parsedValue === 'string') return fromProse(parsedValue, options)
  if (!parsedValue || typeof parsedValue !== 'object' || Array.isArray(parsedValue)) return undefined
  const { claims, text, answer, sentences, choice, confidence, unanswered, cause } = parsedValue as Record<
    string,
    unknown
  >
  if (typeof text !== 'string' && typeof answer !== 'string' && Array.isArray(sentences))
    return fromProse(JSON.stringify(parsedValue), options)
  const read = (Array.isArray(claims) ? claims : []).slice(0, maxClaims).flatMap(readClaim)
  const words = [text, answer].find(one => typeof one === 'string' && one.trim() !== '') as string | undefined
  const body = words ?? read.map(claim => claim.text).join(' ')
  const draft = readDraft(JSON.stringify({ text: body || '-', choice, confidence }), options)
  if (!body && draft?.choice === undefined && !unanswered) return undefined
  const written = bracketedCites(body.slice(0, longestText))
  const answerClaims = read.length > 0 ? read : body ? [written] : []
  const unknown = [unanswered ?? []].flat().filter(one => typeof one === 'string' && one.trim() !== '') as string[]
  const isOpen = unknown.length > 0 && answerClaims.every(one => one.cites.length === 0)
  return {
    text: written.text,
    sentences: answerClaims,
    choice: draft?.choice,
    confidence: draft?.confidence,
    unknown,
    ...(isOpen && { cause: Cause.safeParse(cause).data }),
  }
}

function fromProse(text: string, options: readonly string[]): Draft | undefined {
  const draft = readDraft(text, options)
  if (!draft) return undefined
  const sentences = draft.sentences.map((one): Claim => {
    const written = bracketedCites(one.text)
    return { text: written.text, cites: [...new Set([...one.cites, ...written.cites])] }
  })
  const unknown = draft.unknown ?? (draft.abstained ? ['the question'] : [])
  return { ...draft, text: sentences.map(claim => claim.text).join(' '), sentences, unknown }
}

function readClaim(value: unknown): Claim[] {
  if (typeof value === 'string') return [{ text: value, cites: [] }]
  const { text, cites, at } = (value ?? {}) as Record<string, unknown>
  if (typeof text !== 'string' || text.trim() === '') return []
  const ids = (Array.isArray(cites) ? cites : typeof cites === 'string' ? [cites] : []).map(String)
  const spans = spansIn(at)
  return [{ text: text.slice(0, longestText), cites: ids, ...(spans.length > 0 && { at: spans }) }]
}

// "1:02.5-1:04", [62.5, 64], {start, end}, or a list of these.
function spansIn(at: unknown): Span[] {
  if (typeof at === 'string') {
    const [start, end = start] = at
      .replace(/[[\]]/g, '')
      .split(/\s*(?:-|–|—|to)\s*/)
      .map(parseTime)
    return start === undefined || end === undefined || end < start ? [] : [{ start, end }]
  }
  if (Array.isArray(at)) {
    if (at.length === 2 && at.every(one => typeof one === 'number')) return spansIn({ start: at[0], end: at[1] })
    return at.flatMap(spansIn)
  }
  const { start, end } = (at ?? {}) as Record<string, unknown>
  const from = parseTime(start)
  const to = parseTime(end)
  return from === undefined || to === undefined || to < from ? [] : [{ start: from, end: to }]
}
