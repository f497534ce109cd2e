import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type AskWork, askIndex } from '../../src/app/ask/ask.ts'
import { continuedCalls } from '../../src/app/ask/continued-calls.ts'
import { rolePrices } from '../../src/app/ask/prices.ts'
import type { ReplayedCalls } from '../../src/app/ask/replayed-calls.ts'
import { indexVideo } from '../../src/app/index/index-video.ts'
import { locateVideo } from '../../src/app/index/locate-video.ts'
import { type OpenedIndex, openIndex } from '../../src/app/index/open-index.ts'
import { filePolicy } from '../../src/app/index/plan-stages.ts'
import type { Models } from '../../src/app/models/models.ts'
import { permissionsOf } from '../../src/app/tools/permissions.ts'
import { keepServedTools } from '../../src/app/tools/served-tools.ts'
import type { Config } from '../../src/config/schema.ts'
import type { Evidence } from '../../src/core/evidence.ts'
import { contentHash } from '../../src/core/hash.ts'
import type { Span } from '../../src/core/time.ts'
import { framesAt } from '../../src/media/frames.ts'
import { decodeImage, encodeJpeg, resizeFrame } from '../../src/media/image.ts'
import type { Library } from '../../src/store/library.ts'
import type { Redact } from '../../src/store/redact.ts'
import type { Agent, AgentVideo, AskResult } from '../runner/agent.ts'
import type { AgentChange } from './agent-change.ts'
import { callFolder } from './call-folder.ts'

export interface AgentParts {
  library: Library
  models: Models
  settings: Config
  folder: string // of the run: the calls are kept below it
  redact: Redact
  change?: AgentChange // of an ablation
  replay?: Pick<ReplayedCalls, 'tool'>
}

const mostFrames = 4 // kept for the report with one answer
const frameWidth = 256

// The agent as "ask" runs it, on an index that stays open for all the questions about a video.
export function benchAgent(parts: AgentParts): Agent {
  const { library, models, settings, change } = parts
  return {
    async open(path, { subtitles, watch, signal }) {
      const found = await locateVideo(library, path, { ...filePolicy(settings.index), watch, signal })
      const video = subtitles && isSubtitleFile(subtitles) ? { ...found, sidecars: [subtitles] } : found
      const folder = library.videoFolder(video.id)
      const changes = change?.stages
      const indexed = await indexVideo({ video, folder, models, settings: settings.index, changes, watch, signal })
      await change?.indexed(video, indexed.reports)
      const index = await openIndex(indexed, models, settings.index, signal, changes)
      const key = contentHash(indexed.reports.map(({ stage, key, state }) => [stage, key, state === 'failed']))
      return agentVideo(parts, index, key.slice(0, 16), path, subtitles)
    },
  }
}

function agentVideo(
  parts: AgentParts,
  index: OpenedIndex,
  indexKey: string,
  path: string,
  subtitles?: string,
): AgentVideo {
  const { models, settings, change } = parts
  const permissions = permissionsOf(settings)
  return {
    duration: index.video.duration,
    index: indexKey,
    async ask(question, { key, sample, turns, clues, signal }): Promise<AskResult> {
      const calls = continuedCalls(callFolder(parts.folder, key), parts.redact)
      const work: AskWork = {
        index,
        models,
        question,
        turns,
        budget: settings.budget,
        policy: settings.policy,
        graph: settings.graph,
        tools: settings.tools,
        permissions,
        record: (_, model) => calls.model(model),
        tool: (tool, asksOthers) => (asksOthers ? calls.tool(parts.replay?.tool(tool) ?? tool) : tool),
        served: tools => keepServedTools(join(parts.folder, 'calls'), tools, parts.redact),
        prices: rolePrices(settings),
        watch: () => {},
        signal,
      }
      const state = await (change ? change.ask(work, { key, sample, path }) : askIndex(work))
      if (!state.answer) throw new Error('The agent ended without an answer.')
      const cited = citedRows(
        state.answer.sentences.flatMap(sentence => sentence.cites),
        state.evidence,
      )
      return {
        answer: state.answer,
        evidence: [...cited, ...state.evidence.filter(row => !cited.includes(row))],
        steps: state.steps,
        usage: state.spent,
        stop: state.stop ?? 'answered',
        frames: await framesOf(cited, index),
        indexed: clues.map(clue => ({ clue, rows: tracksAt(index, clue) })),
      }
    },
    async sight() {
      return {
        framesPerSecond: index.video.picture?.frameRate ?? 25,
        frames: async times =>
          Promise.all((await framesAt(index.video, times, { width: 512 })).map(frame => encodeJpeg(frame))),
        subtitles: subtitles && isSubtitleFile(subtitles) ? await readFile(subtitles, 'utf8') : undefined,
      }
    },
    close: () => index.close(),
  }
}

function citedRows(ids: readonly string[], evidence: readonly Evidence[]): Evidence[] {
  const cited = new Set(ids)
  return evidence.filter(row => cited.has(row.id))
}

function tracksAt(index: OpenedIndex, clue: Span): AskResult['indexed'][number]['rows'] {
  const rows = index.evidence({ span: clue, tracks: ['speech', 'text', 'sound', 'picture'] }).map(row => row.track)
  const seen = index.stills.some(still => still.time >= clue.start && still.time <= clue.end)
  return [...new Set([...rows, ...(seen ? (['picture'] as const) : [])])]
}

// What a reader of the report sees of the rows that an answer cites: the nearest kept frame of each, small.
async function framesOf(rows: readonly Evidence[], index: OpenedIndex): Promise<AskResult['frames']> {
  const frames: AskResult['frames'] = []
  for (const row of rows) {
    if (frames.length === mostFrames || index.stills.length === 0) break
    const wanted = row.frame ?? (row.span.start + row.span.end) / 2
    const at = index.stills.reduce(
      (best, still, i) => (Math.abs(still.time - wanted) < Math.abs(index.stills[best].time - wanted) ? i : best),
      0,
    )
    const name = `${index.video.id}-${at}.jpg`
    if (frames.some(frame => frame.name === name)) continue
    frames.push({ time: index.stills[at].time, name, row: row.id, jpeg: await smallJpeg(await index.still(at)) })
  }
  return frames
}

async function smallJpeg(jpeg: Uint8Array): Promise<Uint8Array> {
  const frame = await decodeImage(jpeg)
  if (frame.width <= frameWidth) return jpeg
  const height = Math.max(1, Math.round((frame.height * frameWidth) / frame.width))
  return encodeJpeg(await resizeFrame(frame, frameWidth, height), 60)
}

function isSubtitleFile(path: string): boolean {
  return /\.(srt|vtt)$/i.test(path)
}
