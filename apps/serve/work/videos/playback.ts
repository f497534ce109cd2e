import { Refused } from '../../../../src/core/api/problem.ts'
import { linkSignals } from '../../../../src/core/basics/signals.ts'
import { contentHash } from '../../../../src/core/json.ts'
import type { Span } from '../../../../src/core/time.ts'
import type { Video } from '../../../../src/core/video.ts'
import { decodeFrames } from '../../../../src/media/frames.ts'
import { encodeJpeg } from '../../../../src/media/image.ts'
import { headLength } from '../../../../src/media/mp4/fragments.ts'
import { makeClip } from '../../../../src/media/playback/clip.ts'
import { makePiece, pieceSpans } from '../../../../src/media/playback/piece.ts'
import { openPieceCache } from '../../../../src/store/serve/piece-cache.ts'

// A video whose file was just looked at; `version` is another one after the file has changed.
export interface Source {
  video: Video
  version: string
}

export interface Playback {
  playlist(video: Video): string
  head(source: Source, signal: AbortSignal): Promise<Buffer> // what comes before every piece
  piece(source: Source, n: number, signal: AbortSignal): Promise<Buffer | undefined> // undefined if there is none
  clip(source: Source, span: Span, signal: AbortSignal): Promise<string> // the path of the file
  still(source: Source, second: number, signal: AbortSignal): Promise<Buffer> // a small JPEG
}

const piecesAtOnce = 2
const piecesAhead = 2
const clipsAtOnce = 1
const stillsAtOnce = 2
const stillWidth = 480
const formatVersion = 1 // goes up when pieces or clips are made differently

// Videos in pieces that every browser plays. Pieces are made when they are asked for, and the next two while they are watched.
export function openPlayback(
  home: string,
  { height, gigabytes }: { height: number; gigabytes: number },
  signal: AbortSignal,
): Playback {
  const cache = openPieceCache(home, gigabytes * 1e9)
  const pieces = sharedWork<Buffer>(piecesAtOnce, signal)
  const clips = sharedWork<string>(clipsAtOnce, signal)
  const stills = sharedWork<Buffer>(stillsAtOnce, signal)
  const keyOf = ({ video, version }: Source) => contentHash([video.id, version, height, formatVersion]).slice(0, 20)

  const make = async (source: Source, span: Span, name: string, aborted: AbortSignal) => {
    const bytes = await makePiece({ video: source.video, span, height, signal: aborted })
    await cache.write(name, bytes).catch(() => {}) // where it cannot be kept it is made again
    return bytes
  }
  const makeStill = async (video: Video, second: number, name: string, aborted: AbortSignal) => {
    const width = Math.min(stillWidth, video.picture?.width ?? stillWidth)
    const [frame] = await decodeFrames(video, [second], { width }, aborted)
    if (!frame) throw new Refused('unknown', 'The video has no picture there.')
    const bytes = Buffer.from(await encodeJpeg(frame))
    await cache.write(name, bytes).catch(() => {}) // where it cannot be kept it is made again
    return bytes
  }
  const prepare = async (source: Source, n: number) => {
    const key = keyOf(source)
    const spans = pieceSpans(source.video.duration)
    const next = Array.from({ length: piecesAhead }, (_, at) => ({ name: pieceName(key, n + 1 + at), at: n + 1 + at }))
    pieces.dropAhead(name => !name.startsWith(key) || next.some(one => one.name === name))
    for (const { name, at } of next) {
      const span = spans[at]
      if (span && !(await cache.find(name))) pieces.ahead(name, aborted => make(source, span, name, aborted))
    }
  }

  return {
    playlist: video => writePlaylist(pieceSpans(video.duration)),
    async head(source, aborted) {
      const name = `${keyOf(source)}/head.mp4`
      const span = { start: 0, end: Math.min(headSeconds, source.video.duration) }
      const bytes =
        (await cache.read(name)) ?? (await pieces.ask(name, inner => make(source, span, name, inner), aborted))
      return bytes.subarray(0, headLength(bytes))
    },
    async piece(source, n, aborted) {
      const span = pieceSpans(source.video.duration)[n]
      if (!span) return undefined
      const name = pieceName(keyOf(source), n)
      const bytes =
        (await cache.read(name)) ?? (await pieces.ask(name, inner => make(source, span, name, inner), aborted))
      await prepare(source, n)
      return bytes.subarray(headLength(bytes))
    },
    async clip(source, span, aborted) {
      const name = `${keyOf(source)}/${milliseconds(span.start)}-${milliseconds(span.end)}.mp4`
      const create = (inner: AbortSignal) =>
        cache.create(name, file => makeClip({ video: source.video, span, height, signal: inner }, file))
      return (await cache.find(name)) ?? clips.ask(name, create, aborted)
    },
    async still(source, second, aborted) {
      if (!source.video.picture) throw new Refused('unknown', 'The video has no picture.')
      const time = Math.min(second, source.video.duration)
      const name = `${keyOf(source)}/${milliseconds(time)}.jpg`
      const create = (inner: AbortSignal) => makeStill(source.video, time, name, inner)
      return (await cache.read(name)) ?? stills.ask(name, create, aborted)
    },
  }
}

// The heads of all pieces are the same: that of a short one comes sooner.
const headSeconds = 0.5

function pieceName(key: string, n: number): string {
  return `${key}/${n}.m4s`
}

function milliseconds(seconds: number): number {
  return Math.round(seconds * 1000)
}

function writePlaylist(spans: readonly Span[]): string {
  const lengths = spans.map(({ start, end }) => end - start)
  return [
    ...['#EXTM3U', '#EXT-X-VERSION:7', `#EXT-X-TARGETDURATION:${Math.ceil(Math.max(...lengths))}`],
    ...['#EXT-X-PLAYLIST-TYPE:VOD', '#EXT-X-INDEPENDENT-SEGMENTS', '#EXT-X-MAP:URI="init.mp4"'],
    ...lengths.flatMap((length, n) => [`#EXTINF:${length.toFixed(6)},`, `${n}.m4s`]),
    ...['#EXT-X-ENDLIST', ''],
  ].join('\n')
}

export interface SharedTask<T> {
  ask(key: string, make: (signal: AbortSignal) => Promise<T>, signal: AbortSignal): Promise<T>
  ahead(key: string, make: (signal: AbortSignal) => Promise<T>): void
  dropAhead(isWanted: (key: string) => boolean): void
}

interface Job<T> {
  key: string
  make(signal: AbortSignal): Promise<T>
  waiting: number // who asked and has not left
  begun?: AbortController
  done: Promise<T>
  settle(result: Promise<T>): void
}

// So much at a time. What somebody waits for goes first, what is made ahead gives way to it, and what nobody waits for any more ends.
// Who asks for what is under way already gets the same.
export function sharedWork<T>(max: number, outer: AbortSignal): SharedTask<T> {
  const jobs = new Map<string, Job<T>>()
  const begun = () => [...jobs.values()].filter(job => job.begun)

  const end = (job: Job<T>) => {
    if (jobs.get(job.key) === job) jobs.delete(job.key)
    if (job.begun) job.begun.abort()
    else job.settle(Promise.reject(new DOMException('Nobody waits for it.', 'AbortError')))
  }
  const begin = (job: Job<T>) => {
    const controller = new AbortController()
    const link = linkSignals(controller.signal, outer)
    job.begun = controller
    const result = job.make(link.signal).finally(() => {
      link.clear()
      if (jobs.get(job.key) === job) jobs.delete(job.key)
      next()
    })
    job.settle(result)
  }
  const next = () => {
    const waiting = [...jobs.values()].filter(job => !job.begun)
    const awaited = waiting.filter(job => job.waiting > 0)
    for (const job of [...awaited, ...waiting.filter(one => one.waiting === 0)]) {
      if (begun().length >= max) {
        const [idle] = begun().filter(one => one.waiting === 0)
        if (!idle || job.waiting === 0) return
        end(idle)
      }
      begin(job)
    }
  }
  const enter = (key: string, make: Job<T>['make']): Job<T> => {
    const runningJob = jobs.get(key)
    if (runningJob) return runningJob
    let settle: Job<T>['settle'] = () => {}
    const outcome = new Promise<T>(resolve => {
      settle = resolve
    })
    outcome.catch(() => {}) // who waits is told
    const job = { key, make, waiting: 0, done: outcome, settle }
    jobs.set(key, job)
    return job
  }

  return {
    async ask(key, make, signal) {
      signal.throwIfAborted()
      const job = enter(key, make)
      job.waiting++
      next()
      let leave = () => {}
      const whenAborted = new Promise<never>((_, reject) => {
        leave = () => reject(signal.reason)
        signal.addEventListener('abort', leave, { once: true })
      })
      try {
        return await Promise.race([job.done, whenAborted])
      } finally {
        signal.removeEventListener('abort', leave)
        job.waiting--
        if (job.waiting === 0 && signal.aborted) {
          end(job)
          next()
        }
      }
    },
    ahead(key, make) {
      enter(key, make)
      next()
    },
    dropAhead(isWanted) {
      for (const job of [...jobs.values()]) if (job.waiting === 0 && !isWanted(job.key)) end(job)
      next()
    },
  }
}
