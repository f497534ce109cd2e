import { mergeSpans, type Span } from '../../../src/core/time.ts'
import { parsedRecords } from '../../data/parse-record.ts'
import { type Sample, statedIn } from '../../data/sample.ts'
import { readKey } from '../../metrics/choice/options.ts'
import type { AgentReply, AgentRequest, Benchmark } from '../benchmark.ts'
import { readChoiceLetter } from '../choice-ask.ts'
import { pieces } from '../data-guide.ts'
import { type FigureAbout, tenMinutes } from '../paper-figures.ts'
import { publishedTables } from '../published.ts'
import { sourceAddress } from '../source-address.ts'
import { cgBenchFrameSettings, cgBenchFrames, variants } from './frames.ts'
import { gradeCgBench, maxIntervals, sumCgBench } from './grade.ts'
import { cgBenchProtocol } from './judge.ts'
import published from './published.json' with { type: 'json' }
import { CgBenchRecord, clueSpans, durationBin } from './record.ts'
import { cgBenchReleased } from './released.ts'
import { fenced } from './reply.ts'

const minutes = [...tenMinutes, [60, Number.POSITIVE_INFINITY] as const]
const rowsOf50And128 = { table: 'cg-bench:6', where: { picture: 'Low', sampling: 'Uniform' } }

const cgBenchFigures: readonly FigureAbout[] = [
  {
    id: 'cg-bench:fig5',
    benchmark: 'cg-bench',
    of: 'coverage',
    title: 'Where in the videos the clues are',
    source: 'as CG-Bench paper, Figure 5',
  },
  {
    id: 'cg-bench:fig7',
    benchmark: 'cg-bench',
    of: 'frames',
    title: 'Metrics against frames',
    source: 'as CG-Bench paper, Figure 7; published points of its Table 6',
    panels: [
      { metric: 'clue_acc', title: 'clue-acc.' },
      { metric: 'long_acc', title: 'long-acc.', published: rowsOf50And128 },
      { metric: 'miou', title: 'mIoU' },
      { metric: 'acc_at_iou_0', title: 'acc.@IoU, τ = 0' }, // as in all of the paper's ablations
      { metric: 'crr', title: 'CRR' },
      { metric: 'oe_acc', title: 'OE-acc.' },
    ],
  },
  {
    id: 'cg-bench:fig9',
    benchmark: 'cg-bench',
    of: 'lengths',
    task: 'long_acc',
    minutes,
    title: 'long-acc. by length of the video',
    source: 'as CG-Bench paper, Figure 9',
    names: Object.fromEntries(
      minutes.map(([from, below]) => [`${from}-${below}`, `${below > 60 ? '60+' : `${from} ~ ${below}`}.long_acc`]),
    ),
  },
]

const splits: Record<string, string> = { 'cgbench_mini.json': 'mini', 'cgbench.json': 'full' }

// What a file holds decides, whatever it is called. The full set was not at hand: it is known only by its number.
const editions = [
  { split: 'mini', records: 3000, dataHash: '4ab298e2f77073ce4b49cc3fc1cf3c6ee129b398fb5292c1f22965f3453a031f' },
  { split: 'full', records: 12_129 },
]

const cgBench: Benchmark<CgBenchRecord> = {
  name: 'cg-bench',
  about: {
    summary: 'Multiple choice over long videos with clue intervals: accuracy, grounding, open answers (mini and full)',
    home: 'https://cg-bench.github.io/leaderboard/',
    licence:
      'MIT by the card of the data set, which is gated (as stored in 2025-03); cc-by-nc-sa-4.0 by a mirror (undated); videos stay with their owners',
    guide: {
      dataset: 'CG-Bench/CG-Bench',
      terms: 'gated; MIT by the card of the data set (as stored in 2025-03)',
      videos:
        '1,219 (mini: 1,118), in pieces of one archive; bench videos lists their addresses on YouTube and Bilibili',
      elsewhere:
        'Both annotation files and video_meta_info.json lie in the code repository of CG-Bench without a gate; the data set is on ModelScope too',
      parts: {
        annotations: {
          files: ['cgbench.json', 'cgbench_mini.json', 'video_meta_info.json'],
          ofSplit: {
            mini: ['cgbench_mini.json', 'video_meta_info.json'],
            full: ['cgbench.json', 'video_meta_info.json'],
          },
        },
        subtitles: { files: ['subtitles.zip'] },
        videos: { files: ['video_chunk_*.zip'], note: pieces },
        clips: {
          files: ['clue_video_chunk_*.zip'],
          note: `${pieces}; needed only for clue_acc`,
        },
      },
    },
    download: [
      'From the code repository of CG-Bench (no gate) or the data set CG-Bench/CG-Bench (Hugging Face, gated): cgbench_mini.json (2.4 MB, 3,000 questions, 1,118 videos) or',
      'cgbench.json (9.4 MB, 12,129 questions, 1,219 videos) -> the folder that --data names',
      'video_chunk_*.zip, pieces of one archive -> cg_videos_720p/<video_uid>.mp4 (1,219 videos at 720p, half an hour each on',
      'average; the total size is not stated, look at the list of files before you fetch)',
      'clue_video_chunk_*.zip -> cg_clue_videos/<qid>.mp4, needed only for clue_acc; subtitles.zip -> cg_subtitles/<video_uid>.srt (half the videos have none)',
    ],
    chance: 14.2,
    demandsAnswer: true,
    groupedBy: ['domain', 'sub_category', 'duration'],
  },
  tasks: [
    { name: 'long_acc', summary: 'choose with frames of the whole video', answer: 'choice', judge: [] },
    { name: 'clue_acc', summary: 'choose with frames of the clue intervals', answer: 'choice', judge: [] },
    { name: 'miou', summary: 'say where the clues are', answer: 'intervals', judge: [] },
    { name: 'open', summary: 'answer without options', answer: 'open', judge: ['step_1', 'step_2'] },
  ],
  settings: cgBenchFrameSettings,
  data: {
    mapped: {
      fields: {
        qid: 'id',
        video_uid: 'stem',
        question: 'question',
        choices: 'options',
        right_answer: 'letter',
        answer: 'text',
        domain: 'task',
        sub_category: 'sub task',
      },
      more: ['clue_intervals', 'duration'],
    },
    annotations: { isFile: name => Object.hasOwn(splits, name), splitOf: place => splits[place.at(-1) ?? ''] },
    editions,
    records: files => parsedRecords(CgBenchRecord, 'cg-bench', files),
  },
  variants,
  samples: record => [toSample(record)],
  asks,
  grade: gradeCgBench,
  sum: sumCgBench,
  frames: cgBenchFrames,
  judge: cgBenchProtocol,
  released: cgBenchReleased,
  paper: {
    judgedMetrics: ['oe_acc'],
    published: publishedTables('cg-bench', published),
    figures: cgBenchFigures,
  },
  making: {
    recipe: () => import('./recipe/index.ts'),
  },
}

export default cgBench

function toSample(record: CgBenchRecord): Sample<CgBenchRecord> {
  return {
    id: record.qid,
    video: `cg_videos_720p/${record.video_uid}.mp4`,
    address: sourceAddress(record.video_uid),
    question: { text: record.question, options: record.choices },
    reference: record.answer,
    ...readKey(record.right_answer, record.choices),
    clues: clueSpans(record),
    subtitles: `cg_subtitles/${record.video_uid}.srt`,
    groups: {
      domain: record.domain,
      sub_category: record.sub_category,
      duration: durationBin(record.duration),
    },
    ...statedIn(record),
    record,
  }
}

// A question with options serves choice and grounding at once: where an agent looked is what its answer cites.
function asks(sample: Sample): AgentRequest[] {
  const { id, video, question } = sample
  const letter = (asked: AgentReply) => fenced(readChoiceLetter(asked))
  return [
    {
      name: 'choice',
      video,
      question,
      replies: {
        long_acc: letter,
        miou: asked => fenced(citedSpans(asked).map(({ start, end }) => [start, end])),
      },
    },
    { name: 'clue', video: `cg_clue_videos/${id}.mp4`, question, replies: { clue_acc: letter } },
    { name: 'open', video, question: { text: question.text }, replies: { open: ({ answer }) => fenced(answer.text) } },
  ]
}

// Where the answer's evidence lies, the longest first if there are more than a grounding reply may hold.
function citedSpans({ answer, evidence }: AgentReply): Span[] {
  const rows = new Map(evidence.map(row => [row.id, row.span]))
  const cited = answer.sentences.flatMap(({ at, cites }) => at ?? cites.flatMap(id => rows.get(id) ?? []))
  const spans = mergeSpans(cited, 1)
  const longestSpans = [...spans].sort((a, b) => b.end - b.start - (a.end - a.start)).slice(0, maxIntervals)
  return spans.filter(span => longestSpans.includes(span))
}
