import { basename } from 'node:path'
import { z } from 'zod'
import { choiceBenchmark } from '../multiple-choice/index.ts'
import { choiceData, choiceSettings, ownRule, readGroup } from '../multiple-choice/read-choices.ts'

export default choiceBenchmark({
  name: 'egolife',
  about: {
    summary: 'EgoLifeQA: multiple choice about a week of first-person video; layout from code',
    home: 'https://egolife-ai.github.io/',
    licence: 'as the data agreement of EgoLife states; not read by us',
    download: [
      'From the data set lmms-lab/EgoLife (Hugging Face): EgoLifeQA_<person>.json -> the folder that --data names. The clips of 30 seconds of a',
      'person must be joined to <person>.mp4 by you. What comes after the time of a question is not hidden: the question says its time.',
      'We read the documentation of the released code, not the annotations.',
    ],
    chance: 25,
    groupedBy: ['type'],
  },
  task: 'choose among four options',
  settings: choiceSettings(128),
  data: choiceData({
    name: 'egolife',
    files: /^(?:EgoLifeQA_.*|QA)\.json$/i,
    question: z.looseObject({
      ID: z.coerce.string(),
      query_time: z.looseObject({ date: z.string(), time: z.string() }), // "DAY1", "11210217"
      question: z.string(),
      choice_a: z.string(),
      choice_b: z.string(),
      choice_c: z.string(),
      choice_d: z.string(),
      answer: z.string(),
    }),
    record: ({ ID, query_time: { date, time }, question, answer, type, ...row }, _, file) => {
      const person = /A\d_[A-Z]+/.exec(basename(file))?.[0] ?? 'A1_JAKE'
      return {
        id: `${person}/${ID}`,
        video: `${person}.mp4`,
        question: `It is ${date}, ${time.replace(/^(..)(..)(..).*/, '$1:$2:$3')}. ${question}`,
        options: [row.choice_a, row.choice_b, row.choice_c, row.choice_d],
        answer: answer.trim(),
        groups: { type: readGroup(type) },
      }
    },
  }),
  released: ownRule,
})
