import { parsePythonJson } from '../../python/json.ts'
import { isDict, type PythonValue } from '../../python/value.ts'
import { letterAt, optionByText } from './options.ts'

// Which rule read the choice, or why there is none.
type ChoiceRule =
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

interface ChoiceReading {
  letter?: string
  rule: ChoiceRule
}

// What a person would take a reply to choose among `count` lettered options: the last thing declared, else the reply as a
// label, else an option's own words, else the only letter it names. Never a guess: two candidates are none.
export function readReplyChoice(
  reply: string | null | undefined,
  options: { count: number; texts?: readonly string[] },
): ChoiceReading {
  const text = withoutThinking(reply ?? '').trim()
  if (text === '') return { rule: 'empty' }
  const offered = Array.from({ length: options.count }, (_, i) => letterAt(i))
  const reader: Reader = { offered, texts: options.texts ?? [] }
  for (const rule of [fromJson, fromTag, fromDeclaration, fromLabel, fromLeading, fromText, fromMention, fromToken]) {
    const reading = rule(text, reader)
    if (reading) return reading
  }
  return { rule: 'none' }
}

interface Reader {
  offered: string[]
  texts: readonly string[]
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
    value = parsePythonJson(body)
  } catch {
    return undefined
  }
  if (!isDict(value)) return undefined
  for (const key of ['result', 'answer', 'choice', 'option', 'final_answer']) {
    const fieldValue = value.get(key)
    if (typeof fieldValue === 'string') return readSaid(fieldValue, reader, 'json') ?? { rule: 'none' }
  }
  return undefined
}

function fromTag(text: string, reader: Reader): ChoiceReading | undefined {
  const tags = [...text.matchAll(/<answer>([\s\S]*?)(?:<\/answer>|$)|\\boxed\{((?:[^{}]|\{[^{}]*\})*)\}/gi)]
  const last = tags.at(-1)
  if (!last) return undefined
  const boxedText = (last[1] ?? last[2] ?? '').replace(/\\(?:text|mathrm|mathbf)\b/g, '')
  return readSaid(boxedText, reader, 'tagged') ?? { rule: 'none' }
}

// The last declaration that can be read; "the answer is unclear" is passed over.
function fromDeclaration(text: string, reader: Reader): ChoiceReading | undefined {
  const declared = [
    ...[...text.matchAll(marker)].map(match => ({ at: match.index, rest: text.slice(match.index + match[0].length) })),
    ...[...text.matchAll(asserted)].map(match => ({ at: match.index, rest: match[1] ?? '' })),
  ].sort((a, b) => b.at - a.at)
  for (const { rest } of declared) {
    const reading = readSaid(rest, reader, 'declared')
    if (reading) return reading
  }
  return undefined
}

// A label where a choice is expected, or the words of an option.
function readSaid(said: string, reader: Reader, rule: ChoiceRule): ChoiceReading | undefined {
  const [line = ''] = said.trimStart().split('\n')
  const byText = optionByText(line, reader.texts, 'equal')
  if (byText !== undefined) return { letter: reader.offered[byText], rule }
  const [stated = '', letter = ''] = labelAtStart.exec(said) ?? []
  const rest = said.slice(stated.length)
  if (letter !== '' && standsAsLabel(letter, rest))
    return another.test(rest) ? { rule: 'ambiguous' } : only([letter.toUpperCase()], reader, rule)
  const contained = optionByText(line, reader.texts, 'contained')
  return contained === undefined ? undefined : { letter: reader.offered[contained], rule }
}

// A small letter that a word follows is that word's article: "the answer is a man".
function standsAsLabel(letter: string, rest: string): boolean {
  return letter === letter.toUpperCase() || !/^\s+\p{L}/u.test(rest)
}

function fromLabel(text: string, reader: Reader): ChoiceReading | undefined {
  const lineLabels = text.split('\n').flatMap(line => wholeLabel.exec(line.trim())?.[1]?.toUpperCase() ?? [])
  return only(lineLabels, reader, 'label')
}

function fromLeading(text: string, reader: Reader): ChoiceReading | undefined {
  const first = new RegExp(`^${label}\\s*[.):：、*\\-]+\\s*\\S`, 'iu').exec(text)?.[1]
  if (first === undefined) return undefined
  const otherLabels = [...text.matchAll(/(?<![\p{L}\p{N}_])([A-Z])[.):](?=\s|$)/gu)].flatMap(other => other[1] ?? [])
  return only([first.toUpperCase(), ...otherLabels], reader, 'leading')
}

function fromText(text: string, reader: Reader): ChoiceReading | undefined {
  const optionMatch = optionByText(text, reader.texts, 'equal') ?? optionByText(text, reader.texts, 'contained')
  return optionMatch === undefined ? undefined : { letter: reader.offered[optionMatch], rule: 'text' }
}

function fromMention(text: string, reader: Reader): ChoiceReading | undefined {
  const bracketLabels = [
    ...text.matchAll(/[([（]([A-Z])[)\]）]|\b(?:[Oo]ption|[Cc]hoice)\s+([A-Z])(?![\p{L}\p{N}_])/gu),
  ]
  return only(
    bracketLabels.flatMap(match => match[1] ?? match[2] ?? []),
    reader,
    'mentioned',
  )
}

// A capital that stands alone, unless it is the article A or the pronoun I.
function fromToken(text: string, reader: Reader): ChoiceReading | undefined {
  const letterMatches = [...text.matchAll(/(?<![\p{L}\p{N}_'’-])([A-Z])(?![\p{L}\p{N}_'’-])/gu)]
    .filter(({ 0: letter }) => reader.offered.includes(letter) && letter !== 'I')
    .filter(
      ({ 0: letter, index }) => letter !== 'A' || !/^\s+(?!or\b|and\b|because\b)\p{Ll}/u.test(text.slice(index + 1)),
    )
  return only(
    letterMatches.map(([letter]) => letter),
    reader,
    'token',
  )
}

function only(found: readonly string[], reader: Reader, rule: ChoiceRule): ChoiceReading | undefined {
  const [letter, ...others] = new Set(found)
  if (letter === undefined) return undefined
  if (others.length > 0) return { rule: 'ambiguous' }
  return reader.offered.includes(letter) ? { letter, rule } : { rule: 'not offered' }
}

function withoutThinking(text: string): string {
  return text.replace(/<think>[\s\S]*?<\/think>/gi, '').replace(/^[\s\S]*<\/think>/i, '')
}
