import { foldLetters } from './fold-letters.ts'
import { foldNumbers } from './number-words.ts'
import { wordsWithin } from './unspaced.ts'

// One word of a text as it is compared: lower case, numbers as digits, its stem, and where it stood.
export interface Token {
  text: string
  stem: string
  start: number // characters of the text it came from
  end: number
}

const currencies: Record<string, string> = { $: 'dollars', '€': 'euros', '£': 'pounds' }

const tokensByText = new Map<string, Token[]>()
const maxKnown = 50_000 // texts; a video of hours has some thousand lines, and each is compared many times

// The words of a text, in order; "$5" is "5 dollars" and "5%" is "5 percent". The list is kept and must not be changed.
export function tokens(text: string): Token[] {
  const before = tokensByText.get(text)
  if (before) return before
  if (tokensByText.size >= maxKnown) tokensByText.clear()
  const newTokens = readTokens(text)
  Object.freeze(newTokens)
  tokensByText.set(text, newTokens)
  return newTokens
}

// Marks belong to the letter before them; joiners within a word are part of it ("می‌خواهم").
const word = String.raw`[\p{L}\p{N}][\p{L}\p{N}\p{M}\u00ad\u200c\u200d]*`
const written = new RegExp(String.raw`([$€£])?\s?(${word}(?:['’.,:·׳״]${word})*)\s?([%٪])?`, 'gu')
const maxWord = 200 // characters that are compared; what is longer is not a word of any language

function readTokens(text: string): Token[] {
  const raw = [...text.matchAll(written)].flatMap(({ 0: whole, 1: sign = '', 2: run = '', 3: share, index }) => {
    const start = index + whole.indexOf(run, sign.length)
    const unit = currencies[sign] ?? (share && 'percent')
    const words = (wordsWithin(run) ?? [{ text: run, at: 0 }]).map(({ text, at }) => ({
      text: clean(text),
      start: start + at,
      end: start + at + text.length,
    }))
    return [...words, ...(unit ? [{ text: unit, start, end: start + run.length }] : [])]
  })
  return foldNumbers(raw.map(word => word.text)).map(({ text, from, to }) => ({
    text,
    stem: stem(text),
    start: raw[from]!.start,
    end: raw[to]!.end,
  }))
}

export function stems(text: string): string[] {
  return tokens(text).map(token => token.stem)
}

// Words that carry no meaning of their own in a question or a line.
export function isStopWord(word: string): boolean {
  return stopWords.has(word)
}

export function tellingWords(text: string): Token[] {
  return tokens(text).filter(token => !isStopWord(token.text))
}

// A light stemmer: both sides of a comparison go through it, so it need not make real words.
export function stem(word: string): string {
  const head = irregular.get(word)
  if (head !== undefined) return head
  if (word.length <= 3 || /\d/.test(word) || !/[a-z]/.test(word)) return word
  let rest = word
  if (/(ss|x|z|ch|sh)es$/.test(rest)) rest = rest.slice(0, -2)
  else if (/(ies|ied)$/.test(rest) && rest.length > 4) rest = `${rest.slice(0, -3)}y`
  else if (/[^sui]s$/.test(rest)) rest = rest.slice(0, -1)
  if (/ing$/.test(rest) && rest.length > 5 && /[aeiouy]/.test(rest.slice(0, -3))) rest = undouble(rest.slice(0, -3))
  else if (/ed$/.test(rest) && rest.length > 4 && /[aeiouy]/.test(rest.slice(0, -2))) rest = undouble(rest.slice(0, -2))
  if (/ly$/.test(rest) && rest.length > 5) rest = rest.slice(0, -2)
  if (/[eo]r$/.test(rest) && rest.length > 6) rest = rest.slice(0, -2)
  if (/e$/.test(rest) && rest.length > 3) rest = rest.slice(0, -1)
  return irregular.get(rest) ?? rest
}

function undouble(word: string): string {
  return /([bdfgmnprt])\1$/.test(word) ? word.slice(0, -1) : word
}

function clean(word: string): string {
  const lower = foldLetters(word.slice(0, maxWord)).replace(/’/g, "'")
  if (/^\d{1,3}(,\d{3})+(\.\d+)?$/.test(lower)) return lower.replaceAll(',', '')
  return lower.replace(/'s$/, '').replace(/['·]/g, '')
}

const irregular = new Map(
  `say said says, tell told, speak spoke spoken, go went gone goes, come came, leave left, buy bought,
  begin began begun, write wrote written, show shown, find found, build built, make made, take took taken,
  give gave given, hold held, meet met, win won, see saw seen, sell sold, teach taught, catch caught, feel felt,
  keep kept, know knew known, lose lost, pay paid, run ran, send sent, sleep slept, spend spent, stand stood,
  think thought, wear wore worn, eat ate eaten, drive drove driven, fly flew flown, grow grew grown,
  break broke broken, choose chose chosen, fall fell fallen, lead led, bring brought, hear heard, mean meant,
  sing sang sung, sit sat, swim swam, throw threw thrown, wake woke, draw drew drawn, child children,
  person people, man men, woman women, foot feet, mouse mice, tooth teeth, be is are was were been,
  do did does done, have has had, colour color, centre center, grey gray`
    .split(/,\s+/)
    .map(line => line.split(' '))
    .flatMap(forms => forms.map(form => [form, forms[0]!] as const)),
)

const stopWords = new Set(
  `a an the this that these those there here it its he she they them his her hers their theirs him i me my mine we us our ours you your yours
  who whom whose which what when where why how is are was were be been being am do does did done doing have has had having will would shall should
  can could may might must of in on at to from for with by about into onto over under up down out off as than then so if or and but nor not no
  yes any some all each every both either neither such own same too very just also only more most much many few other another again ever never
  please tell us let s t re ve ll d m`.split(/\s+/),
)
