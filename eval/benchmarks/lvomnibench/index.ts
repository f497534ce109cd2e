import { z } from 'zod'
import { letterAt, withoutLetter } from '../../metrics/choice/options.ts'
import { strip, wordLetter } from '../../python/text.ts'
import { choiceBenchmark } from '../multiple-choice/index.ts'
import { choiceData, choiceSettings, readGroup } from '../multiple-choice/read-choices.ts'

export default choiceBenchmark({
  name: 'lvomnibench',
  about: {
    summary: 'Multiple choice over 10 to 90 minutes of picture and sound together; layout from code',
    home: 'https://github.com/KD-TAO/LVOmniBench',
    licence: 'as its data set states; not read by us',
    download: [
      'From the data set KD-TAO/LVOmniBench (Hugging Face): data.json (1,014 questions, 275 videos) -> the folder that --data names;',
      'videos/video_<number>.mp4. We read the released evaluation code, not the annotations.',
    ],
    chance: 25,
    groupedBy: ['question_type', 'audio_type', 'difficulty', 'video_category'],
  },
  task: 'choose among the options',
  settings: choiceSettings(128),
  data: choiceData({
    name: 'lvomnibench',
    files: /^data\.json$/,
    question: z.looseObject({
      video_id: z.coerce.string(),
      question: z.string(),
      options: z.array(z.string()),
      correct_option: z.string(),
    }),
    record: ({ video_id, question, options, correct_option, ...more }, place) => ({
      id: `${video_id}/${place}`,
      video: `videos/${video_id}.mp4`,
      question,
      options: options.map(withoutLetter),
      answer: strip(correct_option).toUpperCase(),
      groups: {
        question_type: readGroup(more.question_type),
        audio_type: readGroup(more.audio_type),
        difficulty: readGroup(more.difficulty),
        video_category: readGroup(more.video_category),
      },
    }),
  }),
  // The released count leaves out what it cannot read, as it does a video that is missing.
  released: { read: readOmniChoice, unreadable: 'left out', unanswered: 'left out' },
})

const letters = [0, 1, 2, 3, 4, 5].map(letterAt)

// The first that fits: the reply begins with a letter; "answer is B"; the first letter of the alphabet that stands alone
// anywhere, so that "It is B or A" is A; the first of A to F inside a word.
export function readOmniChoice(reply: string): string {
  const text = strip(reply.toUpperCase())
  const [first = '', second = ' '] = text
  if (letters.includes(first) && '.): ,'.includes(second)) return first
  const named = /ANSWER\s*(?:IS|:)\s*([A-F])/.exec(text)?.[1]
  const alone = (letter: string) => new RegExp(`(?<!${wordLetter})${letter}(?!${wordLetter})`, 'u').test(text)
  return named ?? letters.find(alone) ?? /[A-F]/.exec(text)?.[0] ?? ''
}
