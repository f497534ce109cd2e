import { z } from 'zod'
import { choiceBenchmark } from '../multiple-choice/index.ts'
import { choiceData, choiceSettings } from '../multiple-choice/read-choices.ts'

const Videos = z.record(z.string(), z.looseObject({ benchmark_dataset: z.array(z.looseObject({})) }))

export default choiceBenchmark({
  name: 'hourvideo',
  about: {
    summary:
      'Multiple choice over 20 to 120 minutes of Ego4D: summary, perception, reasoning, navigation; layout from code',
    home: 'https://hourvideo.stanford.edu/',
    licence: 'the data set is gated; the videos are under the licence of Ego4D',
    download: [
      'From the data set HourVideo/HourVideo (Hugging Face, gated): the JSON of v1.0 {video: {benchmark_dataset}} -> the folder that --data names;',
      'the videos from Ego4D as <video>.mp4. Questions whose options are pictures are not asked, and a forecast is asked about the whole video,',
      'which the released code cuts at its time. We read the released code, not the annotations.',
    ],
    chance: 20,
    groupedBy: ['task'],
  },
  task: 'choose among five options',
  settings: choiceSettings(128),
  data: choiceData({
    name: 'hourvideo',
    files: /hourvideo.*\.json$/i,
    splits: { dev: ['dev'], test: ['test'] },
    rows: value => {
      const { success, data } = Videos.safeParse(value)
      if (!success) return [value]
      return Object.entries(data).flatMap(([video, { benchmark_dataset: rows }]) =>
        rows.map(row => ({ ...row, video })),
      )
    },
    question: z.looseObject({
      video: z.string(),
      qid: z.coerce.string(),
      task: z.string(),
      question: z.string(),
      answer_1: z.string(),
      answer_2: z.string(),
      answer_3: z.string(),
      answer_4: z.string(),
      answer_5: z.string(),
      correct_answer_label: z.string().nullish(), // withheld in the test split
    }),
    record: ({ video, qid, task, question, correct_answer_label: answer, ...row }) => {
      const options = [row.answer_1, row.answer_2, row.answer_3, row.answer_4, row.answer_5]
      if (options.every(option => /\.(?:png|jpe?g)$/i.test(option))) return undefined
      const groups = { task: [task.replace(/^summarization\/.*/, 'summarization')] } // as the released protocol has it
      return { id: qid, video: `${video}.mp4`, question, options, ...(answer && { answer }), groups }
    },
  }),
  // The released code takes the letter that an answer begins with; a task without a result counts as wrong.
  released: { read: reply => /^[A-Za-z]/.exec(reply)?.[0] ?? '', unreadable: 'wrong', unanswered: 'wrong' },
})
