import { Draft } from '../../src/core/brief.ts'
import { readJson } from './read-json.ts'

const mostSentences = 60

// What a writer replied, however nearly right its JSON is; undefined where it says and chooses nothing.
export function readDraft(text: string, options: number): Draft | undefined {
  const parsed = Draft.safeParse(tolerant(readJson(text)))
  const made = parsed.success ? parsed.data : proseDraft(text)
  const choice = made.choice !== undefined && made.choice < options ? made.choice : undefined
  if (made.sentences.length === 0 && choice === undefined) return undefined
  return { ...made, sentences: made.sentences.slice(0, mostSentences), choice }
}

// Small models answer with nearly the right JSON: a text instead of sentences, a letter instead of a number.
function tolerant(value: unknown): unknown {
  if (!value || typeof value !== 'object') return value
  const { text, answer, ...rest } = value as Record<string, unknown>
  const one = typeof text === 'string' ? text : typeof answer === 'string' ? answer : undefined
  const cites = Array.isArray(rest.cites) ? rest.cites : []
  const choice = typeof rest.choice === 'string' ? choiceIndex(rest.choice) : (rest.choice ?? undefined)
  return {
    ...rest,
    choice,
    abstained: rest.abstained ?? undefined,
    confidence: rest.confidence ?? undefined,
    unknown: Array.isArray(rest.unknown) ? rest.unknown.filter(one => typeof one === 'string') : undefined,
    sentences: Array.isArray(rest.sentences) ? rest.sentences.map(withCites) : one ? [{ text: one, cites }] : undefined,
  }
}

function withCites(sentence: unknown): unknown {
  if (typeof sentence === 'string') return { text: sentence, cites: [] }
  if (!sentence || typeof sentence !== 'object') return sentence
  const { cites } = sentence as { cites?: unknown }
  return { ...sentence, cites: Array.isArray(cites) ? cites.map(String) : typeof cites === 'string' ? [cites] : [] }
}

function choiceIndex(choice: string): number | undefined {
  const letter = /^\s*\(?([A-J])\b/i.exec(choice)?.[1]
  if (letter) return letter.toUpperCase().charCodeAt(0) - 65
  const number = Number.parseInt(choice, 10)
  return Number.isNaN(number) ? undefined : number
}

// A reply that is no JSON is read as prose; the validator finds the citations in it.
function proseDraft(text: string): Draft {
  const sentences = text.split(/(?<=[.!?])\s+(?=[\p{Lu}"[])/u).map(one => ({ text: one.trim(), cites: [] }))
  return { sentences: sentences.filter(one => one.text !== '') }
}
