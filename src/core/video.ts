import { z } from 'zod'
import { emptySpans } from './basics/gaps.ts'
import type { Evidence, Track } from './evidence.ts'
import type { People } from './people.ts'
import { clampSpan, formatTime, gapsBetween, Span, spanLength, touches } from './time.ts'

export const PictureStream = z.object({
  index: z.number(),
  codec: z.string(),
  profile: z.string().optional(), // as ffmpeg calls it, for players; videos that were probed by earlier releases have none
  level: z.number().optional(),
  pixels: z.string().optional(), // "yuv420p"
  width: z.number(), // as shown: after rotation and with square pixels
  height: z.number(),
  frameRate: z.number().optional(), // average; times never come from it
  start: z.number(), // presentation time of its first frame on the file's own clock
  duration: z.number().optional(),
  untimed: z.number().optional(), // frames at its beginning without a time: Matroska has none before zero
  rotation: z.number(),
  hdr: z.boolean(),
})
export type PictureStream = z.infer<typeof PictureStream>

export const SoundStream = z.object({
  index: z.number(),
  codec: z.string(),
  channels: z.number(),
  sampleRate: z.number(),
  language: z.string().optional(),
  start: z.number(),
  duration: z.number().optional(),
})
export type SoundStream = z.infer<typeof SoundStream>

export const SubtitleStream = z.object({
  index: z.number(),
  codec: z.string(),
  language: z.string().optional(),
  title: z.string().optional(),
})
export type SubtitleStream = z.infer<typeof SubtitleStream>

// What the probe found: what is in the file, what is wrong with it, and its clock.
export const Video = z.object({
  id: z.string(), // from the file's content, so moving or renaming it changes nothing
  path: z.string(), // absolute
  name: z.string(),
  address: z.string().optional(), // that it was fetched from
  bytes: z.number(),
  container: z.string(),
  start: z.number(), // the file clock's time that is our second 0
  duration: z.number(), // seconds; of the picture if there is one
  picture: PictureStream.optional(), // the stream that is used; cover art never is
  sound: SoundStream.optional(),
  otherSounds: z.array(SoundStream),
  subtitles: z.array(SubtitleStream),
  sidecars: z.array(z.string()), // absolute paths of .srt and .vtt files that belong to it
  notes: z.array(z.string()), // faults and choices worth saying, one sentence each
})
export type Video = z.infer<typeof Video>

// Raw pixels, packed red green blue.
export interface Frame {
  time: number
  width: number
  height: number
  rgb: Uint8Array
}

// A kept frame of the index; its JPEG is at offset..offset+length of the stage's stills file.
export const Still = z.object({
  time: z.number(),
  shot: z.number(),
  reason: z.enum(['shot', 'change', 'text', 'interval']),
  width: z.number(),
  height: z.number(),
  offset: z.number(),
  length: z.number(),
})
export type Still = z.infer<typeof Still>

export const Shot = z.object({
  start: z.number(),
  end: z.number(),
  opens: z.enum(['start', 'cut', 'gradual', 'interval']),
})
export type Shot = z.infer<typeof Shot>

// 16 kHz mono sound, read by span: nothing ever holds all of it.
export interface AudioSource {
  duration: number
  rate: 16000
  read(span: Span): Promise<Float32Array>
}

// How a track came to be: an empty index and one that could not be made are different things.
export const TrackCoverage = z.object({
  state: z.enum(['indexed', 'partial', 'absent', 'off', 'failed']), // absent: the video has none; off: not asked for
  by: z.string().optional(),
  spans: z.array(Span), // what was really looked at or listened to
  notUnderstood: z.array(Span).optional(), // of speech: voices whose words the recogniser did not find; not among the spans
  unkept: z.array(Span).optional(), // of pictures: decoded, but no frame of it was kept; not among the spans
  items: z.number(),
  note: z.string().optional(),
})
export type TrackCoverage = z.infer<typeof TrackCoverage>

export const Coverage = z.object({
  duration: z.number(), // what the file declares
  picture: TrackCoverage,
  speech: TrackCoverage,
  sound: TrackCoverage,
  text: TrackCoverage,
  caption: TrackCoverage.optional(), // where captions are wanted
  notes: z.array(z.string()),
  picturesFrom: z.literal('keyframes').optional(), // absent: from all frames
})
export type Coverage = z.infer<typeof Coverage>

// True if a track was made, of the whole video or a part of it.
export function isIndexed({ state }: Pick<TrackCoverage, 'state'>): boolean {
  return state === 'indexed' || state === 'partial'
}

// True where a part of the video could not be read or a track could not be made.
export function isPartial({ picture, speech, sound, text, caption }: Coverage): boolean {
  return [picture, speech, sound, text, caption].some(track => track?.state === 'partial' || track?.state === 'failed')
}

// The tracks that every index tells of, in the given order, and those that only some have.
export function toldTracks<Name extends TrackName>(
  coverage: Coverage,
  always: readonly Name[],
): { name: Name | 'caption'; track: TrackCoverage }[] {
  const { caption } = coverage
  return [
    ...always.map(name => ({ name, track: coverage[name] })),
    ...(caption ? [{ name: 'caption' as const, track: caption }] : []),
  ]
}

// A sentence of a written overview, with the rows that bear it out.
export const OverviewSentence = z.object({ text: z.string(), cites: z.array(z.string()) })
export type OverviewSentence = z.infer<typeof OverviewSentence>

// A part of the video and what it is about.
export const OverviewPart = z.object({
  span: Span,
  title: z.string(),
  summary: z.string(),
  cites: z.array(z.string()),
  sentences: z.array(OverviewSentence).optional(), // of a summary that a language model wrote: what each of them rests on
})
export type OverviewPart = z.infer<typeof OverviewPart>

// What can be said of the whole video before any question.
export const Overview = z.object({
  duration: z.number(),
  shots: z.number(),
  speakers: z.array(z.string()), // in the order in which they first speak
  speaking: z.array(z.object({ speaker: z.string(), seconds: z.number(), lines: z.number() })).optional(), // how long each
  chapters: z.array(OverviewPart),
  notIndexed: z.array(z.string()),
  // Only where a language model wrote it:
  by: z.string().optional(), // "chat/ollama"
  scenes: z.array(OverviewPart).optional(), // what the chapters are made of
  whole: z.array(OverviewSentence).optional(), // the whole video in a few sentences
  threads: z.array(OverviewSentence).optional(), // questions that the video raises and leaves open
})
export type Overview = z.infer<typeof Overview>

export interface SearchQuery {
  query: string
  tracks?: Track[]
  span?: Span
  k?: number // `defaultHits` of words/default-hits.ts
  after?: number
  before?: number
  nth?: number // the nth moment in time order that fits, from 1
  speaker?: string // only what this speaker says: a name, or a number in the order in which they first speak
  frame?: number // search by the frame at this second instead of by words
  onlyFitting?: boolean // leaves out what fits only as any row would: for people and hosts; the agent rates what it finds itself
}

export interface Hit {
  evidence: Evidence
  score: number // fused rank score; only the order means something
  lists: string[] // which lists found it: "words", "meaning", "picture"
  terms: string[] // the words of the query that it holds
  coverage?: number // 0..1, what share of the query those words are: the rarer a word, the larger its share
  likeness?: number // of its meaning or its picture to the query: a cosine
}

// Everything that is known of one video, read-only. The agent and the tools see the index only through this.
export interface VideoIndex {
  video: Video
  coverage: Coverage
  overview: Overview
  people?: People // where voices, faces or captions are known
  shots: Shot[]
  stills: Still[]
  evidence(filter?: { tracks?: Track[]; span?: Span }): Evidence[]
  byId(id: string): Evidence | undefined
  search(query: SearchQuery): Promise<Hit[]>
  still(index: number): Promise<Uint8Array> // the JPEG
  audio(): Promise<AudioSource | undefined>
}

// An id as people type it: from samples of the file, and from all of it where another video has the same samples.
export function isVideoId(text: string): boolean {
  return /^v[0-9a-f]{20}(-[0-9a-f]{12})?$/.test(text)
}

type TrackName = 'picture' | 'speech' | 'sound' | 'text'

// What of a span a track does not rest on because it could not be decoded.
export function lostSpans(coverage: Coverage, track: TrackName, span: Span): Span[] {
  const { state, spans } = coverage[track]
  if (state !== 'partial') return []
  const all = { start: 0, end: coverage.duration }
  return gapsBetween([...spans, ...emptySpans(coverage[track])], all)
    .filter(gap => touches(gap, span) || touches(span, gap))
    .map(gap => {
      const { start } = clampSpan(span, gap.end)
      return { start: Math.max(gap.start, start), end: Math.min(gap.end, Math.max(span.end, start)) }
    })
}

// The gaps that a question about a span fell into: where of none of these tracks more than a little was decoded.
export function damageAt(coverage: Coverage, tracks: readonly TrackName[], span: Span): Span | undefined {
  const present = tracks.filter(track => isIndexed(coverage[track]))
  const whole = clampSpan(span, coverage.duration)
  const lost = (track: TrackName) => lostSpans(coverage, track, whole).reduce((sum, gap) => sum + spanLength(gap), 0)
  const isLost = (track: TrackName) => lost(track) > 0 && lost(track) >= 0.8 * spanLength(whole)
  const [first] = present
  if (!first || !present.every(isLost)) return undefined
  const all = { start: 0, end: coverage.duration }
  return gapsBetween(coverage[first].spans, all).find(gap => touches(gap, whole))
}

// "[0:20-0:41] could not be decoded".
export function damageText(gap: Span): string {
  return `${formatTime(gap.start)}-${formatTime(gap.end)} of the file could not be decoded`
}
