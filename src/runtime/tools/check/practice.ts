import { roleNames } from '../../../config/profiles.ts'
import { BackendError, UsageError } from '../../../core/errors.ts'
import { byTime, type Evidence, type Finding, stamp } from '../../../core/evidence.ts'
import { touches } from '../../../core/time.ts'
import type { ToolContext, ToolServices } from '../../../core/tool.ts'
import type { Coverage, Frame, TrackCoverage, Video, VideoIndex } from '../../../core/video.ts'
import { runMemory } from '../memory.ts'

const duration = 60

// What a tool is tried on: a made-up minute of video in memory. Everything works, or nothing does.
export function practiceContext(world: 'works' | 'fails', signal: AbortSignal): ToolContext {
  const video = practiceVideo()
  const index = practiceIndex(
    video,
    world === 'works' ? findings.map(([by, finding]) => stamp(finding, video.id, `${by}/practice`)) : [],
  )
  const noted = new Map<string, Evidence>()
  return {
    video,
    index,
    services: noServices,
    frames: async (times, width = 320) =>
      world === 'works'
        ? times.map(time => greyFrame(Math.min(duration, Math.max(0, time)), width))
        : Promise.reject(new BackendError('ffmpeg stopped with code 1 on practice.mp4: moov atom not found.')),
    audio: async () => (world === 'works' ? { duration, rate: 16000, read: async span => tone(span) } : undefined),
    evidence: id => noted.get(id) ?? index.byId(id),
    known: () => [...index.evidence(), ...noted.values()].sort(byTime),
    note(finding, by) {
      const row = stamp(finding, video.id, by)
      noted.set(row.id, row)
      return row
    },
    round: 0,
    permissions: new Set(['network', 'code', 'servers']),
    memory: runMemory(),
    spend: () => {},
    signal,
  }
}

function practiceVideo(): Video {
  return {
    id: 'practice',
    path: '/practice.mp4',
    name: 'practice.mp4',
    bytes: 1_000_000,
    container: 'mp4',
    start: 0,
    duration,
    picture: { index: 0, codec: 'h264', width: 320, height: 180, start: 0, rotation: 0, hdr: false },
    sound: { index: 1, codec: 'aac', channels: 1, sampleRate: 16_000, start: 0 },
    otherSounds: [],
    subtitles: [],
    sidecars: [],
    notes: [],
  }
}

const findings: [by: string, finding: Finding][] = [
  ['transcribe', { ...at(2, 6, 'speech'), text: 'Welcome to the practice video.', speaker: 'Ada' }],
  ['read-text', { ...at(10, 20, 'text'), text: 'Room 204\n3 + 4 = 7', frame: 15 }],
  ['transcribe', { ...at(21, 25, 'speech'), text: 'The second part begins in room 204.' }],
  ['hear', { ...at(30, 31.5, 'sound'), text: 'bell' }],
  ['read-text', { ...at(40, 50, 'text'), text: 'The end' }],
]

function at(start: number, end: number, track: Finding['track']) {
  return { span: { start, end }, track }
}

function practiceIndex(video: Video, rows: readonly Evidence[]): VideoIndex {
  const track = (): TrackCoverage => ({
    state: rows.length > 0 ? 'indexed' : 'failed',
    spans: rows.length > 0 ? [{ start: 0, end: duration }] : [],
    items: rows.length,
  })
  const coverage: Coverage = { duration, picture: track(), speech: track(), sound: track(), text: track(), notes: [] }
  const evidence: VideoIndex['evidence'] = ({ tracks, span } = {}) =>
    rows.filter(row => (tracks?.includes(row.track) ?? true) && (!span || touches(row.span, span)))
  return {
    video,
    coverage,
    overview: { duration, shots: 2, speakers: [], chapters: [], notIndexed: [] },
    shots: [
      { start: 0, end: 30, opens: 'start' },
      { start: 30, end: duration, opens: 'cut' },
    ],
    stills: [],
    evidence,
    byId: id => rows.find(row => row.id === id),
    async search({ query, tracks, span, k = 8 }) {
      const words = query.toLowerCase().split(/\W+/).filter(Boolean)
      return evidence({ tracks, span })
        .map(row => ({ evidence: row, score: words.filter(word => row.text.toLowerCase().includes(word)).length }))
        .filter(hit => hit.score > 0)
        .sort((a, b) => b.score - a.score)
        .slice(0, k)
        .map(hit => ({ ...hit, lists: ['words'], terms: [] }))
    },
    still: async () => new Uint8Array(),
    audio: async () => undefined,
  }
}

function greyFrame(time: number, width: number): Frame {
  const height = Math.round((width * 9) / 16)
  return { time, width, height, rgb: new Uint8Array(width * height * 3).fill(128) }
}

function tone(span: { start: number; end: number }): Float32Array {
  const samples = Math.max(0, Math.round((Math.min(duration, span.end) - span.start) * 16_000))
  return Float32Array.from({ length: samples }, (_, at) => Math.sin((at * 2 * Math.PI * 440) / 16_000) * 0.3)
}

const off = (role: string) => () =>
  Promise.reject(new UsageError(`The role "${role}" is off in this profile.`, { hint: `Set models.${role}.backend.` }))

// Models are off, as in the smallest profile: a tool says so instead of failing in its own way.
const noServices = Object.fromEntries(roleNames.map(role => [role, off(role)])) as unknown as ToolServices
