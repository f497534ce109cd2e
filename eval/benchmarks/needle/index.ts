import { z } from 'zod'
import type { Benchmark, Sample, ScoreInput, Scores } from '../../../src/core/benchmark.ts'
import { dataFile } from '../../data/files.ts'
import { parseRecord } from '../../data/parse-record.ts'
import { readRecords } from '../../data/records.ts'
import { readReplies, strangers, wasAsked } from '../../data/replies.ts'
import { letterIndex, rightOption } from '../multiple-choice/record.ts'
import { NeedleRecord } from './record.ts'
import { scoreNeedle } from './score.ts'

const needle: Benchmark = {
  name: 'needle',
  summary:
    'Videos rendered on the spot from a seed, with truth known to the frame: 13 kinds of question, graded without a model',
  home: 'https://www.npmjs.com/package/longtake',
  licence: 'MIT, like longtake',
  download: [
    'Nothing: "longtake bench make needle --seed 1 --minutes 5 --videos 3 --out FOLDER" makes it (20 MB),',
    'and "longtake bench run needle" without --data makes and keeps that set itself',
  ],
  chance: null,
  groupedBy: ['kind'],
  tasks: [
    { name: 'open', summary: 'answer in a few words', answer: 'open', judge: [] },
    {
      name: 'mcq',
      summary: 'choose among five options, one of them that the video does not say',
      answer: 'choice',
      judge: [],
    },
  ],
  settings: z.object({
    trajectory: z
      .enum(['ideal', 'free'])
      .default('ideal')
      .describe('earlier turns with the reference answers, or with its own'),
  }),
  async *samples(data, { limit }) {
    for (const record of (await needleRecords(data)).slice(0, limit)) yield sampleOf(record)
  },
  score: async input => scoreReplies(await needleRecords(input.data ?? '.'), input),
}

export default needle

export async function needleRecords(data: string): Promise<NeedleRecord[]> {
  const file = await dataFile(data, 'needle', ['needle.json'])
  return (await readRecords(file)).map((value, i) => parseRecord(NeedleRecord, value, 'needle', `${file}, record ${i}`))
}

async function scoreReplies(
  records: readonly NeedleRecord[],
  { replies: lines, scoring }: ScoreInput,
): Promise<Scores> {
  const replies = await readReplies(lines)
  const reply = (task: 'open' | 'mcq', id: string) =>
    wasAsked(replies, task) ? (replies.byId.get(id)?.replies[task] ?? null) : undefined
  const scores = scoreNeedle(
    records.map(record => ({ record, open: reply('open', record.id), mcq: reply('mcq', record.id) })),
    scoring,
  )
  const unknown = strangers(replies, new Set(records.map(record => record.id)))
  return { ...scores, excluded: [...replies.notes, ...unknown, ...scores.excluded] }
}

function sampleOf(record: NeedleRecord): Sample {
  return {
    id: record.id,
    video: record.video,
    question: { text: record.question, options: record.choices },
    reference: record.answer,
    choice: rightOption(letterIndex(record.right_answer), record.choices),
    clues: record.clue_intervals.map(([start, end]) => ({ start, end })),
    turns: record.turns.map(turn => ({ question: { text: turn.question }, reference: turn.answer })),
    groups: { kind: record.kind },
    record,
  }
}
