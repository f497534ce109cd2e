import { random as randomFrom } from '../../../src/core/basics/numbers.ts'
import { UsageError } from '../../../src/core/errors.ts'
import { countFrames, type Script } from '../../../src/media/render/scene.ts'
import { shuffled } from '../../data/deck.ts'
import { letterAt } from '../../metrics/choice/options.ts'
import { planStory, type SpeechSeconds } from './plan-story.ts'
import { dealer, type QuestionDraft } from './questions/dealer.ts'
import { peopleOrder, questionMakers, questionOrder, shortPeopleOrder } from './questions/index.ts'
import { type NeedleKind, type NeedleRecord, notInVideo } from './record.ts'
import { buildRubric } from './rubric.ts'

export interface NeedleOptions {
  seed: number
  minutes: number
  videos: number
  questions?: number // a video; 24, or 12 where it is shorter than 4 minutes
  width?: number
  height?: number
  people?: boolean // people are drawn, and asked about
}

export interface NeedleVideo {
  name: string // file name
  script: Script
  records: NeedleRecord[]
}

export interface NeedleSet {
  seed: number
  videos: NeedleVideo[]
}

const fps = 25

// Scripts of videos and questions about them, all from the seed. How long a sentence takes to say is asked of whoever will say
// it, so that every time is exact before anything is rendered.
export async function makeNeedle(options: NeedleOptions, speechSeconds: SpeechSeconds): Promise<NeedleSet> {
  const { seed, minutes, videos } = options
  const most = chooseOrder(options).length
  const questions = options.questions ?? most
  if (!(minutes >= 2 && minutes <= 180)) throw new UsageError(`A needle video lasts 2 to 180 minutes, not ${minutes}.`)
  if (!(Number.isInteger(questions) && questions >= 1 && questions <= most))
    throw new UsageError(`A needle video of ${minutes} minutes has 1 to ${most} questions, not ${questions}.`)
  const needleVideos: NeedleVideo[] = []
  for (let n = 1; n <= videos; n++) needleVideos.push(await makeVideo({ ...options, questions }, n, speechSeconds))
  return { seed, videos: needleVideos }
}

function chooseOrder({ minutes, people }: NeedleOptions): NeedleKind[] {
  const isShort = minutes < 4
  if (people) return isShort ? shortPeopleOrder : peopleOrder
  return isShort ? questionOrder.slice(0, 12) : questionOrder
}

async function makeVideo(
  options: NeedleOptions & { questions: number },
  n: number,
  speechSeconds: SpeechSeconds,
): Promise<NeedleVideo> {
  const { seed, minutes, questions, width = 640, height = 360, people = false } = options
  const videoSeed = seed * 1000 + n
  const stem = `needle-${people ? 'people-' : ''}${seed}-${n}`
  const frames = Math.round(minutes * 60 * fps)
  const size = { title: stem, width, height, fps }
  const { story, script } = await planStory(
    { seed: videoSeed, frames, size, rich: minutes >= 4, people },
    speechSeconds,
  )
  const random = randomFrom(videoSeed + 500)
  const deal = dealer(story, random)
  const countByKind = new Map<NeedleKind, number>()
  const records = chooseOrder(options)
    .slice(0, questions)
    .map((kind, i): NeedleRecord => {
      const nth = countByKind.get(kind) ?? 0
      countByKind.set(kind, nth + 1)
      const draft = questionMakers[kind](deal, nth)
      const id = `${stem}_q${String(i + 1).padStart(2, '0')}`
      return { ...toRecord(draft, random), id, video: `${stem}.mp4`, kind, duration: countFrames(script) / fps }
    })
  return { name: `${stem}.mp4`, script, records }
}

function toRecord(
  draft: QuestionDraft,
  random: () => number,
): Omit<NeedleRecord, 'id' | 'video' | 'kind' | 'duration'> {
  const offered = shuffled([...(draft.right === undefined ? [] : [draft.right]), ...draft.wrong], random)
  const choices = [...offered, notInVideo]
  const right = draft.right === undefined ? offered.length : offered.indexOf(draft.right)
  return {
    turns: draft.turns ?? [],
    question: draft.question,
    answer: draft.answer,
    expect: draft.expect,
    criteria: buildRubric(draft),
    choices,
    right_answer: letterAt(right),
    clue_intervals: draft.clues.map(({ start, end }) => [start, end]),
    modalities: draft.modalities,
  }
}
