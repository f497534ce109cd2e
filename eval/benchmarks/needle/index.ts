import { access } from 'node:fs/promises'
import { z } from 'zod'
import { groupBy } from '../../../src/core/basics/group-by.ts'
import { absentAs } from '../../../src/core/errors.ts'
import type { Finding } from '../../../src/core/evidence.ts'
import { roundTime } from '../../../src/core/time.ts'
import { sceneStarts } from '../../../src/media/render/scene.ts'
import { readScriptFile, scriptPath } from '../../../src/media/render/script-file.ts'
import { parsedRecords } from '../../data/parse-record.ts'
import { type Sample, statedIn } from '../../data/sample.ts'
import { readKey } from '../../metrics/choice/options.ts'
import { evenFrameTimes, showFrames } from '../../protocols/frames.ts'
import { saidBlind, sampledTimes, shownSettings } from '../../protocols/show.ts'
import type { Benchmark, Gold } from '../benchmark.ts'
import { choiceAsk, openAsk } from '../choice-ask.ts'
import { choicePrompt } from '../multiple-choice/prompt.ts'
import { gradeNeedle, sumNeedle } from './grade.ts'
import { NeedleRecord } from './record.ts'

// What a video was rendered from lies beside it.
const gold: Gold = {
  isThere: path => access(scriptPath(path)).then(() => true, absentAs(false)),
  said: readGoldSpeech,
  shown: readGoldText,
}

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

const sampleRate = 16_000

async function readGoldSpeech(path: string, signal: AbortSignal): Promise<Finding[]> {
  const { speak } = await import('../../../src/media/speak.ts')
  const { fps, cues } = await readScriptFile(scriptPath(path))
  const lines: Finding[] = []
  for (const cue of cues) {
    if (cue.kind !== 'speech') continue
    const start = roundTime(cue.at / fps)
    const seconds = (await speak(cue.text, cue.voice, signal)).length / sampleRate
    lines.push({ span: { start, end: roundTime(start + seconds) }, track: 'speech', text: cue.text })
  }
  return lines
}

// Texts that are seen together and stand still are one row, from above to below; one that moves is a row of its own.
async function readGoldText(path: string): Promise<Finding[]> {
  const script = await readScriptFile(scriptPath(path))
  const starts = sceneStarts(script)
  return script.scenes.flatMap((scene, at) => {
    const seconds = (frame: number) => roundTime(((starts[at] ?? 0) + frame) / script.fps)
    const together = groupBy([...scene.texts.entries()], ([nth, text]) =>
      text.slide ? `moving ${nth}` : `${text.from ?? 0} ${text.to ?? scene.frames}`,
    )
    return [...together.values()].map((group): Finding => {
      const texts = group.map(([, text]) => text).sort((a, b) => a.at.y - b.at.y || a.at.x - b.at.x)
      const { from = 0, to = scene.frames } = texts[0]!
      const span = { start: seconds(from), end: seconds(Math.min(to, scene.frames)) }
      const frame = roundTime((span.start + span.end) / 2)
      return { span, track: 'text', text: texts.map(({ text }) => text).join('\n'), frame }
    })
  })
}
