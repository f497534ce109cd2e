import { parseJson } from '../../python/json.ts'
import { isDict, type PythonValue } from '../../python/value.ts'
import { optionByText } from './option-text.ts'

// Which rule read the choice, or why there is none.
export type ChoiceRule =
  | 'json'
  | 'tagged'
  | 'declared'
  | 'label'
  | 'leading'
  | 'text'
  | 'mentioned'
  | 'token'
  | 'empty'
  | 'ambiguous'
  | 'not offered'
  | 'none'

export interface ChoiceReading {
  letter?: string
  rule: ChoiceRule
}

// What a person would take a reply to choose among `count` lettered options: the last thing declared, else the reply as a
// label, else an option's own words, else the only letter it names. Never a guess: two candidates are none.
export function readChoice(
  reply: string | null | undefined,
  options: { count: number; texts?: string[] },
): ChoiceReading {
  const text = withoutThinking(reply ?? '').trim()
  if (text === '') return { rule: 'empty' }
  const offered = Array.from({ length: options.count }, (_, i) => String.fromCharCode(65 + i))
  const reader: Reader = { offered, texts: options.texts ?? [] }
  for (const rule of [fromJson, fromTag, fromDeclaration, fromLabel, fromLeading, fromText, fromMention, fromToken]) {
    const reading = rule(text, reader)
    if (reading) return reading
  }
  return { rule: 'none' }
}

interface Reader {
  offered: string[]
  texts: string[]
}

const opening = `[\\s:"'“”‘’*_\`(\\[{$<（【「\\\\]*`
const noWord = `(?![\\p{Script=Latin}\\p{N}_])(?!['’-]\\p{L})`
const label = `${opening}(?:(?:option|choice)\\b${opening})?([A-Za-z])${noWord}`
const labelAtStart = new RegExp(`^${label}`, 'iu')
const wholeLabel = new RegExp(`^${label}[\\s.)\\]}:"'”’*_\`$>,;!）】」。]*$`, 'iu')
const another = new RegExp(`^[\\s.)\\]}*_"'\`]*(?:,|/|&|\\+|\\b(?:or|and)\\b|或|和)\\s*${opening}([A-Z])${noWord}`, 'u')
const marker =
  /(?:(?:the|my)\s+)?(?:(?:correct|best|final|right|likely|plausible|most)\s+)*\b(?:answer|option|choice|ans)\b[*_"'\s]*(?:is|are|would be|should be|must be|[:：=.])|\bI(?:'d| would| will|'ll)?\s+(?:choose|chose|pick|select|go with)\b|正解は|答えは|答案是|答案为|答案|정답은|답은/giu
const asserted =
  /(?<![\p{L}\p{N}_])([A-Z])[)\]*_.]*\s+(?:is|seems|looks)\s+(?:the\s+)?(?:most\s+)?(?:correct|right|best|answer|likely|plausible)/gu

function fromJson(text: string, reader: Reader): ChoiceReading | undefined {
  const body = /```(?:json)?\s*([\s\S]*?)```/i.exec(text)?.[1] ?? text
  if (!body.trim().startsWith('{')) return undefined
  let value: PythonValue
  try {
    value = parseJson(body)
  } catch {
    return undefined
  }
  if (!isDict(value)) return undefined
  for (const key of ['result', 'answer', 'choice', 'option', 'final_answer']) {
    const said = value.get(key)
    if (typeof said === 'string') return readSaid(said, reader, 'json') ?? { rule: 'none' }
  }
  return undefined
}

function fromTag(text: string, reader: Reader): ChoiceReading | undefined {
  const tags = [...text.matchAll(/<answer>([\s\S]*?)(?:<\/answer>|$)|\\boxed\{((?:[^{}]|\{[^{}]*\})*)\}/gi)]
  const last = tags.at(-1)
  if (!last) return undefined
  return readSaid((last[1] ?? last[2]).replace(/\\(?:text|mathrm|mathbf)\b/g, ''), reader, 'tagged') ?? { rule: 'none' }
}

// The last declaration that can be read; "the answer is unclear" is passed over.
function fromDeclaration(text: string, reader: Reader): ChoiceReading | undefined {
  const declared = [
    ...[...text.matchAll(marker)].map(match => ({ at: match.index, rest: text.slice(match.index + match[0].length) })),
    ...[...text.matchAll(asserted)].map(match => ({ at: match.index, rest: match[1] })),
  ].sort((a, b) => b.at - a.at)
  for (const { rest } of declared) {
    const reading = readSaid(rest, reader, 'declared')
    if (reading) return reading
  }
  return undefined
}

// A label where a choice is expected, or the words of an option.
function readSaid(said: string, reader: Reader, rule: ChoiceRule): ChoiceReading | undefined {
  const line = said.trimStart().split('\n')[0]
  const byText = optionByText(line, reader.texts, 'equal')
  if (byText !== undefined) return { letter: reader.offered[byText], rule }
  const match = labelAtStart.exec(said)
  if (match && standsAsLabel(match[1], said.slice(match[0].length))) {
    if (another.test(said.slice(match[0].length))) return { rule: 'ambiguous' }
    const letter = match[1].toUpperCase()
    return reader.offered.includes(letter) ? { letter, rule } : { rule: 'not offered' }
  }
  const contained = optionByText(line, reader.texts, 'contained')
  return contained === undefined ? undefined : { letter: reader.offered[contained], rule }
}

// A small letter that a word follows is that word's article: "the answer is a man".
function standsAsLabel(letter: string, rest: string): boolean {
  return letter === letter.toUpperCase() || !/^\s+\p{L}/u.test(rest)
}

function fromLabel(text: string, reader: Reader): ChoiceReading | undefined {
  const found = new Set<string>()
  for (const line of text.split('\n')) {
    const match = wholeLabel.exec(line.trim())
    if (match) found.add(match[1].toUpperCase())
  }
  return only(found, reader, 'label')
}

function fromLeading(text: string, reader: Reader): ChoiceReading | undefined {
  const match = new RegExp(`^${label}\\s*[.):：、*\\-]+\\s*\\S`, 'iu').exec(text)
  if (!match) return undefined
  const others = [...text.matchAll(/(?<![\p{L}\p{N}_])([A-Z])[.):](?=\s|$)/gu)].map(other => other[1])
  return only(new Set([match[1].toUpperCase(), ...others]), reader, 'leading')
}

function fromText(text: string, reader: Reader): ChoiceReading | undefined {
  const found = optionByText(text, reader.texts, 'equal') ?? optionByText(text, reader.texts, 'contained')
  return found === undefined ? undefined : { letter: reader.offered[found], rule: 'text' }
}

function fromMention(text: string, reader: Reader): ChoiceReading | undefined {
  const found = [...text.matchAll(/[([（]([A-Z])[)\]）]|\b(?:[Oo]ption|[Cc]hoice)\s+([A-Z])(?![\p{L}\p{N}_])/gu)]
  return only(new Set(found.map(match => match[1] ?? match[2])), reader, 'mentioned')
}

// A capital that stands alone, unless it is the article A or the pronoun I.
function fromToken(text: string, reader: Reader): ChoiceReading | undefined {
  const found = [...text.matchAll(/(?<![\p{L}\p{N}_'’-])([A-Z])(?![\p{L}\p{N}_'’-])/gu)]
    .filter(match => reader.offered.includes(match[1]) && match[1] !== 'I')
    .filter(match => match[1] !== 'A' || !/^\s+(?!or\b|and\b|because\b)\p{Ll}/u.test(text.slice(match.index + 1)))
  return only(new Set(found.map(match => match[1])), reader, 'token')
}

function only(found: Set<string>, reader: Reader, rule: ChoiceRule): ChoiceReading | undefined {
  if (found.size === 0) return undefined
  if (found.size > 1) return { rule: 'ambiguous' }
  const [letter] = found
  return reader.offered.includes(letter) ? { letter, rule } : { rule: 'not offered' }
}

function withoutThinking(text: string): string {
  return text.replace(/<think>[\s\S]*?<\/think>/gi, '').replace(/^[\s\S]*<\/think>/i, '')
}
