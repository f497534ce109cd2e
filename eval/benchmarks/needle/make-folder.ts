import { join } from 'node:path'
import { UsageError } from '../../../src/core/errors.ts'
import { renderVideo } from '../../../src/media/render/render-video.ts'
import { countFrames, type Script } from '../../../src/media/render/scene.ts'
import { scriptPath } from '../../../src/media/render/script-file.ts'
import { speak } from '../../../src/media/speak.ts'
import { createFile } from '../../../src/store/create-file.ts'
import { writeDurably } from '../../../src/store/durable.ts'
import { letterIndex } from '../../metrics/choice/options.ts'
import type { MadeFolder, MakeWork } from '../benchmark.ts'
import { makeNeedle, type NeedleSet } from './make-needle.ts'
import { type NeedleRecord, needleKinds } from './record.ts'
import { factualCriterion } from './rubric.ts'

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
