import { isStopWord } from '../../../src/text/words.ts'
import type { DraftItem, ItemCheck, RecipeRules } from '../item.ts'
import { eachItem, withOutcome } from './parts/verdicts.ts'
import { plainWords, wordCount } from './parts/words.ts'

const machinery =
  /\bsegments? (?:number )?#?\d+|\bmeta-?data\b|\btranscripts?\b|\bcaptions?\b|\bframes? (?:number )?#?\d+|\bframe number/i
const clock =
  /\b\d{1,2}:\d{2}\b|\b\d+(?:\.\d+)? ?(?:seconds?|minutes?) (?:in|into)\b|\b(?:at|minute|second) (?:minute |second )?\d+\b(?! ?(?:%|percent))/i

// K1. Closed names, and a question that a viewer would ask who knows nothing of how the set was made.
export const form: ItemCheck = {
  k: 1,
  name: 'form',
  run: (items, { rules = {}, thresholds: { words = 60 }, record }) =>
    eachItem(items, item =>
      withOutcome(
        'again',
        unknownName(item, rules) ??
          wrongQuestion(item, words, rules.timed) ??
          titleIn(item.question, record(item.video).meta.title),
      ),
    ),
}

function unknownName({ kind, extra }: DraftItem, { names = {} }: RecipeRules): string | undefined {
  for (const [field, closed] of Object.entries(names)) {
    const value = field === 'kind' ? kind : extra[field]
    const values = value === undefined ? [] : Array.isArray(value) ? value : [value]
    const strange = values.find(one => !closed.includes(String(one)))
    if (strange !== undefined) return `${field} "${strange}" is not one of ${closed.length} names`
  }
}

function wrongQuestion({ question, kind }: DraftItem, max: number, timed: readonly string[] = []): string | undefined {
  const count = wordCount(question)
  if (count === 0) return 'the question is empty'
  if (count > max) return `the question has ${count} words, ${max} at most`
  const named = machinery.exec(question)?.[0]
  if (named !== undefined) return `the question names "${named}"`
  const time = timed.includes(kind) ? undefined : clock.exec(question)?.[0]
  if (time !== undefined) return `the question gives a time, "${time}"`
}

// Two words of the title in a row, small words left aside; the whole title where it has fewer.
function titleIn(question: string, title = ''): string | undefined {
  const words = plainWords(title)
  const content = words.filter(word => !isStopWord(word))
  const pairs = content.length < 2 ? [words] : content.slice(1).map((word, at) => [content[at] as string, word])
  const questionText = ` ${plainWords(question)
    .filter(word => content.length < 2 || !isStopWord(word))
    .join(' ')} `
  const repeatedPair = pairs.find(pair => pair.length > 0 && questionText.includes(` ${pair.join(' ')} `))
  return repeatedPair && `the question holds the title of the video: "${repeatedPair.join(' ')}"`
}
