import { z } from 'zod'
import { Question } from '../../src/core/agent.ts'
import { Span } from '../../src/core/time.ts'
import type { Sample } from '../data/sample.ts'
import { SampleLine } from '../data/sample-line.ts'
import type { LocatedSample } from './ask/process-samples.ts'

const Turn = z.object({ question: Question, reference: z.string(), id: z.string().optional() })

// A sample whose record is told by its place in a list: many questions are made of one.
const SentSample = z.object({
  id: z.string(),
  video: z.string(),
  question: Question,
  reference: z.string().optional(),
  choice: z.number().optional(),
  clues: z.array(Span).optional(),
  turns: z.array(Turn).optional(),
  subtitles: z.string().optional(),
  groups: z.record(z.string(), z.string()),
  record: z.int().min(0),
})

// A share of a run's samples with all that is needed to ask them but the videos, which go by their ids. The data of the benchmark need
// not lie on the machine that asks.
export const SentShard = z.object({
  samples: z.array(z.object({ place: z.int().min(0), sample: SentSample, subtitles: z.string().optional() })).min(1),
  records: z.array(z.unknown()),
  videos: z.record(z.string(), z.union([z.strictObject({ id: z.string() }), z.strictObject({ fault: z.string() })])),
  subtitles: z.record(z.string(), z.strictObject({ name: z.string(), text: z.string() })),
  before: z.array(SampleLine), // of samples that were asked before this run was sent, and are asked or judged again
})
export type SentShard = z.infer<typeof SentShard>

interface ShardFiles {
  videos: SentShard['videos'] // by the names of the data
  subtitles: SentShard['subtitles'] // by the paths that the samples have
  before: SampleLine[]
}

export function shardToSend(located: readonly LocatedSample[], files: ShardFiles): string {
  const records = [...new Set(located.map(({ sample }) => sample.record))]
  return JSON.stringify({
    samples: located.map(({ sample, place, subtitles }) => ({
      place,
      sample: { ...sample, record: records.indexOf(sample.record) },
      subtitles,
    })),
    records,
    ...files,
  })
}

// The samples as they were on the machine that sent them. What zod has checked is taken as it stands: the order of its keys is part
// of the results.
export async function sentSamples(
  text: string,
  places: { video(id: string): Promise<string>; subtitles(file: { name: string; text: string }): Promise<string> },
): Promise<{ located: LocatedSample[]; before: SampleLine[] }> {
  const raw = JSON.parse(text) as SentShard
  SentShard.parse(raw)
  const fileByVideo = new Map<string, { path: string } | { fault: string }>()
  for (const [name, video] of Object.entries(raw.videos))
    fileByVideo.set(name, 'fault' in video ? video : { path: await places.video(video.id) })
  const files = new Map<string, string>()
  for (const [path, file] of Object.entries(raw.subtitles)) files.set(path, await places.subtitles(file))
  const located = raw.samples.map(({ sample, place, subtitles }) => ({
    sample: { ...sample, record: raw.records[sample.record] } as Sample,
    place,
    locate: (name: string) => fileByVideo.get(name) ?? { fault: `${name} was not sent with the question.` },
    subtitles: subtitles === undefined ? undefined : files.get(subtitles),
  }))
  return { located, before: raw.before }
}
