import { basename } from 'node:path'
import { z } from 'zod'
import { splitByName } from '../../data/files.ts'
import { listField, parseRecord } from '../../data/parse-record.ts'
import { isRecordFile, readRecords } from '../../data/records.ts'
import { letterAt } from '../../metrics/choice/options.ts'
import { meanOrNull } from '../grades.ts'
import { accuracyBy } from '../multiple-choice/grade.ts'
import { choiceBenchmark } from '../multiple-choice/index.ts'
import { choiceSettings } from '../multiple-choice/read-choices.ts'
import type { ChoiceRecord } from '../multiple-choice/record.ts'

const Question = z.looseObject({
  question_id: z.union([z.string(), z.number()]).transform(String).nullish(),
  video: z.string(),
  question: z.string(),
  candidates: listField(z.coerce.string()),
  answer: z.coerce.string().nullish(), // the text of an option
  question_type: z.string(),
})

// The two tasks that ask for a text have no candidates and are judged by other means.
const generation = ['subPlot', 'sub_scene', 'summary']

const byName = splitByName({ dev: ['dev', 'mlvu_dev', 'mlvu-dev'], test: ['test', 'mlvu_test', 'mlvu-test'] })

const mlvu = choiceBenchmark({
  name: 'mlvu',
  about: {
    summary: 'Multiple choice over long videos, seven tasks (dev) or nine (test), averaged over tasks',
    home: 'https://huggingface.co/datasets/MLVU/MVLU',
    licence: 'CC-BY-NC-SA-4.0, for research only',
    guide: {
      dataset: 'MLVU/MVLU',
      terms: 'CC-BY-NC-SA-4.0, for research only',
      videos: 'MLVU/video/<number>_<task>/<video>.mp4; the total size is not stated',
      parts: { annotations: { files: ['MLVU/json/*.json'] }, videos: { files: ['MLVU/video/*/*.mp4'] } },
    },
    download: [
      'From the data set MLVU/MVLU (Hugging Face): MLVU/json/<number>_<task>.json -> the folder that --data names',
      'MLVU/video/<number>_<task>/<video>.mp4 (the total size is not stated); answers of MLVU-Test are withheld',
    ],
    chance: null,
    groupedBy: ['task'],
  },
  task: 'choose among the candidates',
  settings: choiceSettings(128),
  data: {
    mapped: {
      fields: {
        question_id: 'id',
        video: 'video',
        question: 'question',
        candidates: 'options',
        answer: 'text',
        question_type: 'task',
      },
    },
    // The development set has a numbered file per task.
    annotations: {
      isFile: isRecordFile,
      splitOf: place => byName(place) ?? (/^\d+_/.test(place.at(-1) ?? '') ? 'dev' : undefined),
      isMany: true,
    },
    records: mlvuRecords,
  },
  // M-Avg is the mean over tasks. The released script compares what stands before the first ")" with the letter, exactly; its
  // prompt ends in "Best option: (", so that a reply of its form is "B) text".
  released: {
    read: reply => reply.replace(/\)[\s\S]*/, ''),
    unreadable: 'wrong',
    unanswered: 'wrong',
  },
  metrics: scored => ({
    m_avg: meanOrNull(Object.values(accuracyBy(scored, 'task')).map(({ accuracy }) => accuracy ?? 0)),
  }),
})
export default mlvu

// Files have no ids of their own: a question is known by its file and place, "1_plotQA/0", unless it says one.
async function mlvuRecords(files: readonly string[]): Promise<ChoiceRecord[]> {
  const records: ChoiceRecord[] = []
  for (const file of files) {
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
        ...(right >= 0 ? { answer: letterAt(right) } : { key: question.answer ?? undefined }),
        groups: { task: [question.question_type] },
        record: question,
      })
    }
  }
  return records
}
