import { basename } from 'node:path'
import { z } from 'zod'
import type { Benchmark, ScoreInput, Scores } from '../../../src/core/benchmark.ts'
import { dataFiles } from '../../data/files.ts'
import { listed } from '../../data/listed.ts'
import { parseRecord } from '../../data/parse-record.ts'
import { isRecordFile, readRecords } from '../../data/records.ts'
import { type ChoiceRecord, choiceSamples, letterAt } from '../multiple-choice/record.ts'
import { accuracy, accuracyBy, scoreChoices } from '../multiple-choice/score.ts'
import { promptSetting } from '../prompt-file.ts'

const Question = z.looseObject({
  question_id: z.union([z.string(), z.number()]).transform(String).nullish(),
  video: z.string(),
  question: z.string(),
  candidates: listed(z.coerce.string()),
  answer: z.coerce.string().nullish(), // the text of an option
  question_type: z.string(),
})

// The two tasks that ask for a text have no candidates and are judged by other means.
const generation = ['subPlot', 'sub_scene', 'summary']

const settings = z.object({
  frames: z.number().int().positive().default(128).describe('frames over the video'),
  prompt: promptSetting,
})

const mlvu: Benchmark = {
  name: 'mlvu',
  summary: 'Multiple choice over long videos, seven tasks (dev) or nine (test), averaged over tasks',
  home: 'https://huggingface.co/datasets/MLVU/MVLU',
  licence: 'CC-BY-NC-SA-4.0, for research only',
  download: [
    'From the data set MLVU/MVLU (Hugging Face): MLVU/json/<number>_<task>.json -> the folder that --data names',
    'MLVU/video/<number>_<task>/<video>.mp4 (the total size is not stated); answers of MLVU-Test are withheld',
  ],
  chance: null,
  groupedBy: ['task'],
  tasks: [{ name: 'answer', summary: 'choose among the candidates', answer: 'choice', judge: [] }],
  settings,
  async *samples(data, { limit }) {
    yield* choiceSamples(await mlvuRecords(data), limit)
  },
  score: async input => scoreMlvu(await mlvuRecords(input.data ?? '.'), input),
}

export default mlvu

// M-Avg is the mean over tasks. The released script compares what stands before the first ")" with the letter, exactly; its
// prompt ends in "Best option: (", so that a reply of its form is "B) text".
export async function scoreMlvu(records: readonly ChoiceRecord[], input: ScoreInput): Promise<Scores> {
  const { scored, excluded } = await scoreChoices(records, input, {
    read: reply => reply.split(')')[0],
    unreadable: 'wrong',
    unanswered: 'wrong',
  })
  const groups = accuracyBy(scored, 'task')
  const accuracies = Object.values(groups).map(group => group.accuracy ?? 0)
  return {
    benchmark: 'mlvu',
    scoring: input.scoring,
    n: records.length,
    metrics: {
      m_avg: accuracies.length === 0 ? null : accuracies.reduce((sum, value) => sum + value, 0) / accuracies.length,
      accuracy: accuracy(scored),
    },
    groups,
    excluded,
  }
}

// Files have no ids of their own: a question is known by its file and place, "1_plotQA/0", unless it says one.
export async function mlvuRecords(data: string): Promise<ChoiceRecord[]> {
  const records: ChoiceRecord[] = []
  for (const file of await dataFiles(data, 'mlvu', isRecordFile)) {
    const stem = basename(file).replace(/\.[^.]*$/, '')
    if (generation.some(task => stem.endsWith(task))) continue
    for (const [i, value] of (await readRecords(file)).entries()) {
      const question = parseRecord(Question, value, 'mlvu', `${file}, question ${i}`)
      const right = question.candidates.indexOf(question.answer ?? '')
      records.push({
        id: question.question_id ?? `${stem}/${i}`,
        video: `video/${stem}/${question.video}`,
        question: question.question,
        options: question.candidates,
        ...(right >= 0 && { answer: letterAt(right) }),
        groups: { task: [question.question_type] },
        record: question,
      })
    }
  }
  return records
}
