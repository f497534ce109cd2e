import { type Sample, statedIn } from '../../data/sample.ts'
import { rightOption } from '../../metrics/choice/options.ts'
import type { AgentRequest, Benchmark } from '../benchmark.ts'
import { openAsk } from '../choice-ask.ts'
import { pieces } from '../data-guide.ts'
import type { FigureAbout } from '../paper-figures.ts'
import { publishedTables } from '../published.ts'
import { dontKnowAt, officialNumber, withoutDontKnow } from './dont-know.ts'
import { infiniBenchFrameSettings, infiniBenchFrames, predictedIndex } from './frames.ts'
import { gradeInfiniBench, sumInfiniBench } from './grade.ts'
import { infiniBenchProtocol } from './judge.ts'
import published from './published.json' with { type: 'json' }
import {
  aboutEpisode,
  annotations,
  type InfiniBenchRecord,
  infiniBenchRecords,
  isChoiceSkill,
  longId,
  plainRecord,
} from './record.ts'
import { infiniBenchReleased } from './released.ts'

const infiniBenchFigures: readonly FigureAbout[] = [
  {
    id: 'infinibench:frames',
    benchmark: 'infinibench',
    of: 'frames',
    title: 'Accuracy and score against frames',
    source: 'InfiniBench paper, Table 4',
    panels: [
      { metric: 'accuracy', title: 'Avg. Acc.', published: { table: 'infinibench:4' } },
      { metric: 'score', title: 'Avg. Score', unit: 'of 10', top: 10, published: { table: 'infinibench:4' } },
    ],
  },
  ...(['accuracy', 'score'] as const).flatMap(kind =>
    (['heat', 'radar'] as const).map(form => ({
      id: `infinibench:${kind}-${form}`,
      benchmark: 'infinibench',
      of: 'columns' as const,
      kind: form,
      title: kind === 'accuracy' ? 'Grounding skills' : 'Reasoning skills',
      source: 'InfiniBench paper, Tables 7 and 3',
      tables: ['infinibench:7', 'infinibench:3'],
      ...(kind === 'accuracy' ? { unit: 'per cent', top: 100 } : { unit: 'of 10', top: 10 }),
      isOf: (key: string) => key.includes(`.${kind}`),
    })),
  ),
]

const infiniBench: Benchmark<InfiniBenchRecord> = {
  name: 'infinibench',
  about: {
    summary: 'Films and TV episodes: four grounding skills by choice, four reasoning skills judged from 0 to 10',
    home: 'https://huggingface.co/datasets/Vision-CAIR/InfiniBench',
    licence: 'BSD-3-Clause (code and annotations); the videos derive from TVQA and MovieNet',
    guide: {
      dataset: 'Vision-CAIR/InfiniBench',
      terms: 'BSD-3-Clause (code and annotations); the terms of TVQA and MovieNet for what comes from them',
      videos: '11.9 GB validation, 12 GB test, 92 GB train, each in pieces of one archive',
      parts: {
        annotations: {
          files: ['*/skills_json/*.json'],
          ofSplit: Object.fromEntries(
            ['validation', 'test', 'train'].map(split => [split, [`${split}/skills_json/*.json`]]),
          ),
        },
        videos: {
          files: ['*/*_videos.tar.gz.part_*'],
          ofSplit: Object.fromEntries(
            ['validation', 'test', 'train'].map(split => [split, [`${split}/${split}_videos.tar.gz.part_*`]]),
          ),
          note: pieces,
        },
      },
    },
    download: [
      'From the data set Vision-CAIR/InfiniBench (Hugging Face): <split>/skills_json/<skill>.json -> the folder that --data names',
      '<split>/<split>_videos.tar.gz.part_* (12 GB validation, 12 GB test, 92 GB train), pieces of one archive',
      '-> TV_shows/videos/... and Movies/videos/..., subtitles beside them',
      'Answers and options of the test split are withheld: score validation or train here, test on Codabench (competition 10065; bench export --form codabench)',
    ],
    chance: 20,
    demandsAnswer: true,
    groupedBy: ['skill'],
  },
  tasks: [{ name: 'answer', summary: 'the number of an option, or an open answer', answer: 'open', judge: ['open'] }],
  settings: infiniBenchFrameSettings,
  data: {
    mapped: {
      fields: {
        question_id: 'id',
        video_path_mp4: 'video',
        question: 'question',
        options: 'options',
        answer_idx: 'place',
        skill_name: 'task',
      },
      more: ['video_subtitles'],
    },
    annotations,
    records: infiniBenchRecords,
  },
  variants: {
    'video+subtitles': { options: ['subtitles=whole'] },
    subtitles: { options: ['frames=0', 'subtitles=whole'] },
    metadata: { options: ['metadata=only'] },
    'no-idk': { options: ['dontKnow=off'] },
  },
  samples: record => [toSample(record)],
  under: options => (options.dontKnow === false ? sureAnswers : {}),
  asks: sample => [buildAsk(sample)],
  grade: gradeInfiniBench,
  sum: sumInfiniBench,
  frames: infiniBenchFrames,
  judge: infiniBenchProtocol,
  released: infiniBenchReleased,
  paper: {
    judgedMetrics: ['score', 'overall'],
    published: publishedTables('infinibench', published),
    figures: infiniBenchFigures,
  },
  making: {
    recipe: () => import('./recipe/index.ts'),
  },
}
export default infiniBench

// Without the option "I don't know". Where it is the key there is nothing to choose: such a question is left out.
const sureAnswers: Pick<Benchmark<InfiniBenchRecord>, 'samples' | 'leftOut'> = {
  samples: record => (isKey(record) ? [] : [withoutDontKnow(toSample(record))]),
  leftOut: record => (isKey(record) ? [{ id: longId(record), reason: 'its key is the option "I don\'t know"' }] : []),
}

function isKey({ skill, options, right }: InfiniBenchRecord): boolean {
  const at = dontKnowAt(options)
  return isChoiceSkill(skill) && at >= 0 && right === String(at)
}

function toSample(record: InfiniBenchRecord): Sample<InfiniBenchRecord> {
  const choice = rightOption(record.right === undefined ? undefined : Number(record.right), record.options)
  return {
    id: record.id,
    longId: longId(record),
    video: record.video ?? '',
    question: { text: record.question, ...(record.options && { options: record.options }) },
    ...(record.answer !== undefined && { reference: record.answer }),
    ...(choice !== undefined && { choice }),
    ...(isChoiceSkill(record.skill) && record.right !== 'None' && { key: record.right }),
    about: aboutEpisode(record.video),
    ...(record.subtitles !== undefined && { subtitles: record.subtitles }),
    groups: { skill: record.skill, answer: isChoiceSkill(record.skill) ? 'choice' : 'open' },
    ...statedIn(plainRecord(record)),
    record,
  }
}

// Choices are answered by the option's number from 0, as prediction files hold it; '' is not a prediction.
function buildAsk(sample: Sample<InfiniBenchRecord>): AgentRequest {
  const { video, question, record } = sample
  const { options } = question
  if (!options || !isChoiceSkill(record.skill)) return openAsk(sample)
  return {
    name: 'answer',
    video,
    question,
    replies: { answer: ({ answer }) => officialNumber(answer.choice ?? predictedIndex(answer.text, options), sample) },
  }
}
