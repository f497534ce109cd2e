import { parseTime } from '../../../src/core/time.ts'
import { tokens } from '../../../src/text/words.ts'
import type { DraftItem, ItemCheck } from '../item.ts'
import { eachItem } from './parts/verdicts.ts'
import { isYesNo, jaccard, normaliseText, plainWords, wordCount } from './parts/words.ts'

// K4. As many options as the recipe says, all of one kind and length, no two alike.
export const options: ItemCheck = {
  k: 4,
  name: 'options',
  run: (items, { thresholds: { min = 2, max = 26, alike = 0.8, longer, words } }) =>
    eachItem(
      items,
      item =>
        wrongNumber(item, min, max) ?? notDistinct(item, alike) ?? otherKind(item) ?? otherLength(item, longer, words),
    ),
}

function wrongNumber({ options, right, answer }: DraftItem, min: number, max: number): string | undefined {
  if (!options) return undefined
  if (options.length < min || options.length > max)
    return `it has ${options.length} options, ${min === max ? min : `${min} to ${max}`} are asked for`
  const key = right === undefined ? undefined : options[right]
  if (key === undefined) return 'none of the options is marked as right'
  if (normaliseText(key) !== normaliseText(answer)) return `the right option "${key}" is not the answer "${answer}"`
}

function notDistinct({ options = [] }: DraftItem, alike: number): string | undefined {
  for (const [at, one] of options.entries()) {
    if (normaliseText(one) === '') return `the option ${at + 1} is empty`
    for (const other of options.slice(at + 1)) {
      if (normaliseText(one) === normaliseText(other)) return `"${one}" and "${other}" are the same`
      const share = jaccard(new Set(plainWords(one)), new Set(plainWords(other)))
      if (share >= alike && !isReordered(one, other))
        return `"${one}" and "${other}" share ${Math.round(share * 100)} % of their words`
    }
  }
}

// Options that list the same things in another order share all words, which is the question.
function isReordered(a: string, b: string): boolean {
  const [left, right] = [splitParts(a), splitParts(b)]
  return left.length > 1 && left.length === right.length && left.toSorted().join('\n') === right.toSorted().join('\n')
}

function splitParts(text: string): string[] {
  return text.split(/\s*(?:[,;|]|->|→|\n)\s*/).map(part => normaliseText(part).replace(/^(?:and )?(?:then )?(?=.)/, ''))
}

function otherKind({ options = [], answer }: DraftItem): string | undefined {
  const kind = classifyOption(answer)
  const other = options.find(option => !isWayOut(option) && classifyOption(option) !== kind)
  return other === undefined ? undefined : `"${other}" is ${classifyOption(other)}, and the answer is ${kind}`
}

type Kind = 'a yes or no' | 'a time' | 'a number' | 'a list' | 'words'

function classifyOption(text: string): Kind {
  if (isYesNo(text)) return 'a yes or no'
  if (/^\s*\d{1,2}(?::\d{2}){1,2}\s*$/.test(text) && parseTime(text.trim()) !== undefined) return 'a time'
  if (splitParts(text).length > 2) return 'a list'
  return /^\d/.test(tokens(text)[0]?.text ?? '') && wordCount(text) <= 3 ? 'a number' : 'words'
}

// "I don't know" and the like are of no kind and any length.
function isWayOut(option: string): boolean {
  return /^(?:i (?:do not|don['’]?t) know|none of (?:the|these|them)\b.*|all of the above|cannot be (?:told|determined))$/i.test(
    option.trim().replace(/\.$/, ''),
  )
}

function otherLength({ options = [] }: DraftItem, longer?: number, words?: number): string | undefined {
  const counts = options.filter(option => !isWayOut(option)).map(wordCount)
  if (areOfOneLength(counts, longer, words)) return undefined
  return `the longest option has ${Math.max(...counts)} words, the shortest ${Math.min(...counts)}`
}

// Numbers of words, of texts that no reader tells from one another by their length.
export function areOfOneLength(counts: readonly number[], longer = 2, words = 4): boolean {
  const [shortest, longest] = [Math.min(...counts), Math.max(...counts)]
  return longest <= longer * shortest || longest - shortest <= words
}
