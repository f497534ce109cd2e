import { type McpServer, ProtocolError, ProtocolErrorCode, ResourceTemplate } from '@modelcontextprotocol/server'
import { z } from 'zod'
import { Answer, Step } from '../../../../src/core/agent.ts'
import { Evidence } from '../../../../src/core/evidence.ts'
import { formatTime, parseTime } from '../../../../src/core/time.ts'
import { vtt } from '../../../../src/core/words/export-formats.ts'
import { fence } from '../../../../src/core/words/fence.ts'
import { indexLine } from '../../../../src/core/words/index-lines.ts'
import { visibleFileName } from '../../../../src/core/words/visible-text.ts'
import { callOperation, replyText } from '../../../../src/runtime/operations/index.ts'
import { runRecord } from '../../../../src/runtime/runs/run-record.ts'
import { servedMemory } from '../../work/videos/served-memory.ts'
import { readIndex } from '../../work/videos/video-view.ts'
import type { Workplace } from '../../work/workplace.ts'
import { chooseVideo } from './choose-video.ts'
import { clip } from './clip.ts'
import { toolErrorText } from './errors.ts'

const maxListed = 200
const maxTranscript = 30 * 60 // seconds
const frameWidth = 768
const fresh = { video: 30_000, transcript: 300_000, frame: 3_600_000, run: 5_000 } // milliseconds

// What a host may attach to a conversation by its address; videos are named by their files.
export function registerResources(server: McpServer, place: Workplace): void {
  const { served } = place
  server.registerResource(
    'video',
    new ResourceTemplate('longtake://video/{video}', {
      async list() {
        const videos = (await served.runtime.library.list()).slice(0, maxListed)
        return {
          resources: videos.map(({ id, name, duration }) => ({
            ...{ uri: `longtake://video/${id}`, name: visibleFileName(name), mimeType: 'text/plain' },
            description: `Overview of a video of ${formatTime(duration)}`,
          })),
        }
      },
    }),
    { title: 'Video', description: 'Overview of a video', mimeType: 'text/plain', ...keep('video') },
    (uri, { video }, { mcpReq }) =>
      reading(async () => {
        const memory = servedMemory(place, mcpReq.signal)
        return plain(uri, replyText(await callOperation('overview', { video: decodeVariable(video) }, memory)))
      }),
  )
  server.registerResource(
    'transcript',
    new ResourceTemplate('longtake://video/{video}/transcript/{from}-{to}', { list: undefined }),
    {
      title: 'Transcript',
      description: 'What is said in a span of 30 minutes at most',
      mimeType: 'text/vtt',
      ...keep('transcript'),
    },
    (uri, { video, from, to }, { mcpReq }) =>
      reading(async () => {
        const span = { start: second(from), end: second(to) }
        if (span.end < span.start || span.end - span.start > maxTranscript)
          throw invalid(`The span must be of ${maxTranscript} s at most, in order.`)
        const chosen = await chooseVideo(place, decodeVariable(video), mcpReq.signal)
        const rows = await readIndex(served, chosen, index => index.evidence({ tracks: ['speech'], span }))
        const text = vtt(rows, words => fence('speech', words)) // players pass over a tag that they do not know
        return { contents: [{ uri: uri.href, mimeType: 'text/vtt', text }] }
      }),
  )
  server.registerResource(
    'frame',
    new ResourceTemplate('longtake://video/{video}/frame/{time}', { list: undefined }),
    { title: 'Frame', description: 'What is on screen at a time', mimeType: 'image/jpeg', ...keep('frame') },
    (uri, { video, time }, { mcpReq }) =>
      reading(async () => {
        const wish = { video: decodeVariable(video), at: decodeVariable(time), width: frameWidth, singly: true }
        const { pictures = [] } = await callOperation('view', wish, servedMemory(place, mcpReq.signal))
        const blob = Buffer.from(pictures[0] ?? []).toString('base64')
        return { contents: [{ uri: uri.href, mimeType: 'image/jpeg', blob }] }
      }),
  )
  server.registerResource(
    'run',
    new ResourceTemplate('longtake://run/{id}', { list: undefined }),
    { title: 'Run', description: 'How an answer came about', mimeType: 'text/plain', ...keep('run') },
    (uri, { id }) => reading(async () => plain(uri, replyText(await explainRun(place.home, decodeVariable(id))))),
  )
}

function keep(what: keyof typeof fresh) {
  return { cacheHint: { ttlMs: fresh[what], cacheScope: 'private' as const } }
}

function plain(uri: URL, text: string) {
  return { contents: [{ uri: uri.href, mimeType: 'text/plain', text }] }
}

function decodeVariable(value: string | string[] | undefined): string {
  try {
    return decodeURIComponent(String(value))
  } catch {
    throw invalid('The address has a percent sign without two digits behind it.')
  }
}

function second(value: string | string[] | undefined): number {
  const seconds = parseTime(decodeVariable(value))
  if (seconds !== undefined) return seconds
  throw invalid('A time must be "12:34.5", or seconds.')
}

function invalid(message: string): ProtocolError {
  return new ProtocolError(ProtocolErrorCode.InvalidParams, message)
}

async function reading<T>(work: () => Promise<T>): Promise<T> {
  return work().catch(error => {
    throw error instanceof ProtocolError ? error : invalid(toolErrorText(error))
  })
}

const maxLines = 200

const Events = z.union([
  z.object({ type: z.literal('tool-end'), step: Step }),
  z.object({ type: z.literal('evidence'), evidence: Evidence }),
  z.object({ type: z.literal('answer'), answer: Answer }),
  z.object({ type: z.literal('run'), question: z.object({ text: z.string() }) }),
])

// How a run went, from its events: also of one that goes on or was killed.
async function explainRun(home: string, id: string): Promise<{ head: string; lines: string[] }> {
  const { trace, state } = await runRecord(home, id)
  const events = trace.flatMap(event => Events.safeParse(event).data ?? [])
  const answer = events.findLast(event => event.type === 'answer')?.answer
  const question = events.find(event => event.type === 'run')?.question.text ?? ''
  const ids = new Set(answer?.sentences.flatMap(({ cites }) => cites))
  const cited = events.flatMap(event =>
    event.type === 'evidence' && ids.has(event.evidence.id) ? [event.evidence] : [],
  )
  const steps = events.flatMap(event => (event.type === 'tool-end' ? [event.step] : []))
  return {
    head: `${steps.length} steps; ${ids.size} rows cited; ${state}.`,
    lines: [
      `question: ${question}`,
      ...(answer ? [`answer: ${answer.text}`] : []),
      ...steps.map(
        ({ tool, input, outcome, evidence }, at) =>
          `step ${at + 1} ${tool} ${clip(JSON.stringify(input) ?? '', 300)} ${outcome}: ${evidence.slice(0, 12).join(' ')}`,
      ),
      ...new Set(cited.map(row => `cited ${indexLine(row)}`)),
    ].slice(0, maxLines),
  }
}
