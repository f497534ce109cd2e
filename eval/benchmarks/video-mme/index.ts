import { z } from 'zod'
import { removeExtension, splitByName } from '../../data/files.ts'
import { listField, parseRecord } from '../../data/parse-record.ts'
import { readRecords } from '../../data/records.ts'
import { letterAfterPrefixes, videoMmePrefixes } from '../../metrics/choice/after-prefixes.ts'
import { withoutLetter } from '../../metrics/choice/options.ts'
import { shownSettings } from '../../protocols/show.ts'
import { choiceBenchmark } from '../multiple-choice/index.ts'
import type { ChoiceRecord } from '../multiple-choice/record.ts'
import { promptSetting } from '../prompt-file.ts'
import { youtubeAddress } from '../source-address.ts'

// A question as the Parquet file has it, or as the results template has it below its video.
const Question = z.looseObject({
  question_id: z.string(),
  task_type: z.string(),
  question: z.string(),
  options: listField(z.string()),
  answer: z.string(),
})
const Video = z.looseObject({
  video_id: z.string(),
  videoID: z.string().nullish(),
  url: z.string().nullish(),
  duration: z.string().nullish(),
  duration_category: z.string().nullish(),
  domain: z.string().nullish(),
  video_category: z.string().nullish(),
  sub_category: z.string().nullish(),
  video_subcategory: z.string().nullish(),
})

const settings = z.object({
  ...shownSettings(128),
  prompt: promptSetting,
  subtitles: z.boolean().default(false).describe('show the subtitles too: a result of its own'),
})

const videoMme = choiceBenchmark({
  name: 'video-mme',
  about: {
    summary: 'Multiple choice over short, medium and long videos, with and without subtitles',
    home: 'https://video-mme.github.io/',
    licence: 'for academic research only; the videos stay with their owners',
    guide: {
      dataset: 'lmms-lab/Video-MME',
      terms: 'for academic research only',
      videos: '900, 101 GB in 20 archives, each whole by itself',
      parts: {
        annotations: { files: ['videomme/test-00000-of-00001.parquet'] },
        subtitles: { files: ['subtitle.zip'] },
        videos: { files: ['videos_chunked_*.zip'] },
      },
    },
    download: [
      'From the data set lmms-lab/Video-MME (Hugging Face): videomme/test-00000-of-00001.parquet (2,700 questions, 900 videos)',
      '-> the folder that --data names',
      'videos_chunked_01.zip to _20.zip (101 GB) -> data/<videoID>.mp4; subtitle.zip (7.5 MB) -> subtitle/<videoID>.srt',
    ],
    chance: 25,
    groupedBy: ['duration', 'domain', 'sub_category', 'task_type'],
  },
  task: 'choose among four options',
  settings,
  data: {
    mapped: {
      fields: {
        question_id: 'id',
        video_id: 'stem',
        question: 'question',
        options: 'options with letters',
        answer: 'letter',
        task_type: 'task',
      },
      more: ['duration', 'domain', 'sub_category', 'url'],
    },
    annotations: {
      isFile: name => ['videomme', 'test', 'test-00000-of-00001'].includes(removeExtension(name)),
      splitOf: splitByName({ test: ['test', 'videomme'] }),
    },
    records: async files => (await Promise.all(files.map(readChoiceRecords))).flat(),
    splitOf: record => record.groups.duration?.[0],
  },
  // The released script leaves a reply without a letter out of its denominators.
  released: {
    read: reply => letterAfterPrefixes(reply, videoMmePrefixes, 'A-D'),
    unreadable: 'left out',
    unanswered: 'left out',
  },
})
export default videoMme

async function readChoiceRecords(file: string): Promise<ChoiceRecord[]> {
  return (await readRecords(file)).flatMap((value, i) => {
    const recordName = `${file}, record ${i}`
    const video = parseRecord(Video, value, 'video-mme', recordName)
    const questions = Array.isArray(video.questions) ? video.questions : [value]
    return questions.map(question => choiceRecord(video, parseRecord(Question, question, 'video-mme', recordName)))
  })
}

function choiceRecord(video: z.infer<typeof Video>, question: z.infer<typeof Question>): ChoiceRecord {
  const name = video.videoID ?? video.video_id
  const address = video.url ?? youtubeAddress(name)
  const firstText = (...values: (string | null | undefined)[]) =>
    values.filter(value => value !== null && value !== undefined).slice(0, 1)
  return {
    id: question.question_id,
    video: `data/${name}.mp4`,
    ...(address && { address }),
    question: question.question,
    options: question.options.map(withoutLetter),
    answer: question.answer.trim(),
    groups: {
      duration: firstText(video.duration, video.duration_category),
      domain: firstText(video.domain, video.video_category),
      sub_category: firstText(video.sub_category, video.video_subcategory),
      task_type: [question.task_type],
    },
    subtitles: `subtitle/${name}.srt`,
    record: question,
  }
}
