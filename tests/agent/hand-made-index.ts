import { roleNames } from '../../src/config/profiles.ts'
import { UsageError } from '../../src/core/errors.ts'
import { byTime, type Evidence, type Finding, stamp } from '../../src/core/evidence.ts'
import { touches } from '../../src/core/time.ts'
import type { Memory, ToolContext, ToolServices } from '../../src/core/tool.ts'
import type { Coverage, Overview, Shot, TrackCoverage, Video, VideoIndex } from '../../src/core/video.ts'
import { coverage as held } from '../../src/text/word-similarity.ts'
import { isStopWord, tokens } from '../../src/text/words.ts'

// A video index in memory, made of rows that a test writes by hand.
export interface HandMade {
  duration: number
  rows: Finding[]
  shots?: Shot[]
  coverage?: Partial<Record<'picture' | 'speech' | 'sound' | 'text', Partial<TrackCoverage>>>
  chapters?: { start: number; end: number; title: string; summary: string }[]
}

const backends: Record<string, string> = {
  speech: 'transcribe/hand',
  text: 'read-text/hand',
  sound: 'hear/hand',
  picture: 'look/hand',
}

export function handMadeIndex(made: HandMade): VideoIndex {
  const { duration } = made
  const video: Video = {
    id: 'hand-made',
    path: '/hand-made.mp4',
    name: 'hand-made.mp4',
    bytes: 1,
    container: 'mp4',
    start: 0,
    duration,
    otherSounds: [],
    subtitles: [],
    sidecars: [],
    notes: [],
  }
  const rows = made.rows.map(row => stamp(row, video.id, backends[row.track] ?? 'hand/made')).sort(byTime)
  const track = (name: 'picture' | 'speech' | 'sound' | 'text'): TrackCoverage => ({
    state: 'indexed',
    spans: [{ start: 0, end: duration }],
    items: rows.filter(row => row.track === name).length,
    ...made.coverage?.[name],
  })
  const coverage: Coverage = {
    duration,
    picture: track('picture'),
    speech: track('speech'),
    sound: track('sound'),
    text: track('text'),
    notes: [],
  }
  const shots = made.shots ?? [{ start: 0, end: duration, opens: 'start' }]
  const overview: Overview = {
    duration,
    shots: shots.length,
    speakers: [],
    chapters: (made.chapters ?? []).map(({ start, end, title, summary }) => ({
      span: { start, end },
      title,
      summary,
      cites: rows
        .filter(row => row.span.start >= start && row.span.start < end)
        .slice(0, 3)
        .map(row => row.id),
    })),
    notIndexed: [],
  }
  const evidence: VideoIndex['evidence'] = filter =>
    rows.filter(
      row =>
        (!filter?.tracks || filter.tracks.includes(row.track)) && (!filter?.span || touches(row.span, filter.span)),
    )
  return {
    video,
    coverage,
    overview,
    shots,
    stills: [],
    evidence,
    byId: id => rows.find(row => row.id === id),
    async search({ query, tracks, span, k, after, before }) {
      const terms = tokens(query).filter(token => !isStopWord(token.text))
      return evidence({ tracks, span })
        .filter(
          row => (after === undefined || row.span.start >= after) && (before === undefined || row.span.start < before),
        )
        .map(row => ({ evidence: row, score: held(terms, row.text), lists: ['words'], terms: [] }))
        .filter(hit => hit.score > 0)
        .sort((a, b) => b.score - a.score)
        .slice(0, k ?? 8)
    },
    still: async () => new Uint8Array(),
    audio: async () => undefined,
  }
}

export function handMadeContext(index: VideoIndex, services: Partial<ToolServices> = {}): ToolContext {
  const noted = new Map<string, Evidence>()
  const none = (role: string) => async () => {
    throw new UsageError(`${role} is off.`, { hint: `Set models.${role}.` })
  }
  const noServices = Object.fromEntries(roleNames.map(role => [role, none(role)])) as unknown as ToolServices
  return {
    video: index.video,
    index,
    services: { ...noServices, ...services },
    frames: async () => [],
    audio: async () => undefined,
    evidence: id => noted.get(id) ?? index.byId(id),
    note(finding, by) {
      const row = stamp(finding, index.video.id, by)
      noted.set(row.id, row)
      return row
    },
    permissions: new Set(),
    memory: noMemory,
    spend: () => {},
    signal: new AbortController().signal,
  }
}

const noMemory: Memory = { add: () => '', remove: () => false, search: () => [] }

export function said(start: number, end: number, text: string, speaker?: string): Finding {
  return { span: { start, end }, track: 'speech', text, ...(speaker ? { speaker } : {}) }
}

export function shown(start: number, end: number, text: string): Finding {
  return { span: { start, end }, track: 'text', text, confidence: 0.9, frame: (start + end) / 2 }
}

export function heard(start: number, end: number, text: string): Finding {
  return { span: { start, end }, track: 'sound', text }
}

export function itemAt<T>(list: readonly T[], at: number): T {
  const item = list[at]
  if (item === undefined) throw new Error(`There are ${list.length}, and none is at ${at}.`)
  return item
}
