import { z } from 'zod'
import type { Benchmark, Sample } from '../../../src/core/benchmark.ts'
import { dataFile } from '../../data/files.ts'
import { parseRecord } from '../../data/parse-record.ts'
import { readRecords } from '../../data/records.ts'
import { taskOf } from './official.ts'
import { scoreLongshot } from './score.ts'
import { categoryOf } from './strict.ts'
import { durationBuckets, taskAliases } from './tables.ts'
import { idealTurns } from './turns.ts'

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
    .enum(['ideal', 'free'])
    .default('ideal')
    .describe('earlier turns with the reference answers, or with its own'),
  judgePrompt: z.string().optional().describe('a file with the wording of the judge prompt'),
})

const longshot: Benchmark = {
  name: 'longshot',
  summary: 'LongShOTBench: open questions, single and in conversations, judged by a weighted rubric',
  home: 'https://huggingface.co/datasets/MBZUAI/longshot-bench',
  licence: 'see the data set; the videos stay with their owners',
  download: [
    'From the data set MBZUAI/longshot-bench (Hugging Face), configuration postvalid_v2 or postvalid_v1, split test: its',
    'Parquet file, or the <task>_test.jsonl that the released tools cache -> the folder that --data names',
    'Videos as <video_id>.mp4 anywhere below the video folder: v1 has 157 (118 h), v2 has 274 (188 h); they come from',
    'YouTube and Video-MME and are not distributed, so how large they are depends on where you fetch them',
    'To score, name a judged _eval.jsonl as --replies; --data may be left out',
  ],
  chance: 0,
  groupedBy: ['categories', 'subtasks', 'modality_breakdown', 'duration_breakdown'],
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
  async *samples(data, { limit }) {
    let count = 0
    for (const sample of await longshotSamples(data))
      for (const turn of turnsAsSamples(sample)) {
        if (limit !== undefined && count++ >= limit) return
        yield turn
      }
  },
  // Official scoring knows the judged file alone; strict needs the data set to see what has no line.
  score: async input =>
    scoreLongshot(input, input.data === undefined || input.scoring === 'official' ? [] : await rawSamples(input.data)),
}

export default longshot

export async function longshotSamples(data: string): Promise<LongshotSample[]> {
  return (await rawSamples(data)).map((value, i) =>
    parseRecord(LongshotSample, value, 'longshot', `${data}, sample ${i}`),
  )
}

async function rawSamples(data: string): Promise<unknown[]> {
  const names = ['postvalid_v2_test', 'postvalid_v1_test', 'postvalid_tools_v1_test', 'test', 'final_dataset']
  return readRecords(
    await dataFile(data, 'longshot', [
      ...names.flatMap(name => [`${name}.jsonl`, `${name}.parquet`]),
      'test-00000-of-00001.parquet',
    ]),
  )
}

// Every turn of a conversation is a question of its own, with the turns before it.
function turnsAsSamples(sample: LongshotSample): Sample[] {
  const task = taskOf(sample, taskAliases) ?? 'unknown'
  const duration = durationBuckets.find(
    ({ from, to }) => from <= (sample.duration ?? -1) && (sample.duration ?? -1) < to,
  )
  return idealTurns(sample).map(({ index, history }) => {
    const asked = history.filter(({ role }) => role === 'user').map(({ text }) => text)
    const said = history.filter(({ role }) => role === 'assistant').map(({ text }) => text)
    return {
      id: `${sample.sample_id}__t${index}`,
      video: `${sample.video_id}.mp4`,
      question: { text: asked.at(-1) ?? '' },
      reference: sample.conversations[index].content ?? '',
      turns: said.map((reference, i) => ({ question: { text: asked[i] ?? '' }, reference })),
      groups: {
        task,
        category: categoryOf(task),
        duration: duration?.name ?? 'unknown',
        sample_type: sample.sample_type ?? '',
      },
      record: sample,
    }
  })
}
