import { z } from 'zod'
import { UsageError } from '../../../src/core/errors.ts'
import { removeExtension } from '../../data/files.ts'
import { listField, parseRecord } from '../../data/parse-record.ts'
import { readRecords } from '../../data/records.ts'
import { withoutLetter } from '../../metrics/choice/options.ts'
import { strip } from '../../python/text.ts'
import { choiceBenchmark } from '../multiple-choice/index.ts'
import { choiceSettings } from '../multiple-choice/read-choices.ts'
import type { ChoiceRecord } from '../multiple-choice/record.ts'
import { youtubeAddress } from '../source-address.ts'

const Question = z.looseObject({
  uid: z.union([z.string(), z.number()]).transform(String),
  question: z.string(), // with its options as lines "(A) ..."
  options: listField(z.string()).nullish(),
  answer: z.string(),
  question_type: z.union([listField(z.string()), z.string().transform(type => [type])]).nullish(),
  time_reference: z.string().nullish(),
  video_path: z.string().nullish(),
})

const files = ['video_info.meta', 'test', 'test-00000-of-00001']

const lvBench = choiceBenchmark({
  name: 'lvbench',
  about: {
    summary: 'Multiple choice over hour-long videos, six capabilities',
    home: 'https://lvbench.github.io/',
    licence: 'CC-BY-NC-SA-4.0, for academic research only',
    guide: {
      dataset: 'THUDM/LVBench',
      terms: 'CC-BY-NC-SA-4.0, for academic research only',
      videos: '103, not handed out; bench videos lists their addresses on YouTube',
      parts: { annotations: { files: ['video_info.meta.jsonl'] } },
    },
    download: [
      'From the data set THUDM/LVBench (Hugging Face): video_info.meta.jsonl (1,549 questions, 103 videos) -> the folder that --data names',
      'The videos (about an hour each) come from YouTube by the key of each line -> videos/<key>.mp4; how large they',
      'are depends on the format you fetch',
    ],
    chance: 25,
    groupedBy: ['question_type'],
  },
  task: 'choose among four options',
  settings: choiceSettings(128),
  data: {
    mapped: {
      fields: {
        uid: 'id',
        video_path: 'video',
        question: 'question',
        options: 'options with letters',
        answer: 'letter',
        question_type: 'task',
      },
    },
    annotations: {
      isFile: name => files.includes(removeExtension(name)),
      splitOf: place => (files.includes(removeExtension(place.at(-1) ?? '')) ? 'test' : undefined), // its only one
    },
    records: async files => (await Promise.all(files.map(readChoiceRecords))).flat(),
  },
  // The released script counts the questions in the answer file; one with several types counts in each.
  released: {
    read: firstSign,
    unreadable: 'wrong',
    unanswered: 'left out',
  },
})
export default lvBench

// What the released tools keep of a reply: the first sign before the first ")" and after the first "(" there, so that
// "The answer is B" becomes T.
export function firstSign(reply: string): string {
  const [closed = ''] = strip(reply).split(')')
  const before = strip(closed)
  const [, opened] = before.split('(')
  const [word = ''] = (opened === undefined ? before : strip(opened)).split(' ')
  return [...word][0] ?? ''
}

async function readChoiceRecords(file: string): Promise<ChoiceRecord[]> {
  return (await readRecords(file)).flatMap((value, i) => {
    const video = value as Record<string, unknown>
    const recordName = `${file}, record ${i}`
    const questions = Array.isArray(video?.qa) ? video.qa : [value]
    return questions.map(item => {
      const question = parseRecord(Question, item, 'lvbench', recordName)
      const path = typeof video.key === 'string' ? `videos/${video.key}.mp4` : (question.video_path ?? '')
      const address = typeof video.key === 'string' ? youtubeAddress(video.key) : undefined
      return { ...choiceRecord(question, path, recordName), ...(address !== undefined && { address }) }
    })
  })
}

function choiceRecord(question: z.infer<typeof Question>, video: string, place: string): ChoiceRecord {
  const [text = '', ...lines] = question.question.split(/\n(?=\([A-Z]\)\s)/)
  const options = (question.options ?? lines).map(withoutLetter)
  if (options.length === 0)
    throw new UsageError(`${place}, question ${question.uid} has no options.`, {
      hint: 'They are expected as lines "(A) ..." in the question, or as a list.',
    })
  return {
    id: question.uid,
    video,
    question: text,
    options: options.map(option => option.trim()),
    answer: question.answer.trim(),
    groups: { question_type: question.question_type ?? [] },
    record: question,
  }
}
