import { z } from 'zod'
import { isObject } from '../../../src/core/json.ts'
import { removeExtension, splitByName } from '../../data/files.ts'
import { parsedRecords } from '../../data/parse-record.ts'
import { type Sample, statedIn } from '../../data/sample.ts'
import { shownSettings } from '../../protocols/show.ts'
import { subtitleSettings } from '../../protocols/subtitles.ts'
import type { AgentReply, AgentRequest, Benchmark } from '../benchmark.ts'
import { openAsk } from '../choice-ask.ts'
import type { FigureAbout } from '../paper-figures.ts'
import { publishedTables } from '../published.ts'
import { youtubeAddress } from '../source-address.ts'
import { readToolCalls } from './agentic/tool-calls.ts'
import { longshotFrames } from './frames.ts'
import { gradeLongshot, judgedLines } from './grade.ts'
import { longshotProtocol } from './judge.ts'
import { readSampleId } from './official.ts'
import published from './published.json' with { type: 'json' }
import { longshotReleased } from './released.ts'
import { expectedToolCalls } from './rubric.ts'
import { scoreLongshot } from './score.ts'
import { findCategory, strictDuration, strictTask } from './strict.ts'
import { idealTurns, readConversation } from './turns.ts'

const longshotFigures: readonly FigureAbout[] = [
  {
    id: 'longshot:tasks',
    benchmark: 'longshot',
    of: 'columns',
    kind: 'heat',
    tables: ['longshot:3'],
    title: 'Tasks by model',
    source: 'LongShOT paper, Table 3',
    unit: 'per cent',
    top: 100,
    isOf: key => /^[a-z_]+\.accuracy$/.test(key),
  },
  {
    id: 'longshot:lengths',
    benchmark: 'longshot',
    of: 'columns',
    kind: 'bars',
    tables: ['longshot:4'],
    title: 'Accuracy by length of the video',
    source: 'LongShOT paper, Table 4',
    unit: 'per cent',
    top: 100,
    isOf: () => true,
  },
]

const LongshotSample = z.looseObject({
  sample_id: z.string(),
  video_id: z.string(),
  task: z.string().nullish(),
  duration: z.number().nullish(),
  sample_type: z.string().nullish(),
  conversations: z.array(z.looseObject({ role: z.string(), content: z.string().nullish() })),
})
type LongshotSample = z.infer<typeof LongshotSample>

const settings = z.object({
  trajectory: z
    .enum(['ideal', 'free', 'none'])
    .default('ideal')
    .describe('earlier turns with the reference answers, with its own, or not at all'),
  turns: z
    .enum(['all', 'single', 'multi'])
    .optional()
    .meta({ usual: 'all' })
    .describe('which conversations: all (default), those of one question, or those of several'),
  ...shownSettings(128),
  ...subtitleSettings,
  judgePrompt: z.string().optional().describe('a file with the wording of the judge prompt'),
})

const splits = ['postvalid_v2', 'postvalid_v1', 'postvalid_tools_v1']
const files = [...splits.flatMap(split => [split, `${split}_test`]), 'test', 'test-00000-of-00001', 'final_dataset']
const splitOf = splitByName(Object.fromEntries(splits.map(split => [split, [split]])))

const longshot: Benchmark<LongshotSample> = {
  name: 'longshot',
  about: {
    summary: 'LongShOTBench: open questions, single and in conversations, judged by a weighted rubric',
    home: 'https://huggingface.co/datasets/MBZUAI/longshot-bench',
    licence: 'CC BY-NC-SA 4.0 by the badge of the repository; terms to accept; the videos stay with their owners',
    guide: {
      dataset: 'MBZUAI/longshot-bench',
      revision: '5a16213',
      terms: 'terms to accept on its page; CC BY-NC-SA 4.0 by the badge of the repository',
      videos: 'not handed out: 274 (v2) and 157 (v1) by their YouTube ids; bench videos lists their addresses',
      parts: {
        annotations: {
          files: ['postvalid_*/*.parquet', 'postvalid_*/*.jsonl', 'data/*.parquet', '*.jsonl', '*.parquet'],
          ofSplit: Object.fromEntries(
            splits.map(split => [
              split,
              [`${split}/*.parquet`, `${split}/*.jsonl`, `${split}_test.jsonl`, `data/${split}*`],
            ]),
          ),
          note: 'the paths on the hub were not seen: what fits is listed before it is fetched',
        },
      },
    },
    download: [
      'From the data set MBZUAI/longshot-bench (Hugging Face), configuration postvalid_v2 or postvalid_v1, split test: its',
      'Parquet file, or the <task>_test.jsonl that the released tools cache -> the folder that --data names',
      'Videos as <video_id>.mp4 anywhere below the video folder: v1 has 157 (118 h), v2 has 274 (188 h); they come from',
      'YouTube and Video-MME and are not distributed, so how large they are depends on where you fetch them',
      'To score, name a judged _eval.jsonl as --replies; --data may be left out',
    ],
    chance: 0,
    groupedBy: ['categories', 'subtasks', 'modality_breakdown', 'duration_breakdown', 'minutes'],
  },
  tasks: [
    { name: 'answer', summary: 'answer each turn', answer: 'open', judge: ['criteria'] },
    {
      name: 'tools',
      summary: 'agentic turns (v1): which tools to call, how and in which order',
      answer: 'open',
      judge: [],
    },
  ],
  settings,
  // The paper shows the video itself; the other two are for models that take none.
  variants: {
    native: { options: ['video=whole'], isPapers: true },
    frames: { options: ['frames=128'] },
    audio: { options: ['frames=128', 'audio=whole'] },
  },
  data: {
    // The configurations of the data set; their one split, test, is what everything here calls by the configuration's name.
    annotations: { isFile: name => files.includes(removeExtension(name)) || splitOf([name]) !== undefined, splitOf },
    records: files => parsedRecords(LongshotSample, 'longshot', files),
  },
  samples: turnsAsSamples,
  under: options => withTurns(options.turns),
  asks: sample => [buildAsk(sample)],
  grade: gradeLongshot,
  frames: longshotFrames,
  judge: longshotProtocol,
  // Official scoring knows only the judged lines; strict needs the data set to see what has no line.
  judgedRecords: { lines: judgedLines, score: scoreLongshot, idOf: readSampleId },
  released: longshotReleased,
  toolUse: { task: 'tools', set: 'longshot', expected: expectedTools, calls: reply => readToolCalls(reply).length },
  paper: {
    judgedMetrics: ['overall', 'accuracy', 'agentic'],
    published: publishedTables('longshot', published),
    figures: longshotFigures,
  },
  making: {
    recipe: () => import('./recipe/index.ts'),
  },
}
export default longshot

// The conversations of one question, or those of several. The others are no part of the run.
function withTurns(which: unknown): Partial<Pick<Benchmark<LongshotSample>, 'samples'>> {
  if (which !== 'single' && which !== 'multi') return {}
  return {
    samples: record => {
      const turns = turnsAsSamples(record)
      return turns.length > 1 === (which === 'multi') ? turns : []
    },
  }
}

// Only agentic turns ask for tools.
function buildAsk(sample: Sample): AgentRequest {
  const ask = openAsk(sample)
  return expectedToolCalls(sample).length > 0 ? { ...ask, replies: { ...ask.replies, tools: calledTools } } : ask
}

function expectedTools(sample: Sample): string[] {
  return expectedToolCalls(sample).flatMap(call => (isObject(call) && typeof call.tool === 'string' ? [call.tool] : []))
}

// The calls that an agent made on its way to the answer, in the form in which a model alone is asked for them.
function calledTools({ steps = [] }: AgentReply): string {
  const calls = steps.map(({ tool, input }) => ({ tool, parameters: input ?? {} }))
  return `\`\`\`json\n${JSON.stringify({ tool_calls: calls })}\n\`\`\``
}

// Every turn of a conversation is a question of its own, with the turns before it.
function turnsAsSamples(sample: LongshotSample): Sample<LongshotSample>[] {
  const task = strictTask(sample)
  const turns = idealTurns(sample)
  const idOf = (index: number) => `${sample.sample_id}__t${index}`
  const stated = statedIn(sample)
  const groups = {
    task,
    category: findCategory(task),
    duration: strictDuration(sample),
    sample_type: sample.sample_type ?? '',
  }
  return turns.map(({ index, history }) => {
    const textsOf = (speaker: string) => history.flatMap(({ role, text }) => (role === speaker ? [text] : []))
    const userTexts = textsOf('user')
    return {
      id: idOf(index),
      video: `${sample.video_id}.mp4`,
      address: youtubeAddress(sample.video_id),
      question: { text: userTexts.at(-1) ?? '' },
      reference: sample.conversations[index]?.content ?? '',
      turns: textsOf('assistant').map((reference, i) => ({
        question: { text: userTexts[i] ?? '' },
        reference,
        id: idOf(turns[i]?.index ?? 0),
      })),
      groups,
      ...stated,
      ...(!stated.modalities && statedIn({ modalities: readConversation(sample)[index - 1]?.modalities })),
      record: sample,
    }
  })
}
