import { type ChatModel, type ContentPart, text } from '../../../src/core/chat.ts'
import { gapsBetween } from '../../../src/core/time.ts'
import { letterAt, optionLines } from '../../metrics/choice/options.ts'
import { readChoice } from '../../metrics/choice/read-choice.ts'
import type { Check, CheckGiven, DraftItem, Interval, SourceRow } from '../item.ts'
import { replyOf, rowsText } from './parts/ask.ts'
import { orderOf, ordersFor, type Shown } from './parts/orders.ts'
import { picturesAt, spreadOver } from './parts/pictures.ts'
import { type Choice, isChoice } from './parts/solvers.ts'
import { clueRows, type Fault, isOverlapping, verdictOf } from './parts/verdicts.ts'
import { contentStems, holdsPhrase, isYesNo, normalised, shareIn } from './parts/words.ts'

const frames = 32

// K12. The clue is enough to answer, and without it one cannot: with a model that sees, by frames and rows; else by words of rows.
export const clue: Check = {
  k: 12,
  name: 'clue',
  mayAsk: 'look',
  calls: (items, given) =>
    given.models('look').length === 0
      ? 0
      : items
          .filter(isChoice)
          .reduce((sum, { options, clues }) => sum + (clues.length > 0 ? 1 + ordersOf(options.length, given) : 0), 0),
  async run(items, given) {
    const [model] = given.models('look')
    const verdicts = []
    for (const item of items) {
      const isSeen = model !== undefined && isChoice(item)
      const fault =
        item.clues.length === 0 ? undefined : isSeen ? await bySight(item, model, given) : byWords(item, given)
      verdicts.push(verdictOf(item, fault))
    }
    return verdicts
  },
}

function ordersOf(options: number, { thresholds: { k } }: CheckGiven): number {
  return k ?? ordersFor(options, 1)
}

// An answer that is measured or counted stands in no row, so words say nothing of it.
function byWords(item: DraftItem, { record, rules }: CheckGiven): Fault | undefined {
  if (isYesNo(item.answer) || rules?.computed?.includes(item.kind)) return undefined
  const source = record(item.video)
  const inside = clueRows(item, source).map(row => row.text)
  if (!isHeld(item.answer, inside.join('\n')))
    return { detail: `"${item.answer}" does not stand in the rows of its clue` }
  const elsewhere = source.rows.find(row => !isOverlapping(row, item) && isHeld(item.answer, row.text))
  return elsewhere && { outcome: 'flag', detail: `"${item.answer}" stands outside of its clue too, in ${elsewhere.id}` }
}

function isHeld(answer: string, rows: string): boolean {
  const stems = contentStems(answer)
  if (stems.length === 0) return normalised(answer) !== '' && holdsPhrase(rows, answer)
  return shareIn(stems, rows) === 1
}

async function bySight(item: Choice, model: ChatModel, given: CheckGiven): Promise<Fault | undefined> {
  const source = given.record(item.video)
  const inside = await shown(item, item.clues, clueRows(item, source), given)
  const key: Shown = { options: item.options, right: item.right }
  const replies: (string | null)[] = []
  if (!(await isRight(item, key, inside, model, replies, given)))
    return { detail: 'its clue alone does not lead to the key', replies }
  const spans = item.clues.map(([start, end]) => ({ start, end }))
  const gaps = gapsBetween(spans, { start: 0, end: source.statistics.duration }).map(
    ({ start, end }): Interval => [start, end],
  )
  const outside = await shown(
    item,
    gaps,
    source.rows.filter(row => !isOverlapping(row, item)),
    given,
  )
  const right: boolean[] = []
  for (let order = 0; order < ordersOf(item.options.length, given); order++)
    right.push(await isRight(item, orderOf(item, order, given.seed), outside, model, replies, given))
  if (!right.every(Boolean)) return undefined
  return { outcome: 'flag', detail: 'without its clue the key is found in all orders', replies }
}

async function shown(
  item: DraftItem,
  spans: readonly Interval[],
  rows: readonly SourceRow[],
  given: CheckGiven,
): Promise<ContentPart[]> {
  const pictures = await picturesAt(item.video, spreadOver(spans, given.thresholds.frames ?? frames), given)
  return [...pictures, ...text(`Frames of a video, and what was said and read there.\n\n${rowsText(rows)}`)]
}

async function isRight(
  { question }: Choice,
  { options, right }: Shown,
  material: readonly ContentPart[],
  model: ChatModel,
  replies: (string | null)[],
  { signal }: CheckGiven,
): Promise<boolean> {
  const wanted = `${question}\n${optionLines(options)}\n\nReply with the letter of the right option alone.`
  const content = [...material, ...text(`\n\n${wanted}`)]
  const said = await replyOf(
    model,
    { purpose: 'look', messages: [{ role: 'user', content }], temperature: 0, maxTokens: 256 },
    signal,
  )
  replies.push(said)
  return readChoice(said, { count: options.length, texts: options }).letter === letterAt(right)
}
