import { Cause } from '../../core/agent.ts'
import { Draft } from '../../core/brief.ts'
import { parseJsonText } from '../../core/json.ts'
import { optionWords } from '../option.ts'

const mostSentences = 60
const longestSentence = 2000 // characters

// What a writer replied, however nearly right its JSON is; undefined if it says and chooses nothing.
export function readDraft(text: string, options: readonly string[] = []): Draft | undefined {
  const parsed = Draft.safeParse(tolerant(parseJsonText(text), options))
  const draft = parsed.success ? parsed.data : isBroken(text) ? salvaged(text) : proseDraft(text)
  const first = parsed.success ? (draft.sentences[0]?.text ?? '') : text
  const written = draft.choice ?? (options.length > 0 ? chosenOption(first, options) : undefined)
  const choice = written !== undefined && written < options.length ? written : undefined
  if (draft.sentences.length === 0 && choice === undefined) return undefined
  const sentences = draft.sentences.slice(0, mostSentences)
  return { ...draft, sentences: sentences.map(one => ({ ...one, text: one.text.slice(0, longestSentence) })), choice }
}

// Small models answer with nearly the right JSON: a text instead of sentences, a letter instead of a number.
function tolerant(value: unknown, options: readonly string[]): unknown {
  if (!value || typeof value !== 'object') return value
  const { text, answer, ...rest } = value as Record<string, unknown>
  const answerText = typeof text === 'string' ? text : typeof answer === 'string' ? answer : undefined
  const cites = Array.isArray(rest.cites) ? rest.cites : []
  const choice = typeof rest.choice === 'string' ? choiceIndex(rest.choice, options) : wholeNumber(rest.choice)
  return {
    ...rest,
    choice,
    abstained: typeof rest.abstained === 'boolean' ? rest.abstained : undefined,
    cause: Cause.safeParse(rest.cause).data,
    confidence: share(rest.confidence),
    unknown: Array.isArray(rest.unknown) ? rest.unknown.filter(one => typeof one === 'string') : undefined,
    sentences: Array.isArray(rest.sentences)
      ? rest.sentences.map(withCites).filter(hasText)
      : answerText
        ? [{ text: answerText, cites }]
        : 'choice' in rest || 'abstained' in rest
          ? []
          : undefined,
  }
}

function withCites(sentence: unknown): unknown {
  if (typeof sentence === 'string') return { text: sentence, cites: [] }
  if (!sentence || typeof sentence !== 'object') return sentence
  const { cites } = sentence as { cites?: unknown }
  return { ...sentence, cites: Array.isArray(cites) ? cites.map(String) : typeof cites === 'string' ? [cites] : [] }
}

function hasText(sentence: unknown): boolean {
  return typeof (sentence as { text?: unknown } | null)?.text === 'string'
}

function choiceIndex(choice: string, options: readonly string[]): number | undefined {
  const letter = /^\s*\(?([A-J])\)?[.:]?\s*$/i.exec(choice)?.[1]
  return letter ? letter.toUpperCase().charCodeAt(0) - 65 : chosenOption(choice, options)
}

function wholeNumber(value: unknown): number | undefined {
  return typeof value === 'number' && Number.isInteger(value) && value >= 0 ? value : undefined
}

// "0.8", 80 and 0.8 mean the same.
function share(value: unknown): number | undefined {
  const number = typeof value === 'string' ? Number.parseFloat(value) : value
  if (typeof number !== 'number' || !Number.isFinite(number)) return undefined
  return Math.min(1, Math.max(0, number > 1 ? number / 100 : number))
}

// JSON that ends or breaks in the middle.
function isBroken(text: string): boolean {
  return /^\s*(?:```(?:json)?\s*)?[{[]/.test(text)
}

// The sentences that are whole in it.
function salvaged(text: string): Draft {
  const whole = [...text.matchAll(/"text"\s*:\s*("(?:[^"\\]|\\.)*")(?:\s*,\s*"cites"\s*:\s*(\[[^\]]*\]))?/g)]
  return {
    sentences: whole.flatMap(([, said = '', cites]) => {
      const read = parseJsonText(`{"text":${said},"cites":${cites ?? '[]'}}`)
      return hasText(read) ? [withCites(read) as Draft['sentences'][number]] : []
    }),
  }
}

// A reply that is not JSON is read as prose; the validator finds the citations in it.
function proseDraft(text: string): Draft {
  const sentences = text.split(/(?<=[.!?])\s+(?=[\p{Lu}"[])/u).map(one => ({ text: one.trim(), cites: [] }))
  return { sentences: sentences.filter(one => one.text !== '') }
}

// The option that a text names at its beginning: by its letter, by its words, by its number. An option that reads "A dog" is not
// the letter A.
function chosenOption(text: string, options: readonly string[]): number | undefined {
  const textWords = optionWords(text)
  if (textWords === '') return undefined
  const same = options.findIndex(option => optionWords(option) === textWords)
  if (same >= 0) return same
  const lead =
    /^\W*(?:(?:the )?(?:final |correct |best )?(?:answer|option|choice)(?: is)?\s*:?\s*)?\(?([A-J])(?:[).:]|\s*$|\s+(?=[-–—]))/i
  const letter = lead.exec(text)?.[1] ?? /\b(?:answer|option|choice)(?: is)?:?\s*\(?([A-J])\b/i.exec(text)?.[1]
  const at = letter ? letter.toUpperCase().charCodeAt(0) - 65 : Number.NaN
  if (at < options.length) return at
  const named = options
    .map((option, i) => ({ i, at: textWords.indexOf(optionWords(option)) }))
    .filter(one => one.at >= 0)
  const [first] = named.sort((a, b) => a.at - b.at)
  if (first) return first.i
  const number = /^\W*(\d{1,2})\W*$/.exec(text)?.[1]
  if (number === undefined) return undefined
  // A number is the place of an option only where no option is about a number itself.
  const numbered = options.flatMap((option, i) =>
    /\d/.test(option) ? [{ i, own: optionWords(option).match(/\d+/g) }] : [],
  )
  if (numbered.length > 0) {
    const meant = numbered.filter(({ own }) => own?.length === 1 && Number(own[0]) === Number(number))
    return meant.length === 1 ? meant[0]?.i : undefined
  }
  return Number(number) < options.length ? Number(number) : undefined
}
