import { z } from 'zod'
import { parseTime } from '../../../src/core/time.ts'
import { findUngrounded } from '../../../src/text/ungrounded.ts'
import type { CheckGiven, DraftItem, ItemCheck, SourceRecord, SourceRow } from '../item.ts'
import forms from '../rules/forms.json' with { type: 'json' }
import { askJson, rowsText } from './parts/ask.ts'
import { eachItem, type ItemFault, isComputedAnswer, sourceRows } from './parts/verdicts.ts'
import { contentStems, holdsPhrase, isYesNo, shareIn } from './parts/words.ts'

const Quote = z.object({ row: z.string(), quote: z.string() })
const clocks = /\b\d{1,2}:\d{2}(?::\d{2})?\b/g
// Words that ask and claim nothing of the video: those of our own forms, and others that people ask with.
const asking = new Set(
  contentStems(
    `${Object.values(forms)
      .flatMap(({ phrasings }) => phrasings.map(phrasing => phrasing.replaceAll(/\{\w+\}/g, ' ')))
      .join(' ')}
    last appeared show shows slides titled video film spoken speaker mention mentioned times many much come comes
    name happen happens happened statement value seen see hear read reads start end part moment different`,
  ),
)

// K2. What question and answer claim stands in the rows that they rest on.
export const grounded: ItemCheck = {
  k: 2,
  name: 'grounded',
  optionalRole: 'check',
  calls: (items, given) => items.filter(item => isThin(item, given)).length,
  run: (items, given) => eachItem(items, item => strange(item, given) ?? unquoted(item, given)),
}

function strange(item: DraftItem, { record, rules }: CheckGiven): ItemFault | undefined {
  const source = record(item.video)
  const rows = sourceRows(item, source)
  const texts = textsFor(item, source, rows)
  const isComputed = isComputedAnswer(item, rules)
  const claims = [item.question, ...(isComputed || isYesNo(item.answer) ? [] : [item.answer])]
  const wrong = claims.flatMap(claim => findUngrounded(withoutRowTimes(claim, rows), texts))
  return wrong.length > 0 ? `in no source row: ${[...new Set(wrong)].join(', ')}` : undefined
}

async function unquoted(item: DraftItem, given: CheckGiven): Promise<ItemFault | undefined> {
  const { models, record, thresholds, signal } = given
  if (!isThin(item, given)) return undefined
  const [model] = models('check')
  const missing = listContentStems(item, given).filter(word => shareIn([word], texts(item, given)) === 0)
  const detail = `fewer than ${Math.round((thresholds.share ?? 0.6) * 100)} % of its words stand in the source rows; not: ${missing.join(', ')}`
  if (!model) return { detail }
  const rows = sourceRows(item, record(item.video))
  const request = [
    'Quote the words of one row that bear out the answer to the question, as the row has them. Where none does, leave both empty.',
    rowsText(rows),
    `Question: ${item.question}\nAnswer: ${item.answer}`,
  ]
  const { value, replies } = await askJson(model, { name: 'quote', schema: Quote, text: request.join('\n\n') }, signal)
  const row = rows.find(row => row.id === value?.row)
  return row && value && holdsPhrase(row.text, value.quote) ? undefined : { detail, replies }
}

function isThin(item: DraftItem, given: CheckGiven): boolean {
  return shareIn(listContentStems(item, given), texts(item, given)) < (given.thresholds.share ?? 0.6)
}

function listContentStems(item: DraftItem, { rules }: CheckGiven): string[] {
  const { question, answer } = item
  const isClaim = !isComputedAnswer(item, rules) && !isYesNo(answer)
  const wordingStems = new Set(contentStems((rules?.wordings ?? []).join(' ').replaceAll(/\{\w+\}/g, ' ')))
  const words = contentStems(`${question}. ${isClaim ? answer.replaceAll(clocks, '') : ''}`)
  return words.filter(word => !asking.has(word) && !wordingStems.has(word))
}

function texts(item: DraftItem, { record }: CheckGiven): string {
  const source = record(item.video)
  return textsFor(item, source, sourceRows(item, source)).join('\n')
}

// The rows; for LongShOT's form also what stands in its key segments and their neighbours.
function textsFor({ extra }: DraftItem, { segments }: SourceRecord, rows: readonly SourceRow[]): string[] {
  const keys = Array.isArray(extra.key_segments) ? extra.key_segments.map(Number) : []
  const near = segments.filter(({ segment_index: at }) => keys.some(key => Math.abs(key - at) <= 1))
  return [
    ...rows.flatMap(({ text, speaker }) => (speaker === undefined ? [text] : [text, speaker])),
    ...near.flatMap(({ multimodal_description, key_events, modalities }) => [
      multimodal_description,
      ...key_events,
      ...Object.values(modalities),
    ]),
  ]
}

// A time that is the start or end of a source row, to the second, is the row's own.
function withoutRowTimes(text: string, rows: readonly SourceRow[]): string {
  const ends = rows.flatMap(({ span }) => [span.start, span.end])
  return text.replaceAll(clocks, written => {
    const time = parseTime(written)
    return time !== undefined && ends.some(end => Math.abs(end - time) <= 1) ? '' : written
  })
}
