import { type ChatModel, textContent } from '../../../src/core/chat.ts'
import { gapsBetween } from '../../../src/core/time.ts'
import {
  type CheckGiven,
  type DraftItem,
  type ItemCheck,
  type ItemInterval,
  type SourceRow,
  toIntervals,
  toSpans,
} from '../item.ts'
import { rowsText } from './parts/ask.ts'
import { arrangeOptions, ordersFor } from './parts/orders.ts'
import { type ItemSight, isChosen, readItemPictures, spreadOver } from './parts/pictures.ts'
import { type ChoiceItem, isChoice } from './parts/solvers.ts'
import { clueRows, eachItem, type ItemFault, isComputedAnswer, isOverlapping } from './parts/verdicts.ts'
import { contentStems, holdsPhrase, isYesNo, normaliseText, shareIn } from './parts/words.ts'

const frames = 32
const characters = 30_000 // of rows in a request
const lineLength = 40 // of id, track and time of a row

// K12. The clue is enough to answer, and without it one cannot: with a model that sees, by frames and rows; else by words of rows.
export const clue: ItemCheck = {
  k: 12,
  name: 'clue',
  optionalRole: 'look',
  calls(items, given) {
    const placed = items.filter(isChoice).filter(({ clues }) => clues.length > 0)
    return placed.reduce((sum, { options }) => sum + 1 + countOrders(options.length, given), 0)
  },
  run(items, given) {
    const [model] = given.models('look')
    return eachItem(items, item => {
      if (item.clues.length === 0) return undefined
      return model !== undefined && isChoice(item) ? bySight(item, model, given) : byWords(item, given)
    })
  },
  warnings(items, given) {
    const isSeen = given.models('look').length > 0
    const cut = items.filter(item => isSeen && isChoice(item) && isCut(item, given)).length
    const why = 'the model was shown only the rows that are most like the question and its options.'
    return cut === 0 ? [] : [`clue: for ${cut} questions ${why}`]
  },
}

function countOrders(options: number, { thresholds: { k } }: CheckGiven): number {
  return k ?? ordersFor(options, 1)
}

// An answer that is measured or counted stands in no row, so words say nothing of it.
function byWords(item: DraftItem, { record, rules }: CheckGiven): ItemFault | undefined {
  if (isYesNo(item.answer) || isComputedAnswer(item, rules)) return undefined
  const source = record(item.video)
  const inside = clueRows(item, source).map(row => row.text)
  if (!isHeld(item.answer, inside.join('\n'))) return `"${item.answer}" does not stand in the rows of its clue`
  const elsewhere = source.rows.find(row => !isOverlapping(row, item) && isHeld(item.answer, row.text))
  return elsewhere && { outcome: 'flag', detail: `"${item.answer}" stands outside of its clue too, in ${elsewhere.id}` }
}

function isHeld(answer: string, rows: string): boolean {
  const stems = contentStems(answer)
  if (stems.length === 0) return normaliseText(answer) !== '' && holdsPhrase(rows, answer)
  return shareIn(stems, rows) === 1
}

async function bySight(item: ChoiceItem, model: ChatModel, given: CheckGiven): Promise<ItemFault | undefined> {
  const source = given.record(item.video)
  const { signal } = given
  const replies: (string | null)[] = []
  const within = { model, replies, signal, ...(await showClue(item, item.clues, clueRows(item, source), given)) }
  if (!(await isChosen(item.question, item, 'right', within)))
    return { detail: 'its clue does not lead to the key', replies }
  const gaps = toIntervals(gapsBetween(toSpans(item.clues), { start: 0, end: source.statistics.duration }))
  const outside: ItemSight = { ...within, ...(await showClue(item, gaps, rowsOutside(item, given), given)) }
  const right: boolean[] = []
  for (let order = 0; order < countOrders(item.options.length, given); order++)
    right.push(await isChosen(item.question, arrangeOptions(item, order, given.seed), 'right', outside))
  if (!right.every(Boolean)) return undefined
  return { outcome: 'flag', detail: 'without its clue the key is found in all orders', replies }
}

function rowsOutside(item: DraftItem, { record }: CheckGiven): SourceRow[] {
  return record(item.video).rows.filter(row => !isOverlapping(row, item))
}

async function showClue(
  item: ChoiceItem,
  spans: readonly ItemInterval[],
  rows: readonly SourceRow[],
  given: CheckGiven,
): Promise<Pick<ItemSight, 'material' | 'brief'>> {
  const times = spreadOver(spans, given.thresholds.frames ?? frames)
  const { images, brief } = await readItemPictures(given.record(item.video), times, at => given.frames(item.video, at))
  const prompt = `Frames of a video, and what was said and read there.\n\n${rowsText(likest(item, rows, given))}\n\n`
  return { material: [...images, ...textContent(prompt)], brief }
}

function isCut(item: ChoiceItem, given: CheckGiven): boolean {
  const rows = [clueRows(item, given.record(item.video)), rowsOutside(item, given)]
  return rows.some(all => likest(item, all, given).length < all.length)
}

// As many rows as fit into a request, by time. Where they are too many, those that share most with question and options.
function likest(
  { question, options }: ChoiceItem,
  rows: readonly SourceRow[],
  { thresholds }: CheckGiven,
): SourceRow[] {
  const questionStems = contentStems([question, ...options].join('. '))
  const byLikeness = rows
    .map((row, at) => ({ row, at, like: questionStems.length === 0 ? 0 : shareIn(questionStems, row.text) }))
    .sort((a, b) => b.like - a.like || a.at - b.at)
  let charactersLeft = thresholds.characters ?? characters
  const chosenRows = new Set<SourceRow>()
  for (const { row } of byLikeness) {
    charactersLeft -= row.text.length + lineLength
    if (charactersLeft < 0) break
    chosenRows.add(row)
  }
  return rows.filter(row => chosenRows.has(row))
}
