import { z } from 'zod'
import { parsedRecords } from '../../data/parse-record.ts'
import { type Sample, statedIn } from '../../data/sample.ts'
import { readKey } from '../../metrics/choice/options.ts'
import { evenFrameTimes, showFrames } from '../../protocols/frames.ts'
import { saidBlind, sampledTimes, shownSettings } from '../../protocols/show.ts'
import type { Benchmark } from '../benchmark.ts'
import { choiceAsk, openAsk } from '../choice-ask.ts'
import { choicePrompt } from '../multiple-choice/prompt.ts'
import { gold } from './gold.ts'
import { gradeNeedle, sumNeedle } from './grade.ts'
import { NeedleRecord } from './record.ts'

const needle: Benchmark<NeedleRecord> = {
  name: 'needle',
  about: {
    summary:
      'Videos rendered on the spot from a seed, with truth known to the frame: 13 kinds of question, 17 with people, graded without a model',
    home: 'https://www.npmjs.com/package/longtake',
    licence: 'MIT, like longtake',
    download: [
      'Nothing: "longtake bench make needle --seed 1 --minutes 5 --videos 3 --out FOLDER" makes it (20 MB),',
      'and "longtake bench run needle" without --data makes and keeps that set itself',
    ],
    chance: null,
    groupedBy: ['kind'],
  },
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
    ...shownSettings(128),
    trajectory: z
      .enum(['ideal', 'free'])
      .default('ideal')
      .describe('earlier turns with the reference answers, or with its own'),
  }),
  data: {
    annotations: { isFile: name => name === 'needle.json' },
    records: files => parsedRecords(NeedleRecord, 'needle', files),
  },
  samples: record => [toSample(record)],
  asks: sample => [openAsk(sample, 'open'), choiceAsk(sample, 'mcq')],
  grade: gradeNeedle,
  sum: sumNeedle,
  // Earlier turns first, with their reference answers; then the question, with options where it is the twin.
  frames: {
    request(
      sample,
      task,
      media,
      options: { frames: number | string; mostFrames?: number; trajectory?: string },
      own = [],
    ) {
      const { question, turns = [] } = sample
      const answerOf = (place: number, reference: string) =>
        options.trajectory === 'free' ? (own[place]?.answer?.text ?? '') : reference
      const before = turns.map((turn, i) => `${turn.question.text} ${answerOf(i, turn.reference)}\n`).join('')
      const open = `${question.text} Answer in a few words; say so where the video does not tell.`
      const times = sampledTimes(options, media, count => evenFrameTimes(media.duration, count))
      const text = saidBlind(`${before}${task === 'mcq' ? choicePrompt(sample) : open}`, times.length, media.native)
      return { turns: showFrames(times, text), temperature: 0, maxTokens: 512 }
    },
  },
  making: {
    make: {
      bundled: { seed: 1, minutes: 5, videos: 3 }, // 24 questions each
      lastFile: 'needle.json',
      make: async work => (await import('./make-folder.ts')).makeNeedleFolder(work),
    },
    gold,
  },
}
export default needle

function toSample(record: NeedleRecord): Sample<NeedleRecord> {
  return {
    id: record.id,
    video: record.video,
    question: { text: record.question, options: record.choices },
    reference: record.answer,
    ...readKey(record.right_answer, record.choices),
    clues: record.clue_intervals.map(([start, end]) => ({ start, end })),
    turns: record.turns.map(turn => ({ question: { text: turn.question }, reference: turn.answer })),
    groups: { kind: record.kind },
    ...statedIn(record),
    record,
  }
}
