import { join } from 'node:path'
import type { Evidence } from '../../../src/core/evidence.ts'
import { contentHash } from '../../../src/core/json.ts'
import { readBoundedText } from '../../../src/core/machine/read-bounded.ts'
import type { CallLog } from '../../../src/core/runtime.ts'
import type { Span } from '../../../src/core/time.ts'
import type { VideoIndex } from '../../../src/core/video.ts'
import { decodeImage, encodeJpeg, resizeFrame } from '../../../src/media/image.ts'
import { indexKey } from '../../../src/runtime/index/index-key.ts'
import type { LocalRuntime } from '../../../src/runtime/runtime.ts'
import type { ReplayedCalls } from '../../../src/store/call-log/replay.ts'
import { resumeCalls } from '../../../src/store/call-log/resume.ts'
import { keepServedTools } from '../../../src/store/call-log/served-tools.ts'
import type { Redact } from '../../../src/store/redact.ts'
import type { AgentChange, AskAgent, AskedSample } from '../bench-request.ts'
import type { Agent, AgentVideo, AskResult } from './agent.ts'
import { agentWidth, judgeSight } from './judge-sight.ts'

interface AgentParts {
  runtime: LocalRuntime
  folder: string // of the run: the calls are kept below it
  redact: Redact
  change?: AgentChange // of an ablation
  replay?: Pick<ReplayedCalls, 'tool'>
}

const maxFrames = 4 // kept for the report with one answer
const frameWidth = 256

// The agent as "ask" runs it, on an index that stays open for all the questions about a video.
export function benchAgent(parts: AgentParts): Agent {
  const { runtime, change } = parts
  return {
    async open(path, { subtitles, watch, signal }) {
      const video = await runtime.questions.openVideo(path, { subtitles: subtitleFile(subtitles), watch, signal })
      await change?.indexed(video.index.video, video.stages)
      return agentVideo(parts, video, path, subtitles)
    },
  }
}

function agentVideo(
  parts: AgentParts,
  video: Awaited<ReturnType<LocalRuntime['questions']['openVideo']>>,
  path: string,
  subtitles?: string,
): AgentVideo {
  const { change } = parts
  const { index } = video
  const file = subtitleFile(subtitles)
  return {
    duration: index.video.duration,
    index: indexKey(video.stages),
    async ask(question, { key, sample, turns, clues, signal }): Promise<AskResult> {
      const askedSample: AskedSample = { key, sample, path, question, turns, calls: callLog(parts, key), signal }
      const ask: AskAgent = more => video.ask(question, { turns, calls: askedSample.calls, signal, ...more })
      const { answer, evidence, steps, usage, stop } = await (change ? change.ask(askedSample, ask) : ask())
      const ids = new Set(answer.sentences.flatMap(sentence => sentence.cites))
      const frames = await citedFrames(
        evidence.filter(row => ids.has(row.id)),
        index,
      )
      const indexed = clues.map(clue => ({ clue, rows: tracksAt(index, clue) }))
      return { answer, evidence, steps, usage, stop, frames, indexed }
    },
    async sight() {
      const subtitles = file === undefined ? undefined : await readBoundedText(file, 32e6)
      return judgeSight(index.video, { width: agentWidth, subtitles })
    },
    close: () => video.close(),
  }
}

// Of the tools only those that ask others: what the rest gives costs nothing to do again.
function callLog({ folder, redact, replay }: AgentParts, key: string): CallLog {
  const log = resumeCalls(callFolder(folder, key), redact)
  return {
    ...log,
    tool: (tool, asksOthers) => (asksOthers ? log.tool(replay?.tool(tool) ?? tool) : tool),
    served: tools => keepServedTools(join(folder, 'calls'), tools, redact),
  }
}

function tracksAt(index: VideoIndex, clue: Span): AskResult['indexed'][number]['rows'] {
  const rows = index.evidence({ span: clue, tracks: ['speech', 'text', 'sound', 'picture'] }).map(row => row.track)
  const seen = index.stills.some(still => still.time >= clue.start && still.time <= clue.end)
  return [...new Set([...rows, ...(seen ? (['picture'] as const) : [])])]
}

// What a reader of the report sees of the rows that an answer cites: the nearest kept frame of each, small.
async function citedFrames(rows: readonly Evidence[], index: VideoIndex): Promise<AskResult['frames']> {
  const frames: AskResult['frames'] = []
  for (const row of rows) {
    if (frames.length === maxFrames || index.stills.length === 0) break
    const frameTime = row.frame ?? (row.span.start + row.span.end) / 2
    const gap = (time: number) => Math.abs(time - frameTime)
    const nearest = index.stills.reduce((best, still) => (gap(still.time) < gap(best.time) ? still : best))
    const at = index.stills.indexOf(nearest)
    const name = `${index.video.id}-${at}.jpg`
    if (frames.some(frame => frame.name === name)) continue
    frames.push({ time: nearest.time, name, row: row.id, jpeg: await smallJpeg(await index.still(at)) })
  }
  return frames
}

async function smallJpeg(jpeg: Uint8Array): Promise<Uint8Array> {
  const frame = await decodeImage(jpeg)
  if (frame.width <= frameWidth) return jpeg
  const height = Math.max(1, Math.round((frame.height * frameWidth) / frame.width))
  return encodeJpeg(await resizeFrame(frame, frameWidth, height), 60)
}

export function subtitleFile(path: string | undefined): string | undefined {
  return path !== undefined && /\.(srt|vtt)$/i.test(path) ? path : undefined
}

// Where the calls of one question are kept. Ids of samples come from data sets: they become folder names, and two must never
// become one.
export function callFolder(runFolder: string, key: string): string {
  const plain = key.replace(/[^A-Za-z0-9_-]+/g, '_').slice(0, 80)
  return join(runFolder, 'calls', plain === key ? plain : `${plain}-${contentHash(key).slice(0, 10)}`)
}
