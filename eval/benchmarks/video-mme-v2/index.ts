import { z } from 'zod'
import { letterAfterPrefixes, videoMmeV2Prefixes } from '../../metrics/choice/after-prefixes.ts'
import { withoutLetter } from '../../metrics/choice/options.ts'
import { meanOrNull } from '../grades.ts'
import type { Right } from '../multiple-choice/grade.ts'
import { choiceBenchmark } from '../multiple-choice/index.ts'
import { choiceData, choiceSettings, readGroup } from '../multiple-choice/read-choices.ts'

export default choiceBenchmark({
  name: 'video-mme-v2',
  about: {
    summary: 'Multiple choice in groups of four questions about a video, rated as groups; layout from code',
    home: 'https://github.com/MME-Benchmarks/Video-MME-v2',
    licence: 'as its data set states; not read by us',
    download: [
      'From the data set MME-Benchmarks/Video-MME-v2 (Hugging Face): test.parquet (3,200 questions, 800 videos) -> the folder that --data names;',
      'videos as <video_id>.mp4. Its subtitles by word are not read here. We read the released scorer and loaders of others, not the annotations.',
    ],
    chance: 12.5,
    groupedBy: ['level', 'group_type', 'second_head', 'third_head'],
  },
  task: 'choose among up to eight options',
  settings: choiceSettings(64),
  data: choiceData({
    name: 'video-mme-v2',
    files: /^test\.parquet$/,
    splits: { test: ['test'] },
    question: z.looseObject({
      video_id: z.coerce.string(),
      question_id: z.coerce.string(),
      group_type: z.enum(['relevance', 'logic']),
      group_structure: z.coerce.string(),
      question: z.string(),
      options: z.string(), // lines "A. ..."
      answer: z.coerce.string(),
      level: z.coerce.string().nullish(),
    }),
    record: ({ video_id, question_id, question, options, answer, url, ...row }) => ({
      id: question_id,
      video: `videos/${video_id}.mp4`,
      ...(typeof url === 'string' && { address: url }),
      question,
      options: options.split('\n').map(withoutLetter),
      answer: answer.trim(),
      groups: {
        level: readGroup(row.level),
        group_type: readGroup(row.group_type),
        second_head: readGroup(row.second_head),
        third_head: readGroup(row.third_head),
      },
    }),
  }),
  released: {
    read: reply => letterAfterPrefixes(reply, videoMmeV2Prefixes, 'A-H'),
    unreadable: 'left out', // of the simple accuracy
    unanswered: 'left out',
  },
  metrics: rateGroups,
})

interface GroupedRow {
  level?: string | null
  group_type?: 'relevance' | 'logic'
  group_structure?: string
}

// What a group of four is worth by how many steps of it are right.
const chain = [0, 100 / 16, 400 / 16, 900 / 16, 100]
const laterFork = [0, 100 / 12, 400 / 12, 700 / 12, 100] // [1, [2, 3], 4]
const earlyFork = [0, 100 / 10, 200 / 10, 500 / 10, 100] // [[1, 2], 3, 4]

// As released. Groups are every four records of the data. There a reply that cannot be read is worth -1: it takes one off the sum
// of a group of relevance, and in a chain of logic, where anything but 0 counts, it passes for right.
function rateGroups(scored: readonly Right[]): Record<string, number | null> {
  const ratings = new Map<string, number[]>()
  const add = (metric: string, value: number) => ratings.set(metric, [...(ratings.get(metric) ?? []), value])
  for (let at = 0; at < scored.length; at += 4) {
    const group = scored.slice(at, at + 4)
    const points = group.map(({ right }) => right ?? -1)
    const last = group.at(-1)?.record.record as GroupedRow | undefined
    const { level, group_type = 'relevance', group_structure = '' } = last ?? {}
    const sum = points.reduce((total, point) => total + point, 0)
    const rating = group_type === 'logic' ? rateLogic(points, group_structure) : (chain[sum] ?? 0)
    add('total', rating)
    if (level && level !== 'None') add(`level_${level}`, rating)
    add(`${group_type}_score`, rating)
    if (group_type === 'relevance') add('relevance_linear_score', sum * 25)
  }
  const metrics = ['total', 'level_1', 'level_2', 'level_3', 'relevance_score', 'relevance_linear_score', 'logic_score']
  return Object.fromEntries(metrics.map(metric => [metric, meanOrNull(ratings.get(metric) ?? [])]))
}

function rateLogic(points: readonly number[], structure: string): number {
  const wrong = points.indexOf(0)
  const steps = wrong < 0 ? points.length : wrong
  const form = structure.replace(/\s/g, '')
  if (form === '[1,[2,3],4]') return laterFork[steps === 1 && points[2] ? 2 : steps] ?? 0
  if (form === '[[1,2],3,4]') return earlyFork[steps === 0 && points[1] ? 1 : steps] ?? 0
  return chain[steps] ?? 0
}
