import { isStopWord, type Token, tokens } from '../../../../src/text/words.ts'
import { type TopicLine, valueIn } from '../line.ts'
import { isDate } from './date.ts'

const titles = 'Dr|Mr|Mrs|Ms|Prof|Professor|Doctor|Captain|Sir|Lady|President|Judge|Chef|Coach'

// Who: the speaker of "I", the agent after "by", a name near the question's words, or the subject before the verb.
export function personIn(question: string, line: TopicLine): string | undefined {
  const { text, first, last, speaker } = line
  if (
    /^who\b.*\b(says?|said|talks?|speaks?|tells?|told|mentions?|mentioned|explains?|asks?|asked|announces?)\b/i.test(
      question,
    )
  )
    return speaker
  if (
    /^who(?:'s| is| was| are| were) (?:(?:the |a )?\p{Lu}|(?:dr|mr|mrs|ms|prof)\b)/iu.test(question) &&
    /^who\S*(?: \w+)? (?:the |a )?(?:\p{Lu}|dr\b|mr|ms\b|prof)/u.test(question.replace(/^W/, 'w'))
  )
    return described(line)
  if (speaker && first && /\b(?:i|i'm|my|we|our)\b[^.!?]{0,20}$/i.test(text.slice(0, first.start))) return speaker
  const by =
    first &&
    /\b[Bb]y\s+((?:(?:the|doctor|professor|mister|miss|captain|king|queen)\s+)?[\p{L}'’-]+(?:\s+\p{Lu}[\p{L}'’-]+)*)/u.exec(
      text.slice(first.start),
    )
  if (by?.[1] && !isStopWord(by[1].toLowerCase())) return by[1]
  const names = namesIn(question, text)
  const near = names.sort((a, b) => distance(a.start, last) - distance(b.start, last))[0]?.name
  if (near) return near
  const value = /\bwho(?:'s| is| was| are| were) the\b|\bname\b/i.test(question) ? valueIn(line) : undefined
  return value ?? findSubject(line)
}

// Runs of capitalised words that are not in the question and do not follow "in" or "from", as places do.
function namesIn(question: string, text: string): { name: string; start: number }[] {
  if (text === text.toUpperCase()) return []
  const questionStems = new Set(tokens(question).map(token => token.stem))
  const pattern = new RegExp(
    String.raw`(?:\b(?:${titles})\.?\s+)?\p{Lu}[\p{L}'’-]+(?:\s+(?:de |van |von |da |del |la |\p{Lu}\.? )?\p{Lu}[\p{L}'’-]+)*`,
    'gu',
  )
  return [...text.matchAll(pattern)].flatMap(match => {
    const isPlaceName = /\b(?:in|at|from|near|to|on)\s+(?:the\s+)?$/i.test(text.slice(0, match.index))
    const nameWords = match[0].split(/\s+/).filter(word => !questionStems.has(tokens(word)[0]?.stem ?? ''))
    const name = nameWords.join(' ')
    const sentenceStart = match.index === 0 && !nameWords.some((_, i) => i > 0)
    return name === '' ||
      isPlaceName ||
      isDate(name) ||
      isStopWord(name.toLowerCase()) ||
      (sentenceStart && words(text) > 3 && isCommon(name))
      ? []
      : [{ name, start: match.index }]
  })
}

// "Marine biologist" of "Dr. Eliza Grant, marine biologist".
function described(line: TopicLine): string | undefined {
  if (!line.last) return undefined
  const after = line.text.slice(line.last.end)
  return /^,\s*([^,.;]{3,60})/.exec(after)?.[1] ?? valueIn(line)
}

// "maria visited the museum": the words before the verb.
function findSubject({ text, words, at }: TopicLine): string | undefined {
  const before = words.slice(0, at[0] ?? 0)
  const from = before.findIndex(word => !isStopWord(word.text))
  const names = from < 0 ? [] : before.slice(from)
  const [first, last = first] = [names[0], names.at(-1)]
  if (!first || !last || names.length > 3 || names.some(word => isStopWord(word.text))) return undefined
  return text.slice(first.start, last.end)
}

// The first word of a sentence is capitalised whatever it is.
function isCommon(name: string): boolean {
  return /(ing|ed|ly|s)$/i.test(name) || isStopWord(name.toLowerCase())
}

function words(text: string): number {
  return text.split(/\s+/).length
}

function distance(start: number, token: Token | undefined): number {
  return token ? Math.abs(start - token.start) : start
}
