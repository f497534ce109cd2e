import { parseJsonText } from '../../src/core/json.ts'
import { parseTime, type Span } from '../../src/core/time.ts'
import { bracketedCites } from '../../src/text/bracketed-cites.ts'
import { readDraft } from '../../src/text/replies/read-draft.ts'
import type { Claim, GivenAnswer } from './turn.ts'

const maxClaims = 60
const longestText = 12_000 // characters

// An answer of a model, however nearly right its form is: the arguments of its call, JSON in its text, or prose.
export function readAnswer(value: unknown, options: readonly string[] = []): GivenAnswer | undefined {
  const parsedValue = typeof value === 'string' ? (parseJsonText(value) ?? value) : value
  if (typeof parsedValue === 'string') return fromProse(parsedValue, options)
  if (!parsedValue || typeof parsedValue !== 'object' || Array.isArray(parsedValue)) return undefined
  const { claims, text, answer, sentences } = parsedValue as Record<string, unknown>
  if (typeof text !== 'string' && typeof answer !== 'string' && Array.isArray(sentences))
    return fromProse(JSON.stringify(parsedValue), options)
  const read = (Array.isArray(claims) ? claims : []).slice(0, maxClaims).flatMap(readClaim)
  const words = [text, answer].find(one => typeof one === 'string' && one.trim() !== '') as string | undefined
  const body = words ?? read.map(claim => claim.text).join(' ')
  const { choice, confidence, unanswered } = parsedValue as Record<string, unknown>
  const draft = readDraft(JSON.stringify({ text: body || '-', choice, confidence }), options)
  if (!body && draft?.choice === undefined && !unanswered) return undefined
  const written = bracketedCites(body.slice(0, longestText))
  return {
    text: written.text,
    claims: read.length > 0 ? read : body ? [{ text: written.text, cites: written.cites, at: [] }] : [],
    ...(draft?.choice !== undefined && { choice: draft.choice }),
    ...(draft?.confidence !== undefined && { confidence: draft.confidence }),
    unanswered: [unanswered ?? []].flat().filter(one => typeof one === 'string' && one.trim() !== '') as string[],
  }
}

function fromProse(text: string, options: readonly string[]): GivenAnswer | undefined {
  const draft = readDraft(text, options)
  if (!draft) return undefined
  const claims = draft.sentences.map((one): Claim => {
    const written = bracketedCites(one.text)
    return { text: written.text, cites: [...new Set([...one.cites, ...written.cites])], at: [] }
  })
  return {
    text: claims.map(claim => claim.text).join(' '),
    claims,
    ...(draft.choice !== undefined && { choice: draft.choice }),
    ...(draft.confidence !== undefined && { confidence: draft.confidence }),
    unanswered: draft.abstained ? (draft.unknown ?? ['the question']) : (draft.unknown ?? []),
  }
}

function readClaim(value: unknown): Claim[] {
  if (typeof value === 'string') return [{ text: value, cites: [], at: [] }]
  const { text, cites, at } = (value ?? {}) as Record<string, unknown>
  if (typeof text !== 'string' || text.trim() === '') return []
  const ids = (Array.isArray(cites) ? cites : typeof cites === 'string' ? [cites] : []).map(String)
  return [{ text: text.slice(0, longestText), cites: ids, at: spansIn(at) }]
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
