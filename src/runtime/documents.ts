import type { ResolvedConfig } from '../config/resolve.ts'
import type { AskedLibrary } from '../core/agent.ts'
import { momentLink } from '../core/basics/address.ts'
import type { Evidence } from '../core/evidence.ts'
import type { NotSearched } from '../core/library.ts'
import type { AskReport, IndexReport, LibrarySearch, ShowReport, VideoSearch } from '../core/runtime.ts'
import type { Hit, Video } from '../core/video.ts'
import { redactor } from '../store/redact.ts'

// The JSON documents of --json and of the server, version 1 of their schema. Fields may be added; none changes its meaning or goes
// away without a new version. `Call.document` adds "schemaVersion".

export function askDocument(report: AskReport) {
  const { answer, evidence, coverage, steps, usage, stop, profile, run, session, library, votes } = report
  const { refers, ...question } = report.question
  return {
    video: shortVideo(report.video),
    question: refers ? { ...question, text: refers.asked } : question,
    ...(refers ? { resolved: { question: question.text, references: refers.references } } : {}),
    answer,
    evidence: library ? rowsInVideos(evidence, library) : evidence.map(row => linkedRow(row, report.video)),
    coverage,
    ...(library && { library: askedDocument(library) }),
    steps,
    usage,
    stop,
    profile,
    run,
    ...(session ? { session } : {}),
    ...(votes ? { votes } : {}),
  }
}

// Of a question over all videos each row says which it is from.
function rowsInVideos(rows: readonly Evidence[], { searched, found }: AskedLibrary) {
  const videos = new Map([...searched, ...found.map(({ video }) => video)].map(video => [video.id, video]))
  return rows.map(row => {
    const video = videos.get(row.video)
    return { ...linkedRow(row, video ?? {}), video: video ?? { id: row.video } }
  })
}

function askedDocument({ searched, inTables, notSearched, found, asked }: AskedLibrary) {
  return {
    searched,
    ...(inTables !== undefined && { inTables }),
    notSearched: notSearched.map(notSearchedEntry),
    found: found.map(({ video, score }) => ({ video, score })),
    asked,
  }
}

function notSearchedEntry({ id, video, why, mend }: NotSearched) {
  return { id, ...(video && { path: video.path, name: video.name }), why, mend }
}

export function indexEntry(report: IndexReport) {
  const { video, stages, coverage, seconds } = report
  return { ...shortVideo(video), stages, coverage, notes: [...new Set([...video.notes, ...coverage.notes])], seconds }
}

export function searchDocument(found: VideoSearch, profile: string) {
  const hits = found.hits.map(hit => hitEntry(hit, found.video))
  return { video: shortVideo(found.video), hits, coverage: found.coverage, profile }
}

function hitEntry({ score, evidence, terms, lists, coverage, likeness }: Hit, video: Video) {
  return {
    ...{ score, evidence: linkedRow(evidence, video), terms, lists },
    ...(coverage !== undefined && { coverage }),
    ...(likeness !== undefined && { likeness }),
  }
}

export function libraryDocument({ hits, searched, notSearched, tables }: LibrarySearch, profile: string) {
  return {
    hits: hits.map(({ video, ...hit }) => ({
      video: { ...shortVideo(video), name: video.name },
      ...hitEntry(hit, video),
    })),
    searched: searched.map(({ video, coverage }) => ({ ...shortVideo(video), name: video.name, coverage })),
    notSearched: notSearched.map(notSearchedEntry),
    ...(tables && { tables }),
    profile,
  }
}

export function showDocument(report: ShowReport, profile: string) {
  const { video, coverage, overview, people, shots, evidence } = report
  return {
    video,
    coverage,
    overview,
    ...(people && { people }),
    shots,
    evidence: evidence.map(row => linkedRow(row, video)),
    profile,
  }
}

export function settingsDocument({ file, settings, origins }: ResolvedConfig) {
  return {
    file,
    settings: redactor([])(settings),
    origins: Object.fromEntries([...origins].map(([name, origin]) => [name, origin.place])),
  }
}

export function shortVideo(video: Video): { id: string; path: string; duration: number; address?: string } {
  const { id, path, duration, address } = video
  return { id, path, duration, ...(address !== undefined && { address }) }
}

// With the link to the moment where the video was fetched from an address.
function linkedRow(row: Evidence, { address }: Pick<Video, 'address'>) {
  return { ...shortRow(row), ...(address !== undefined && { link: momentLink(address, row.span.start) }) }
}

// The row without the times of its single words, which are for subtitles.
export function shortRow({
  id,
  span,
  track,
  text,
  by,
  words: _,
  video: __,
  ...more
}: Evidence): Omit<Evidence, 'words' | 'video'> {
  return { id, span, track, text, by, ...more }
}
