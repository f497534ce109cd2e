import { z } from 'zod'
import { drawFor } from '../../../src/core/basics/draws.ts'
import { rowLine } from '../../../src/core/evidence.ts'
import { dataRule, fence } from '../../../src/core/words/fence.ts'
import { pick, shuffle } from '../../data/deck.ts'
import { type Author, type UnitResult, writtenBy } from '../author.ts'
import { draftItemId, type SourceRow } from '../item.ts'
import type { MakeStage, StageWork } from '../recipe.ts'
import type { Form } from '../rules/candidates.ts'
import { clueIntervals, draftByRules } from '../rules/draft-by-rules.ts'
import { askedBefore } from '../writing-stage.ts'
import types from './types.json' with { type: 'json' }

interface DraftSettings {
  perVideo: number
}

export const negatives = { min: 4, max: 7 }
const rowsShown = 60

const system = [
  'You write one multiple-choice question about a video from rows of what was seen and heard in it. Each row has an id and a time.',
  'The question has a clear anchor: the reader knows which moment is meant, and the clue is not all over the video.',
  'The answer is what the rows say and nothing else. Each negative is wrong: it is true of nothing in the video, or of another moment.',
  'Answer and negatives are of one kind and about equally long. The question names no time of the clock unless its type asks for one,',
  'and does not speak of rows, ids, transcripts, captions or frames. "rows" lists the ids that prove the answer, every moment of it.',
  dataRule,
].join('\n')

const Reply = z.strictObject({
  question: z.string().min(8),
  answer: z.string().min(1),
  negatives: z.array(z.string().min(1)).min(negatives.min).max(negatives.max),
  rows: z.array(z.string()).min(1).max(20),
})

// One triplet of question, options and clue a unit. The intervals come from the rows and never from the author.
export function draftStage<Settings extends DraftSettings>(forms: readonly Form[]): MakeStage<Settings> {
  return {
    name: 'questions',
    version: '1',
    prompts: { question: system },
    units: (record, { settings }) =>
      Array.from({ length: countFor(record.statistics.duration, settings.perVideo) }, (_, at) => ({
        unit: `${record.video_id}/t${at + 1}`,
        input: at,
      })),
    calls: (_, author) => Number('model' in author),
    make: (unit, work) =>
      'model' in work.author
        ? byModel(unit.unit, Number(unit.input), work, work.author)
        : byRules(Number(unit.input), work, forms),
  }
}

// Six at ten minutes to fifteen at eighty, and none more or less for shorter and longer videos.
function countFor(seconds: number, perVideo: number): number {
  if (perVideo > 0) return perVideo
  return Math.round(6 + (9 * (Math.min(80, Math.max(10, seconds / 60)) - 10)) / 70)
}

async function byRules<Settings extends DraftSettings>(
  at: number,
  { record, seed, settings }: StageWork<Settings>,
  forms: readonly Form[],
): Promise<UnitResult> {
  const count = countFor(record.statistics.duration, settings.perVideo)
  const draft = draftByRules(record, { forms, negatives, seed, count })[at]
  if (!draft) return { none: 'its text and speech hold no further fact' }
  const { form: _, ...item } = draft
  const kind = types.find(({ level3 }) => level3 === item.extra.level3)?.level2 ?? String(item.extra.level3)
  return { output: { id: draftItemId(record.video_id, at), video: record.video_id, kind, ...item } }
}

async function byModel<Settings extends DraftSettings>(
  unit: string,
  at: number,
  { record, earlier, prompts, seed }: StageWork<Settings>,
  author: Extract<Author, { model: object }>,
): Promise<UnitResult> {
  const random = drawFor(seed, 'triplet', unit)
  const type = typeAt(at, record.video_id, seed)
  const rows = stretches(record.rows, random)
  const rowIdSet = new Set(rows.map(({ id }) => id))
  const authorRequest = {
    unit,
    system: prompts.question ?? '',
    name: 'triplet',
    shape: Reply,
    temperature: 0.7,
    maxTokens: 1000,
    prompt: [
      `Type of the question: ${type.level3}. It asks ${type.asks}.`,
      ...(type.level1 === 'Hallucination'
        ? ['The options are sets of statements; the answer holds those that are true.']
        : []),
      ...askedBefore(
        earlier.map(({ question }) => question),
        'Already asked, and not to be asked again:',
      ),
      'Rows of the video:',
      fence('rows', rows.map(rowLine).join('\n')),
    ].join('\n'),
    faultOf(reply: z.infer<typeof Reply>) {
      const stranger = reply.rows.find(id => !rowIdSet.has(id))
      if (stranger !== undefined) return `there is no row "${stranger}"`
      const all = [reply.answer, ...reply.negatives].map(option => option.trim().toLowerCase())
      return new Set(all).size < all.length ? 'two options are the same' : undefined
    },
  }
  return writtenBy(author, authorRequest, value => {
    const options = shuffle([value.answer, ...value.negatives], random)
    return {
      id: draftItemId(record.video_id, at),
      video: record.video_id,
      kind: type.level2,
      question: value.question,
      answer: value.answer,
      options,
      right: options.indexOf(value.answer),
      clues: clueIntervals(record, value.rows),
      rows: value.rows,
      // Counted or measured, so that it stands in no row.
      extra: { level3: type.level3, ...('computed' in type && { computed: [value.answer] }) },
    }
  })
}

// The types are dealt: none comes again in a video before all have come.
function typeAt(at: number, video: string, seed: number): (typeof types)[number] {
  const deal = shuffle(types, drawFor(seed, 'types', video))
  return deal[at % deal.length] ?? types[0]!
}

// Two to four separate stretches of the video, in the order of time.
function stretches(rows: readonly SourceRow[], random: () => number): SourceRow[] {
  const count = pick([2, 3, 4], random)
  const size = Math.max(1, Math.floor(rowsShown / count))
  if (rows.length <= rowsShown) return [...rows]
  const starts = Array.from({ length: count }, (_, at) => {
    const [from, to] = [(at * rows.length) / count, ((at + 1) * rows.length) / count - size]
    return Math.floor(from + random() * Math.max(0, to - from))
  })
  return starts.flatMap(start => rows.slice(start, start + size))
}
