import { z } from 'zod'
import { letterAfterPrefixes, videoMmeV2Prefixes } from '../../metrics/choice/after-prefixes.ts'
import { withoutLetter } from '../../metrics/choice/options.ts'
import { choiceBenchmark } from '../multiple-choice/index.ts'
import { choiceData, choiceSettings, groupOf } from '../multiple-choice/read-choices.ts'
import { rateGroups } from './rating.ts'

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
        level: groupOf(row.level),
        group_type: groupOf(row.group_type),
        second_head: groupOf(row.second_head),
        third_head: groupOf(row.third_head),
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
