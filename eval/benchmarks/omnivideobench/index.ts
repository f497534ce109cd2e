import { z } from 'zod'
import { withoutLetter } from '../../metrics/choice/options.ts'
import { pythonWords, strip } from '../../python/text.ts'
import { choiceBenchmark } from '../multiple-choice/index.ts'
import { choiceData, choiceSettings, readGroup } from '../multiple-choice/read-choices.ts'

const Video = z.looseObject({ video: z.coerce.string(), questions: z.array(z.looseObject({})) })

export default choiceBenchmark({
  name: 'omnivideobench',
  about: {
    summary: 'Multiple choice over videos of up to 30 minutes that needs picture and sound; layout from code',
    home: 'https://github.com/NJU-LINK/OmniVideoBench',
    licence: 'the data set is gated; its terms were not read by us',
    download: [
      'From the data set NJU-LINK/OmniVideoBench (Hugging Face, gated): the JSON of 1,000 questions about 628 videos -> the folder that',
      '--data names; videos as <video>.mp4. We read the released code and its five example videos, not the annotations.',
    ],
    chance: 25,
    groupedBy: ['question_type', 'audio_type', 'video_type'],
  },
  task: 'choose among four options',
  settings: choiceSettings(128),
  data: choiceData({
    name: 'omnivideobench',
    files: /^(?:qa_|example_)?data\.json$/,
    rows: value => {
      const { success, data } = Video.safeParse(value)
      return success ? data.questions.map((question, at) => ({ ...data, ...question, at })) : [value]
    },
    question: z.looseObject({
      video: z.coerce.string(),
      at: z.number().default(0),
      question: z.string(),
      options: z.array(z.string()),
      correct_option: z.string(),
    }),
    record: ({ video, at, question, options, correct_option, ...more }) => ({
      id: `${video}/${at}`,
      video: `videos/${video}.mp4`,
      question,
      options: options.map(withoutLetter),
      answer: strip(correct_option),
      groups: {
        question_type: readGroup(more.question_type),
        audio_type: readGroup(more.audio_type),
        video_type: readGroup(more.video_type),
      },
    }),
  }),
  released: { read: readBoxedChoice, unreadable: 'wrong', unanswered: 'left out' },
})

const boxed = /\/box\{([^}]+)\}/
const punctuation = /[!-/:-@[-`{-~]/g

// The whole reply, cleaned, must be the letter: "B", "B. text", "(b)" and "\boxed{B}" are, "The answer is B" is not.
export function readBoxedChoice(reply: string): string {
  const last = strip(reply.split('assistant').at(-1) ?? '')
  const inBox = strip(boxed.exec(last)?.[1] ?? last)
  const text = strip(/\\boxed\{([^}]+)\}/.exec(inBox)?.[1] ?? inBox).toLowerCase()
  const again = boxed.exec(text)?.[1] ?? text
  const first = again[1] === '.' ? (again[0] ?? '') : again
  return pythonWords(first.replace(punctuation, '')).join(' ').toUpperCase()
}
