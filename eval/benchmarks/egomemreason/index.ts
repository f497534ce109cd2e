import { z } from 'zod'
import { letterAt } from '../../metrics/choice/options.ts'
import { choiceBenchmark } from '../multiple-choice/index.ts'
import { choiceData, choiceSettings, ownRule, readGroup } from '../multiple-choice/read-choices.ts'

export default choiceBenchmark({
  name: 'egomemreason',
  about: {
    summary:
      'Multiple choice about a week of EgoLife that needs memory over days; the answers are withheld; layout from code',
    home: 'https://egomemreason.github.io/',
    licence: 'as the data agreement of EgoLife states; not read by us',
    download: [
      'From the data set Ted412/EgoMemReason (Hugging Face): annotations_public.jsonl (500 questions, v1.1) -> the folder that --data names. The',
      'clips of a person must be joined to <person>.mp4 by you; what comes after the time of a question is not hidden. The makers score replies.',
      'We read the schema that they document, not the annotations.',
    ],
    chance: null,
    groupedBy: ['query_type'],
  },
  task: 'choose among four to ten options',
  settings: choiceSettings(128),
  data: choiceData({
    name: 'egomemreason',
    files: /^annotations_public\.jsonl$|^final_benchmark.*\.json$/,
    question: z.looseObject({
      example_id: z.coerce.string(),
      identity: z.string(),
      query_time: z.string(),
      question: z.string(),
      options: z.record(z.string(), z.string()), // by letter
      correct_answer: z.string().nullish(),
    }),
    record: ({ example_id, identity, query_time, question, options, correct_answer, query_type }) => {
      const letters = Object.keys(options).sort()
      const right = letters.indexOf(correct_answer ?? '')
      return {
        id: example_id,
        video: `${identity}.mp4`,
        question: `It is ${query_time}. ${question}`,
        options: letters.map(letter => options[letter] ?? ''),
        ...(right >= 0 && { answer: letterAt(right) }),
        groups: { query_type: readGroup(query_type) },
      }
    },
  }),
  released: ownRule,
})
