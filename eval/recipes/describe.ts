import { z } from 'zod'
import type { Span } from '../../src/core/time.ts'
import { fence } from '../../src/core/words/fence.ts'
import { readItemPictures, spreadOver } from './checks/parts/pictures.ts'
import type { SourceRecord, SourceSegment } from './item.ts'
import ours from './prompts.json' with { type: 'json' }
import type { Before, MadeUnit, MakeStage } from './recipe.ts'
import { type Writing, writingStage } from './writing-stage.ts'

// What models add to a source record before questions are made of it: what is seen and heard in each stretch, both made to agree with
// the stretches before, one description, the events of it, and a summary of the whole. Captions that the index has are not made again.

const Described = z.strictObject({ description: z.string().min(1) })
const Fused = z.strictObject({ multimodal_description: z.string().min(1) })
const Events = z.strictObject({ key_events: z.array(z.string().min(1)).max(7) })
const Summary = z.strictObject({
  summary: z.string().min(1),
  categories: z.array(z.string().min(1)).min(1).max(3),
})
type Of<Value> = Value & { segment: number }
type Described = Of<z.infer<typeof Described>>

// One thing of each of these stretches.
function ofStretches<Value, Input extends SourceSegment = SourceSegment>(
  wish: Omit<Writing<unknown, Input, Value, Of<Value>>, 'most' | 'inputs' | 'outputOf'> & {
    segments(record: SourceRecord): SourceSegment[]
    withBefore?(segments: readonly SourceSegment[], before: Before): Input[]
    most?(record: SourceRecord): number
  },
): MakeStage<unknown, unknown> {
  const { segments, withBefore = all => all as Input[] } = wish
  return writingStage({
    ...wish,
    most: (_, record) => wish.most?.(record) ?? segments(record).length,
    inputs: (record, before) =>
      withBefore(segments(record), before).map(input => ({
        unit: `${record.video_id}/s${input.segment_index}`,
        input,
      })),
    outputOf: (value, { segment_index }) => ({ segment: segment_index, ...value }),
  }) as MakeStage<unknown, unknown>
}

const seen = ofStretches({
  name: 'seen',
  role: 'look',
  ...ours.seen,
  shape: Described,
  segments: uncaptioned,
  async shown({ temporal: { start, end, duration } }, { record, frames }) {
    return { pictures: await readItemPictures(record, spreadOver([[start, end]], framesFor(duration)), frames) }
  },
  text: ({ modalities: { speech } }, { earlier }) => [
    fence('said', speech || 'nothing'),
    fence('before', earlier.at(-1)?.description ?? 'nothing: the video begins here'),
  ],
})

const heard = ofStretches({
  name: 'heard',
  role: 'listen',
  ...ours.heard,
  shape: Described,
  segments: audible,
  async shown({ temporal }, { sounds }) {
    return { sounds: (await sounds(heardSpans(temporal))).map(wav => ({ type: 'audio', wav })) }
  },
  text: ({ modalities }) => [fence('labels', modalities.audio_environment || 'none')],
})

// As it agrees with so many stretches before it. The released pipeline shows one to what is seen, and three to what is heard.
function aligned(
  what: 'seen' | 'heard',
  over: 'look' | 'listen',
  segments: (record: SourceRecord) => SourceSegment[],
  back: number,
): MakeStage<unknown, unknown> {
  const name = `${what}-aligned` as const
  return ofStretches({
    name,
    over,
    ...ours[name],
    shape: Described,
    segments,
    most: record => Math.max(0, segments(record).length - 1),
    withBefore(all, before) {
      const describedSegments = bySegment<Described>(before[what])
      const [first, ...rest] = all.flatMap(segment => {
        const { description } = describedSegments.get(segment.segment_index) ?? {}
        return description === undefined ? [] : [{ ...segment, description }]
      })
      return first ? rest.map(one => ({ ...one, first: first.description })) : [] // of the video
    },
    text: ({ description, first }, { earlier }) => [
      ...[first, ...earlier.map(one => one.description)].slice(-back).map(text => fence('before', text)),
      fence('description', description),
    ],
  })
}

const fused = ofStretches({
  name: 'fused',
  ...ours.fused,
  shape: Fused,
  segments: ({ segments }) => segments,
  withBefore(all, before) {
    const [seen, heard] = [mapDescriptions('seen', before), mapDescriptions('heard', before)]
    return all.map(one => ({ ...one, seen: seen.get(one.segment_index), heard: heard.get(one.segment_index) }))
  },
  text: ({ modalities: { speech, visual, audio_environment }, seen, heard }) => [
    fence('said', speech || 'nothing'),
    fence('seen', joined(seen, visual)),
    fence('heard', joined(heard, audio_environment) || 'nothing'),
  ],
})

const events = ofStretches({
  name: 'events',
  ...ours.events,
  shape: Events,
  segments: ({ segments }) => segments,
  withBefore(all, before) {
    const fusedSegments = bySegment<z.infer<typeof Fused>>(before.fused)
    return all.flatMap(one => {
      const { multimodal_description } = fusedSegments.get(one.segment_index) ?? {}
      return multimodal_description === undefined ? [] : [{ ...one, multimodal_description }]
    })
  },
  text: ({ multimodal_description }) => [fence('description', multimodal_description)],
})

const summary = writingStage({
  name: 'summary',
  ...ours.summary,
  shape: Summary,
  inputs: (record, { fused = [] }) => [{ unit: `${record.video_id}/summary`, input: fused }],
  text(_, { record, before = {} }) {
    const fusedBySegment = bySegment<z.infer<typeof Fused>>(before.fused)
    const lines = record.segments.map(
      one => fusedBySegment.get(one.segment_index)?.multimodal_description ?? one.multimodal_description,
    )
    return [fence('descriptions', lines.join('\n\n'))]
  },
  outputOf: value => value,
}) as MakeStage<unknown, unknown>

export const describingStages: readonly MakeStage<unknown, unknown>[] = [
  ...[seen, heard, aligned('seen', 'look', uncaptioned, 1), aligned('heard', 'listen', audible, 3)],
  ...[fused, events, summary],
]

// The record with what was written of it; a stretch of which nothing could be written stays as it was.
export function withDescriptions(record: SourceRecord, all: ReadonlyMap<string, Before>): SourceRecord {
  const before = all.get(record.video_id) ?? {}
  const [seen, heard] = [mapDescriptions('seen', before), mapDescriptions('heard', before)]
  const texts = bySegment<z.infer<typeof Fused>>(before.fused)
  const listed = bySegment<z.infer<typeof Events>>(before.events)
  const [told] = (before.summary ?? []) as MadeUnit<z.infer<typeof Summary>>[]
  return {
    ...record,
    segments: record.segments.map(segment => {
      const { segment_index: at, multimodal_description, key_events, modalities } = segment
      const { visual, audio_environment } = modalities
      return {
        ...segment,
        multimodal_description: texts.get(at)?.multimodal_description ?? multimodal_description,
        key_events: listed.get(at)?.key_events ?? key_events,
        modalities: {
          ...modalities,
          visual: joined(seen.get(at), visual),
          audio_environment: joined(heard.get(at), audio_environment),
        },
      }
    }),
    meta: { ...told?.output, ...record.meta },
  }
}

// As it agrees with the stretches before, where that could be written.
function mapDescriptions(what: 'seen' | 'heard', before: Before): Map<number, string> {
  const all = [...(before[what] ?? []), ...(before[`${what}-aligned`] ?? [])] as MadeUnit<Described>[]
  return new Map(all.map(({ output: { segment, description } }) => [segment, description]))
}

function bySegment<Value>(units: readonly MadeUnit[] = []): Map<number, Of<Value>> {
  return new Map(units.map(({ output }) => [(output as Of<Value>).segment, output as Of<Value>]))
}

function joined(...texts: (string | undefined)[]): string {
  return texts.filter(Boolean).join('; ')
}

function uncaptioned({ segments, rows }: SourceRecord): SourceSegment[] {
  const captions = new Set(rows.filter(({ track }) => track === 'caption').map(({ id }) => id))
  return segments.filter(segment => !segment.rows.some(id => captions.has(id)))
}

function audible({ segments, mute }: SourceRecord): SourceSegment[] {
  return mute ? [] : segments
}

// As the released pipeline has it.
function framesFor(seconds: number): number {
  const longest = [0.5, 2, 5, 10, 20].findIndex(most => seconds <= most)
  return [1, 4, 8, 16, 24][longest] ?? 32
}

const mostSound = { whole: 300, pieces: 10, each: 30 } // seconds

// A long stretch is heard in pieces of it, spread evenly.
function heardSpans({ start, end, duration }: SourceSegment['temporal']): Span[] {
  const { whole, pieces, each } = mostSound
  if (duration <= whole) return [{ start, end }]
  return spreadOver([[start, end]], pieces).map(time => ({ start: time - each / 2, end: time + each / 2 }))
}
