import { join } from 'node:path'
import type { Evidence } from '../../../../src/core/evidence.ts'
import type { CallLog } from '../../../../src/core/runtime.ts'
import type { Span } from '../../../../src/core/time.ts'
import type { VideoIndex } from '../../../../src/core/video.ts'
import { decodeImage, encodeJpeg, resizeFrame } from '../../../../src/media/image.ts'
import { checkPlanner } from '../../../../src/runtime/ask/open-agent.ts'
import type { LocalRuntime } from '../../../../src/runtime/runtime.ts'
import { listPermissions, openToolbox } from '../../../../src/runtime/tools/toolbox.ts'
import type { ReplayedCalls } from '../../../../src/store/call-log/replay.ts'
import { keepServedTools } from '../../../../src/store/call-log/served-tools.ts'
import type { Redact } from '../../../../src/store/redact.ts'
import type { AgentChange, AskAgent, AskedSample } from '../../bench-request.ts'
import type { Agent, AgentVideo, AskResult } from '../agent.ts'
import { callFolder, questionCalls } from '../call-folder.ts'
import type { Answerer } from './answerer.ts'
import { checkToolUse } from './check-tool-use.ts'
import { openForQuestions, overIndex } from './over-index.ts'

interface AgentParts {
  runtime: LocalRuntime
  folder: string // of the run: the calls are kept below it
  redact: Redact
  epoch?: number
  change?: AgentChange // of an ablation
  replay?: Pick<ReplayedCalls, 'tool'>
}

const maxFrames = 4 // kept for the report with one answer
const frameWidth = 256

// Our agent as "ask" runs it, on an index that stays open for all the questions about a video.
const longtake: Answerer = {
  // A planner, a model or a tool that cannot be used is an error before anything is asked.
  async check(parts) {
    const { runtime, settings } = parts
    await checkPlanner(settings.graph, async () => (await runtime.models.open('planner')).service)
    checkToolUse(parts, (await openToolbox(runtime.models, settings.tools, listPermissions(settings))).tools)
  },
  open: ({ runtime, redact, epoch, change, replay }, folder) =>
    benchAgent({ runtime, folder, redact, epoch, change, replay }),
}
export default longtake

function benchAgent(parts: AgentParts): Agent {
  const { runtime, change, folder } = parts
  return {
    async open(path, { subtitles, samples, watch, signal }) {
      const video = await openForQuestions(runtime, { path, folder, subtitles, samples, watch, signal })
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
  return {
    ...overIndex(video, subtitles),
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
  }
}

// Of the tools only those that ask others: what the rest gives costs nothing to do again.
function callLog({ folder, replay, ...parts }: AgentParts, key: string): CallLog {
  const log = questionCalls(parts, callFolder(folder, key))
  return {
    ...log,
    tool: (tool, asksOthers) => (asksOthers ? log.tool(replay?.tool(tool) ?? tool) : tool),
    served: tools => keepServedTools(join(folder, 'calls'), tools, parts.redact),
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
