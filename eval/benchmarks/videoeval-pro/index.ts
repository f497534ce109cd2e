import { z } from 'zod'
import { removeExtension } from '../../data/files.ts'
import { parsedRecords } from '../../data/parse-record.ts'
import { type Sample, statedIn } from '../../data/sample.ts'
import { readKey, withoutLetter } from '../../metrics/choice/options.ts'
import { showFrames, type Wordings } from '../../protocols/frames.ts'
import { saidBlind, sampledTimes, shownSettings } from '../../protocols/show.ts'
import { linesSaid, saidText, subtitleSettings } from '../../protocols/subtitles.ts'
import type { Benchmark } from '../benchmark.ts'
import { choiceAsk, openAsk } from '../choice-ask.ts'
import { pieces } from '../data-guide.ts'
import type { FigureAbout } from '../paper-figures.ts'
import { promptSetting, readPrompt } from '../prompt-file.ts'
import { publishedTables } from '../published.ts'
import { gradeVideoEvalPro, sumVideoEvalPro } from './grade.ts'
import { videoEvalProProtocol } from './judge.ts'
import published from './published.json' with { type: 'json' }
import { VideoEvalProRecord } from './record.ts'
import { videoEvalProReleased } from './released.ts'

const videoEvalProFigures: readonly FigureAbout[] = [
  {
    id: 'videoeval-pro:fig1',
    benchmark: 'videoeval-pro',
    of: 'pairs',
    table: 'videoeval-pro:2',
    title: 'By choice and in words',
    source: 'as VideoEval-Pro paper, Figure 1; published numbers of its Table 2',
    metrics: { mcq: 'MCQ', open: 'Open' },
  },
  {
    id: 'videoeval-pro:fig3',
    benchmark: 'videoeval-pro',
    of: 'frames',
    title: 'Accuracy against frames, beside Video-MME',
    source: 'as VideoEval-Pro paper, Figure 3; published points of its Table 2, the best of 32 to 512 frames',
    panels: [
      { metric: 'open', title: 'VideoEval-Pro', published: { table: 'videoeval-pro:2' } },
      { metric: 'video-mme:accuracy', title: 'Video-MME' },
    ],
  },
  {
    id: 'videoeval-pro:radar',
    benchmark: 'videoeval-pro',
    of: 'columns',
    kind: 'radar',
    title: 'Types of questions, in words',
    source: 'VideoEval-Pro paper, Table 2',
    unit: 'per cent',
    top: 100,
    tables: ['videoeval-pro:2'],
    isOf: key => key.endsWith('.open'),
  },
]

const settings = z.object({
  ...shownSettings(32, 'frames over the video; all where it has fewer'),
  ...subtitleSettings,
  prompt: promptSetting,
  judgePrompt: z.string().optional().describe('a file with the wording of the judge prompt'),
})

const files = ['test', 'test-00000-of-00001', 'videoeval_pro', 'videoeval-pro']

const videoEvalPro: Benchmark<VideoEvalProRecord> = {
  name: 'videoeval-pro',
  about: {
    summary: 'Short open answers over long videos, judged, with the multiple-choice twin of each question',
    home: 'https://huggingface.co/datasets/TIGER-Lab/VideoEval-Pro',
    licence: 'none stated by its makers',
    guide: {
      dataset: 'TIGER-Lab/VideoEval-Pro',
      terms: 'none stated by its makers',
      videos: '465, in pieces of one archive; folders of frames (<video>/000001.jpg) exist too',
      parts: {
        annotations: { files: ['data/test-00000-of-00001.parquet'] },
        videos: { files: ['videos/videos_part_*.tar.gz'], note: pieces },
      },
    },
    download: [
      'From the data set TIGER-Lab/VideoEval-Pro (Hugging Face): data/test-00000-of-00001.parquet (174 KB, 1,289 questions, 465 videos)',
      '-> the folder that --data names',
      'videos/videos_part_*.tar.gz, pieces of one archive: cat videos_part_*.tar.gz | tar -xzf - -> videos_filtered/<video>',
      '(465 videos, 38 min each on average; the total size is not stated, look at the list of files before you fetch)',
    ],
    chance: null,
    demandsAnswer: true,
    groupedBy: ['qa_type'],
  },
  tasks: [
    { name: 'open', summary: 'answer in a few words', answer: 'open', judge: ['open'] },
    { name: 'mcq', summary: 'choose among the options', answer: 'choice', judge: [] },
  ],
  settings,
  data: {
    mapped: {
      fields: {
        video: 'video',
        question: 'question',
        options: 'options with letters',
        answer: 'letter',
        answer_text: 'text',
        qa_type: 'task',
        qa_subtype: 'sub task',
      },
    },
    editions: [{ split: 'test', records: 1289 }],
    annotations: {
      isFile: name => files.includes(removeExtension(name)),
      splitOf: place => (files.includes(removeExtension(place.at(-1) ?? '')) ? 'test' : undefined), // its only one
    },
    records: files => parsedRecords(VideoEvalProRecord, 'videoeval-pro', files),
  },
  variants: Object.fromEntries(
    [1, 32, 64, 128, 256, 512].map(count => [`f${count}`, { options: [`frames=${count}`] }]),
  ),
  samples: (record, place) => [toSample(record, place)],
  asks: sample => [openAsk(sample, 'open'), choiceAsk(sample, 'mcq')],
  grade: gradeVideoEvalPro,
  sum: sumVideoEvalPro,
  // Two independent requests, each with the same frames before one text.
  frames: {
    request({ record }, task, media, options: z.infer<typeof settings> & Wordings) {
      const { framesPerSecond, lastFrame } = media
      const timesOf = (count: number) => spreadFrames(lastFrame + 1, count).map(index => index / framesPerSecond)
      const times = sampledTimes(options, media, timesOf)
      const speech = saidText(linesSaid(options, media, times, timesOf))
      const customPrompt = readPrompt(options, task, { question: record.question, options: record.options.join(' ') })
      const promptLines =
        customPrompt ??
        saidBlind(videoEvalProPrompt(task === 'open' ? 'open' : 'mcq', record), times.length, media.native)
      return { turns: showFrames(times, speech + promptLines), temperature: 0, maxTokens: 1024 }
    },
  },
  judge: videoEvalProProtocol,
  released: videoEvalProReleased,
  paper: {
    judgedMetrics: ['open', 'gap', 'kappa'],
    published: publishedTables('videoeval-pro', published),
    figures: videoEvalProFigures,
  },
  making: {
    recipe: () => import('./recipe/index.ts'),
  },
}
export default videoEvalPro

// Records have no ids: they are known by their place in the file.
function toSample(record: VideoEvalProRecord, place: number): Sample<VideoEvalProRecord> {
  return {
    id: String(place),
    video: `videos_filtered/${record.video}`,
    question: { text: record.question, options: record.options.map(withoutLetter) },
    ...(record.answer_text && { reference: record.answer_text }),
    ...readKey(record.answer, record.options),
    groups: { qa_type: record.qa_type, qa_subtype: record.qa_subtype ?? '', source: record.source ?? '' },
    ...statedIn(record),
    record,
  }
}

// The two independent requests about an item, after its frames: our words in the released structure.
export function videoEvalProPrompt(task: 'open' | 'mcq', record: VideoEvalProRecord): string {
  if (task === 'open') return `${record.question} Answer in a few words.`
  return [
    'Which option is right, by what the video shows? Reply with only its letter.',
    record.question,
    record.options.join(' '),
  ].join('\n')
}

// Which of `total` frames in file order are shown: all while there are no more than `count`, else evenly from the first.
export function spreadFrames(total: number, count: number): number[] {
  const frameCount = Math.min(total, count)
  return Array.from({ length: frameCount }, (_, i) => (total <= count ? i : Math.trunc((i * total) / count)))
}
