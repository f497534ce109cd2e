import { type McpServer, ProtocolError, ProtocolErrorCode, ResourceTemplate } from '@modelcontextprotocol/server'
import { personLine } from '../../../../src/core/people.ts'
import { formatSpan } from '../../../../src/core/time.ts'
import { vtt } from '../../../../src/core/words/export-formats.ts'
import { fence } from '../../../../src/core/words/fence.ts'
import { visibleFileName } from '../../../../src/core/words/visible-text.ts'
import { readPictures } from '../../work/videos/frames.ts'
import { readIndex, videoDetails, videoEntry } from '../../work/videos/video-view.ts'
import type { Workplace } from '../../work/workplace.ts'
import { toolErrorText } from './errors.ts'
import { explainRun } from './explain-run.ts'
import { clip } from './fill-page.ts'
import { findVideoByName } from './find.ts'
import { gapsOf } from './shapes.ts'

const maxListed = 200
const mostPeople = 50
const maxTranscript = 30 * 60 // seconds
const frameWidth = 768
const fresh = { videos: 5_000, video: 30_000, transcript: 300_000, frame: 3_600_000, run: 5_000 } // milliseconds

// What a host may attach to a conversation by its address.
export function registerResources(server: McpServer, place: Workplace): void {
  const { served } = place
  const all = () => served.runtime.library.list()

  server.registerResource(
    'videos',
    'longtake://videos',
    { title: 'Videos', description: 'The videos of the library', mimeType: 'application/json', ...keep('videos') },
    uri =>
      reading(async () => {
        const videos = (await all()).slice(0, maxListed)
        const entries = await Promise.all(videos.map(video => videoEntry(served, video)))
        const names = videos.map(({ id, name }) => `${id} ${visibleFileName(name)}`)
        return json(uri, {
          videos: entries.map(({ id, duration, state }) => ({ id, duration, state })),
          words: block(names),
        })
      }),
  )
  server.registerResource(
    'video',
    new ResourceTemplate('longtake://video/{id}', {
      async list() {
        const videos = (await all()).slice(0, maxListed)
        return {
          resources: videos.map(({ id, duration }) => ({
            ...{ uri: `longtake://video/${id}`, name: id, mimeType: 'application/json' },
            description: `A video of ${Math.round(duration)} s`,
          })),
        }
      },
    }),
    { title: 'Video', description: 'Overview and coverage of a video', mimeType: 'application/json', ...keep('video') },
    (uri, { id }) =>
      reading(async () => {
        const video = await findVideoByName(place, decodeVariable(id))
        const { state, duration, coverage, overview, people, missing } = await videoDetails(served, video)
        const chapters = overview?.chapters.map(
          ({ span, title, summary }) => `${formatSpan(span)} ${title}: ${clip(summary, 400)}`,
        )
        const whole = overview?.whole?.map(({ text }) => text) ?? []
        const open = overview?.threads?.map(({ text }) => `Left open: ${text}`) ?? []
        const who = people?.people.slice(0, mostPeople).map(personLine) ?? []
        const words = block([visibleFileName(video.name), ...whole, ...(chapters ?? []), ...open, ...who])
        const about = coverage && {
          notLooked: gapsOf(coverage),
          shots: overview?.shots,
          chapters: overview?.chapters.map(({ span }) => span),
        }
        return json(uri, { id: video.id, state, duration, ...about, missing, words })
      }),
  )
  server.registerResource(
    'transcript',
    new ResourceTemplate('longtake://video/{id}/transcript/{from}-{to}', { list: undefined }),
    {
      title: 'Transcript',
      description: 'What is said in a span of 30 minutes at most, in seconds',
      mimeType: 'text/vtt',
      ...keep('transcript'),
    },
    (uri, { id, from, to }) =>
      reading(async () => {
        const span = { start: second(from), end: second(to) }
        if (span.end < span.start || span.end - span.start > maxTranscript)
          throw invalid(`The span must be of ${maxTranscript} s at most, in order.`)
        const video = await findVideoByName(place, decodeVariable(id))
        const rows = await readIndex(served, video, index => index.evidence({ tracks: ['speech'], span }))
        const text = vtt(rows, words => fence('speech', words)) // players pass over a tag that they do not know
        return { contents: [{ uri: uri.href, mimeType: 'text/vtt', text }] }
      }),
  )
  server.registerResource(
    'frame',
    new ResourceTemplate('longtake://video/{id}/frame/{t}', { list: undefined }),
    { title: 'Frame', description: 'What is on screen at a second', mimeType: 'image/jpeg', ...keep('frame') },
    (uri, { id, t }, { mcpReq }) =>
      reading(async () => {
        const video = await findVideoByName(place, decodeVariable(id))
        const [picture] = await readPictures(place, video, [second(t)], frameWidth, mcpReq.signal)
        const blob = Buffer.from(picture?.jpeg ?? []).toString('base64')
        return { contents: [{ uri: uri.href, mimeType: 'image/jpeg', blob, _meta: { time: picture?.time } }] }
      }),
  )
  server.registerResource(
    'run',
    new ResourceTemplate('longtake://run/{id}', { list: undefined }),
    { title: 'Run', description: 'How an answer came about', mimeType: 'application/json', ...keep('run') },
    (uri, { id }) =>
      reading(async () => {
        const { state, question, answer, steps, cited } = await explainRun(place.home, decodeVariable(id))
        const answerLines = answer === undefined ? [] : [`answer: ${answer.text}`]
        const lines = [...steps, ...cited].map(({ words }) => words)
        return json(uri, {
          ...{ state, steps: steps.map(({ item }) => item), cited: cited.map(({ item }) => item) },
          words: block([`question: ${question}`, ...answerLines, ...lines]),
        })
      }),
  )
}

function keep(what: keyof typeof fresh) {
  return { cacheHint: { ttlMs: fresh[what], cacheScope: 'private' as const } }
}

function json(uri: URL, value: object) {
  return { contents: [{ uri: uri.href, mimeType: 'application/json', text: JSON.stringify(value) }] }
}

function block(lines: readonly string[]): string {
  return fence('video', lines.join('\n'))
}

function decodeVariable(value: string | string[] | undefined): string {
  try {
    return decodeURIComponent(String(value))
  } catch {
    throw invalid('The address is not written as addresses are: a percent sign stands alone.')
  }
}

function second(value: string | string[] | undefined): number {
  const text = decodeVariable(value)
  if (/^\d{1,7}(\.\d{1,6})?$/.test(text)) return Number(text)
  throw invalid('A time must be seconds, as 754 or 754.5.')
}

function invalid(message: string): ProtocolError {
  return new ProtocolError(ProtocolErrorCode.InvalidParams, message)
}

async function reading<T>(work: () => Promise<T>): Promise<T> {
  return work().catch(error => {
    throw error instanceof ProtocolError ? error : invalid(toolErrorText(error))
  })
}
