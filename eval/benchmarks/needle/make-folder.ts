import { join } from 'node:path'
import { seededRandom } from '../../../src/core/basics/numbers.ts'
import { UsageError } from '../../../src/core/errors.ts'
import { formatTime } from '../../../src/core/time.ts'
import { renderVideo } from '../../../src/media/render/render-video.ts'
import { countFrames, type Script } from '../../../src/media/render/scene.ts'
import { scriptPath } from '../../../src/media/render/script-file.ts'
import { speak } from '../../../src/media/speak.ts'
import { createFile } from '../../../src/store/create-file.ts'
import { writeDurably } from '../../../src/store/durable.ts'
import { shuffle } from '../../data/deck.ts'
import { letterAt, letterIndex } from '../../metrics/choice/options.ts'
import type { MadeFolder, MakeWork } from '../benchmark.ts'
import { planStory, type SpeechSeconds } from './plan-story.ts'
import { dealer, type QuestionDraft } from './questions/dealer.ts'
import { peopleOrder, questionMakers, questionOrder, shortPeopleOrder } from './questions/index.ts'
import {
  type Expectation,
  type NeedleCriterion,
  type NeedleKind,
  type NeedleRecord,
  needleKinds,
  notInVideo,
} from './record.ts'

const sampleRate = 16_000

// Renders the videos and writes the questions about them. needle.json comes last: a folder that has it is whole.
export async function makeNeedleFolder(work: MakeWork): Promise<MadeFolder> {
  const { folder, access = 'umask', onProgress, signal, ...options } = work
  if (!(options.videos >= 1 && options.videos <= 1000))
    throw new UsageError(`A needle set has 1 to 1000 videos, not ${options.videos}.`)
  const set = await makeNeedle(options, async (text, voice) => (await speak(text, voice, signal)).length / sampleRate)
  const secondsOf = (script: Script) => countFrames(script) / script.fps
  const total = set.videos.reduce((sum, { script }) => sum + secondsOf(script), 0)
  let before = 0
  await writeNeedle(set, {
    async render(script, name) {
      const progress = { signal, onProgress: (done: number) => onProgress(before + done, total, name) }
      await createFile(join(folder, name), temporary => renderVideo(script, temporary, progress), access)
      before += secondsOf(script)
      onProgress(before, total, name)
    },
    write: (name, content) => writeDurably(join(folder, name), content, access),
  })
  const videos = set.videos.map(({ name, script, records }) => ({
    name,
    seconds: secondsOf(script),
    questions: records.length,
  }))
  return { folder, videos }
}

// Where a set goes. Neither call may leave a half-written file under the name.
interface NeedleFolder {
  render(script: Script, name: string): Promise<void>
  write(name: string, content: string): Promise<void>
}

// Writes the videos, their scripts and the annotations: our own, and the same in the forms of LongShOTBench and CG-Bench.
export async function writeNeedle(set: NeedleSet, folder: NeedleFolder): Promise<void> {
  for (const { name, script } of set.videos) {
    await folder.render(script, name)
    await folder.write(scriptPath(name), `${JSON.stringify(script)}\n`)
  }
  const records = set.videos.flatMap(video => video.records)
  const lines = (values: readonly object[]) => values.map(value => `${JSON.stringify(value)}\n`).join('')
  await folder.write('longshot.jsonl', lines(records.map(longshotSample)))
  await folder.write('cg-bench.jsonl', lines(records.map(cgBenchRecord)))
  await folder.write('needle.json', `${JSON.stringify(records, null, 1)}\n`)
}

// The same question as LongShOTBench holds it: a conversation with a rubric on each answer.
function longshotSample(record: NeedleRecord): object {
  const { task, difficulty } = needleKinds[record.kind]
  const user = (content: string) => ({ role: 'user', content, difficulty, modalities: record.modalities })
  const assistant = (content: string, criteria: object[]) => ({ role: 'assistant', content, criteria })
  return {
    sample_id: record.id,
    video_id: record.video.replace(/\.mp4$/, ''),
    task,
    sample_type: record.turns.length > 0 ? 'multi_turn' : 'single_turn',
    duration: record.duration,
    conversations: [
      ...record.turns.flatMap(({ question, answer }) => [
        user(question),
        assistant(answer, [factualCriterion(answer)]),
      ]),
      user(record.question),
      assistant(
        record.answer,
        record.criteria.map(({ expect: _, ...criterion }) => criterion),
      ),
    ],
  }
}

// The same question as CG-Bench holds it: options without letters, clue intervals in seconds. What was asked before is put first.
function cgBenchRecord(record: NeedleRecord): object {
  const before = record.turns.map(turn => `${turn.question} (${turn.answer})`)
  return {
    qid: record.id,
    video_uid: record.video.replace(/\.mp4$/, ''),
    question: [...before, record.question].join(' '),
    answer: record.choices[letterIndex(record.right_answer) ?? 0],
    choices: record.choices,
    right_answer: record.right_answer,
    clue_intervals: record.clue_intervals,
    domain: 'Rendered',
    sub_category: record.kind,
    duration: record.duration,
  }
}

interface NeedleOptions {
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

interface NeedleSet {
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
  const random = seededRandom(videoSeed + 500)
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
  const offered = shuffle([...(draft.right === undefined ? [] : [draft.right]), ...draft.wrong], random)
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

// A weighted rubric as LongShOTBench writes it: what must be there, what is good to have, what must not be said.
function buildRubric({ answer, expect, clues, wrong }: QuestionDraft): NeedleCriterion[] {
  const fact = expect.form === 'abstain' ? 'States that the video does not say this or does not show it.' : undefined
  const criteria: NeedleCriterion[] = [
    { ...factualCriterion(answer, fact), expect: 'rivals' in expect ? { ...expect, rivals: [] } : expect },
  ]
  if (clues.length > 0 && expect.form !== 'moment')
    criteria.push({
      name: 'key_details',
      description: `Says where in the video this is: ${clues.map(clue => formatTime(clue.start)).join(', ')}.`,
      category: 'low_priority',
      weight: 1,
      is_penalty: false,
      expect: { form: 'moment', spans: clues, slack: 3 },
    })
  const rivals = 'rivals' in expect ? expect.rivals : expect.form === 'moment' ? wrong : []
  if (rivals.length > 0)
    criteria.push({
      name: 'hallucination',
      description: `Must not give any of these as the answer: ${rivals.join('; ')}.`,
      category: 'penalty',
      weight: -5,
      is_penalty: true,
      expect: { form: 'unsaid', rivals, ...pickRight(expect) },
    })
  return criteria
}

function pickRight(expect: Expectation): { right?: string[][] } {
  if (expect.form === 'words') return { right: expect.groups }
  return expect.form === 'which' ? { right: [expect.right] } : {}
}

function factualCriterion(
  answer: string,
  description = `States correctly: ${answer}`,
): Omit<NeedleCriterion, 'expect'> {
  return { name: 'factual_correctness', description, category: 'high_priority', weight: 5, is_penalty: false }
}
