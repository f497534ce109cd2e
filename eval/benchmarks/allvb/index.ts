import { splitByName } from '../../data/files.ts'
import { isRecordFile, readRecords } from '../../data/records.ts'
import { readKey } from '../../metrics/choice/options.ts'
import type { Benchmark } from '../benchmark.ts'
import { readChoiceLetter } from '../choice-ask.ts'
import type { FigureAbout } from '../paper-figures.ts'
import { publishedTables } from '../published.ts'
import { allvbFrameSettings, allvbFrames } from './frames.ts'
import { gradeAllvb, sumAllvb } from './grade.ts'
import published from './published.json' with { type: 'json' }
import { type AllvbRecord, allvbRecords, allvbTasks, taskCode } from './record.ts'

const allvbFigures: readonly FigureAbout[] = [
  {
    id: 'allvb:tasks',
    benchmark: 'allvb',
    of: 'columns',
    kind: 'heat',
    tables: ['allvb:2'],
    title: 'Tasks by model',
    source: 'ALLVB paper, Table 2',
    unit: 'per cent',
    top: 100,
    isOf: key => key.endsWith('.accuracy'),
  },
  {
    id: 'allvb:fig12-19',
    benchmark: 'allvb',
    of: 'sub-tasks',
    tasks: allvbTasks,
    title: 'Sub-tasks',
    source: 'as ALLVB paper, Figures 12 to 19',
  },
  {
    id: 'allvb:lengths',
    benchmark: 'allvb',
    of: 'columns',
    kind: 'bars',
    tables: ['allvb:3'],
    title: 'Accuracy by length of the film',
    source: 'ALLVB paper, Table 3',
    unit: 'per cent',
    top: 100,
    isOf: () => true,
  },
  {
    id: 'allvb:frames',
    benchmark: 'allvb',
    of: 'frames',
    title: 'Accuracy against frames',
    source: 'ALLVB paper, Table 4',
    panels: [{ metric: 'average', title: 'Avg. Acc.', published: { table: 'allvb:4' } }],
  },
]

const allvb: Benchmark<AllvbRecord> = {
  name: 'allvb',
  about: {
    summary: 'Multiple choice over whole films: nine tasks, five options, frames with their subtitles',
    home: 'https://huggingface.co/datasets/ALLVB/ALLVB',
    licence: 'CC-BY-NC-SA-4.0',
    guide: {
      dataset: 'ALLVB/ALLVB',
      terms: 'CC-BY-NC-SA-4.0 by the paper; whether there is a gate is not known',
      videos: '1,376 films (140 in test); whether they are handed out is not known: own copies by name',
      elsewhere: 'A survey names a code repository, which was not read',
      parts: {
        annotations: {
          files: ['*.json', '*.jsonl', '*.parquet', 'data/*', 'annotations/*'],
          note: 'its names and layout were not seen: "longtake bench map allvb" reads other layouts',
        },
      },
    },
    download: [
      'From the data set ALLVB/ALLVB (Hugging Face): the annotation JSON (252,420 questions, 1,376 films; test 140 films) -> --data',
      'The films (2,628 h in all) are not distributed: <name in the annotations>.mp4 below --data or --videos, from your own copies;',
      'subtitles as SRT of the same name beside them',
    ],
    chance: 20,
    demandsAnswer: true,
    groupedBy: ['task'],
  },
  tasks: [{ name: 'answer', summary: 'choose among five options', answer: 'choice', judge: [] }],
  settings: allvbFrameSettings,
  // The paper shows subtitles with the frames: they must lie beside the films.
  variants: {
    16: { options: ['frames=16', 'subtitles=at frames'] },
    64: { options: ['frames=64', 'subtitles=at frames'] },
    batch: { options: ['batch=whole film', 'subtitles=at frames'] },
  },
  data: {
    annotations: { isFile: isRecordFile, splitOf: splitByName({ train: ['train'], test: ['test'] }), isMany: true },
    records: readAllvb,
    mapped: {
      fields: {
        id: 'id',
        video: 'video',
        task: 'task',
        sub_task: 'sub task',
        question: 'question',
        options: 'options',
        answer: 'letter',
        split: 'split',
      },
      task: taskCode,
    },
    splitOf: record => record.split,
  },
  samples: record => {
    const { id, video, question: text, options, answer, task, subTask } = record
    const right = readKey(answer, options)
    const groups = { task, ...(subTask !== undefined && { sub_task: subTask }) }
    return [
      { id, video, question: { text, options }, reference: options[right.choice ?? -1], ...right, groups, record },
    ]
  },
  asks: ({ video, question }) => [
    {
      name: 'answer',
      video,
      question,
      replies: { answer: asked => `Best Answer: ${readChoiceLetter(asked) ?? asked.answer.text}` },
    },
  ],
  grade: (sample, _, { reply }) => gradeAllvb(sample.record, reply),
  sum: sumAllvb,
  frames: allvbFrames,
  paper: {
    published: publishedTables('allvb', published),
    figures: allvbFigures,
  },
  making: {
    recipe: () => import('./recipe/index.ts'),
  },
}

export default allvb

async function readAllvb(files: readonly string[]): Promise<AllvbRecord[]> {
  const records: AllvbRecord[] = []
  for (const file of files) records.push(...allvbRecords(await readRecords(file), file))
  return withUniqueIds(records)
}

// Questions that are numbered per film get the film's name before their number; failing that, their place in the files.
function withUniqueIds(records: AllvbRecord[]): AllvbRecord[] {
  const unique = (ids: string[]) => new Set(ids).size === ids.length
  if (unique(records.map(record => record.id))) return records
  const named = records.map(record => ({ ...record, id: `${record.video}:${record.id}` }))
  return unique(named.map(record => record.id)) ? named : records.map((record, i) => ({ ...record, id: String(i) }))
}
