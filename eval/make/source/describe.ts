import { z } from 'zod'
import { dataRule, fence } from '../../../src/core/words/fence.ts'
import { picturesAt, spreadOver } from '../checks/parts/pictures.ts'
import type { SourceRecord, SourceSegment } from '../item.ts'
import { writtenBy } from '../machine/author.ts'
import type { Before, MadeUnit, MakeStage } from '../recipe.ts'
import ours from './prompts.json' with { type: 'json' }

// What models add to a source record before questions are made of it: what is seen in each stretch, one description and the events of
// it, and a summary of the whole. Captions that the index has are not made again.

const Seen = z.strictObject({ description: z.string().min(1) })
const Fused = z.strictObject({
  multimodal_description: z.string().min(1),
  key_events: z.array(z.string().min(1)).max(7),
})
const Summary = z.strictObject({
  summary: z.string().min(1),
  categories: z.array(z.string().min(1)).min(1).max(3),
})
type Of<Value> = Value & { segment: number }

const system = (lines: readonly string[]) => [...lines, dataRule].join('\n')

const seen: MakeStage<unknown, Of<z.infer<typeof Seen>>> = {
  name: 'seen',
  version: '1',
  role: 'look',
  prompts: { seen: system(ours.seen) },
  units: (record, { author }) =>
    'model' in author ? record.segments.filter(segment => !isCaptioned(segment, record)).map(unitOf(record)) : [],
  calls: () => 1,
  make: async ({ unit, input }, { record, author, earlier, prompts, frames }) => {
    const { segment_index, temporal, modalities } = input as SourceSegment
    const { start, end, duration } = temporal
    const pictures = await picturesAt(record, spreadOver([[start, end]], framesFor(duration)), frames)
    const said = [
      fence('said', modalities.speech || 'nothing'),
      fence('before', earlier.at(-1)?.description ?? 'nothing: the video begins here'),
    ]
    const wanted = {
      ...{ unit, system: prompts.seen ?? '', prompt: said.join('\n'), name: 'seen', shape: Seen },
      ...{ pictures, temperature: 0.5, maxTokens: 1024 },
    }
    return writtenBy(author, wanted, value => ({ segment: segment_index, ...value }))
  },
}

const fused: MakeStage<unknown, Of<z.infer<typeof Fused>>> = {
  name: 'fused',
  version: '1',
  prompts: { fused: system(ours.fused) },
  units: (record, { before = {} }) => {
    const known = bySegment<z.infer<typeof Seen>>(before.seen)
    return record.segments
      .map(segment => ({ ...segment, seen: known.get(segment.segment_index)?.description }))
      .map(unitOf(record))
  },
  calls: (_, author) => Number('model' in author),
  make: async ({ unit, input }, { author, prompts }) => {
    const { segment_index, modalities, seen } = input as SourceSegment & { seen?: string }
    const notes = [
      fence('said', modalities.speech || 'nothing'),
      fence('seen', [seen, modalities.visual].filter(Boolean).join('\n')),
      fence('heard', modalities.audio_environment || 'nothing'),
    ]
    const wanted = {
      ...{ unit, system: prompts.fused ?? '', prompt: notes.join('\n'), name: 'fused', shape: Fused },
      ...{ temperature: 0.2, maxTokens: 800 },
    }
    return writtenBy(author, wanted, value => ({ segment: segment_index, ...value }))
  },
}

const summary: MakeStage<unknown, z.infer<typeof Summary>> = {
  name: 'summary',
  version: '1',
  prompts: { summary: system(ours.summary) },
  units: (record, { before = {} }) => [{ unit: `${record.video_id}/summary`, input: before.fused ?? [] }],
  calls: (_, author) => Number('model' in author),
  make: async ({ unit }, { record, before = {}, author, prompts }) => {
    const known = bySegment<z.infer<typeof Fused>>(before.fused)
    const lines = record.segments.map(
      one => known.get(one.segment_index)?.multimodal_description ?? one.multimodal_description,
    )
    const wanted = {
      ...{ unit, system: prompts.summary ?? '', prompt: fence('descriptions', lines.join('\n\n')), name: 'summary' },
      ...{ shape: Summary, temperature: 0.3, maxTokens: 800 },
    }
    return writtenBy(author, wanted, value => value)
  },
}

export const describingStages: readonly MakeStage<unknown, unknown>[] = [seen, fused, summary]

// The record with what was written of it; a stretch of which nothing could be written stays as it was.
export function described(record: SourceRecord, all: ReadonlyMap<string, Before>): SourceRecord {
  const before = all.get(record.video_id) ?? {}
  const pictures = bySegment<z.infer<typeof Seen>>(before.seen)
  const texts = bySegment<z.infer<typeof Fused>>(before.fused)
  const [told] = (before.summary ?? []) as MadeUnit<z.infer<typeof Summary>>[]
  return {
    ...record,
    segments: record.segments.map(segment => {
      const seen = pictures.get(segment.segment_index)?.description
      const { segment: _, ...fused } = texts.get(segment.segment_index) ?? { segment: 0 }
      const { visual } = segment.modalities
      return {
        ...segment,
        ...fused,
        modalities: { ...segment.modalities, visual: [seen, visual].filter(Boolean).join('; ') },
      }
    }),
    meta: { ...told?.output, ...record.meta },
  }
}

function bySegment<Value>(units: readonly MadeUnit[] = []): Map<number, Of<Value>> {
  return new Map(units.map(({ output }) => [(output as Of<Value>).segment, output as Of<Value>]))
}

function unitOf({ video_id }: SourceRecord) {
  return (segment: SourceSegment) => ({ unit: `${video_id}/s${segment.segment_index}`, input: segment })
}

function isCaptioned({ rows }: SourceSegment, record: SourceRecord): boolean {
  const own = new Set(rows)
  return record.rows.some(({ id, track }) => track === 'caption' && own.has(id))
}

// As the released pipeline has it.
function framesFor(seconds: number): number {
  const steps: [number, number][] = [
    [0.5, 1],
    [2, 4],
    [5, 8],
    [10, 16],
    [20, 24],
  ]
  return steps.find(([most]) => seconds <= most)?.[1] ?? 32
}
