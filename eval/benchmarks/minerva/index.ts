import { z } from 'zod'
import { letterAt } from '../../metrics/choice/options.ts'
import { choiceBenchmark } from '../multiple-choice/index.ts'
import { choiceData, choiceSettings, ownRule, readGroup } from '../multiple-choice/read-choices.ts'
import { youtubeAddress } from '../source-address.ts'

export default choiceBenchmark({
  name: 'minerva',
  about: {
    summary:
      'Multiple choice that needs several steps of reasoning, videos of 2 minutes to 1.5 hours; layout from code',
    home: 'https://github.com/google-deepmind/neptune',
    licence: 'CC-BY-4.0 (annotations); the videos stay with their owners',
    download: [
      'minerva.json, as the page of the benchmark says (about 1,500 questions) -> the folder that --data names; the videos come from YouTube',
      'by video_id -> videos/<video_id>.mp4. Its makers release no scorer. We read code that loads it, not the annotations.',
    ],
    chance: 20,
    groupedBy: ['question_type', 'category', 'split'],
  },
  task: 'choose among five options',
  settings: choiceSettings(128),
  data: choiceData({
    name: 'minerva',
    files: /^minerva\.json$/,
    question: z.looseObject({
      key: z.coerce.string(),
      video_id: z.string(),
      question: z.string(),
      answer_choice_0: z.string(),
      answer_choice_1: z.string(),
      answer_choice_2: z.string(),
      answer_choice_3: z.string(),
      answer_choice_4: z.string(),
      answer_id: z.coerce.number().int(), // from 0
      question_type: z.union([z.string(), z.array(z.string())]).nullish(),
    }),
    record: ({ key, video_id, question, answer_id, question_type, category, split, ...row }) => {
      const address = youtubeAddress(video_id)
      const types = typeof question_type === 'string' ? question_type.split(',') : (question_type ?? [])
      return {
        id: key,
        video: `videos/${video_id}.mp4`,
        ...(address && { address }),
        question,
        options: [0, 1, 2, 3, 4].map(i => String(row[`answer_choice_${i}`])),
        answer: letterAt(answer_id),
        groups: {
          question_type: types.map(type => type.trim()),
          category: readGroup(category),
          split: readGroup(split),
        },
      }
    },
  }),
  released: ownRule,
})
