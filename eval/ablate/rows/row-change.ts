import { join } from 'node:path'
import { askIndex } from '../../../src/app/ask/ask.ts'
import type { OpenedIndex } from '../../../src/app/index/open-index.ts'
import type { Role } from '../../../src/app/models/families.ts'
import type { Models } from '../../../src/app/models/models.ts'
import type { ChatModel } from '../../../src/core/chat.ts'
import type { TextReader, Transcriber } from '../../../src/core/services.ts'
import { openJsonLines } from '../../../src/store/json-lines.ts'
import type { Library } from '../../../src/store/library.ts'
import type { Redact } from '../../../src/store/redact.ts'
import { findStage } from '../../../src/store/stage.ts'
import type { AgentChange } from '../../bench/agent-change.ts'
import { callFolder } from '../../bench/call-folder.ts'
import type { Judgment, SampleLine } from '../../runner/line.ts'
import { changedParts } from '../faults/faulty-parts.ts'
import { faultyReader, faultyTranscriber } from '../faults/service-faults.ts'
import type { Change } from '../matrix/change.ts'
import { changeName } from '../matrix/change.ts'
import type { Fault } from '../matrix/fault.ts'
import type { Row } from '../matrix/rows.ts'
import type { Replayer } from '../study/replay.ts'
import { type SharedCalls, sharedCalls } from '../study/shared-calls.ts'
import type { GoldSource } from './gold.ts'
import { viewOf, type WrapService } from './models-view.ts'
import { goldFirst, onlyGold } from './oracle-index.ts'
import { rowStages } from './row-stages.ts'
import { toolsOfTrack } from './track-tools.ts'

export interface RowParts {
  row: Row
  seed: number
  study: string // its folder: the calls are kept below it
  folder: string // of the row
  library: Library
  redact: Redact
  gold: GoldSource
  replay?: Replayer // --from-step, for every row but the base
  earlier: readonly SampleLine[] // of the rows before
}

// What a row changes of the agent beside its settings, and its records of what it used.
export async function rowChange(parts: RowParts): Promise<AgentChange> {
  const { row, seed, library } = parts
  const faults = row.changes.flatMap(change => (change.kind === 'fault' ? [change.fault] : []))
  const oracles = row.changes.flatMap(change => (change.kind === 'oracle' ? [change.name] : []))
  const off = toolsOff(row.changes)
  const stages = await rowStages(row.changes, seed, parts.gold)
  const callLines = await openJsonLines(join(parts.folder, 'calls.jsonl'), 'at-flush')
  const stageLines = await openJsonLines(join(parts.folder, 'stages.jsonl'), 'at-flush')
  return {
    described: { row: row.id, changes: row.changes.map(changeName), seed, fromStep: parts.replay?.rounds },
    stages,
    async indexed(video, reports) {
      const found = await Promise.all(
        reports
          .filter(report => report.key !== '' && report.state !== 'failed')
          .map(async ({ stage, key, by }) => {
            const result = await findStage(library.videoFolder(video.id), stage, key)
            return { stage, key, by, seconds: result?.meta.seconds ?? 0, finished: result?.meta.finished ?? '' }
          }),
      )
      await stageLines.append({ video: video.id, stages: found })
    },
    async ask(work, asked) {
      const calls = questionCalls(parts, asked.key, row.id)
      const replayed = await parts.replay?.before(work, asked, questionCalls(parts, asked.key, 'base'))
      const state = await askIndex({
        ...work,
        models: modelsOf(work.models, calls, faults, seed),
        index: withGold(work.index, oracles, asked.sample.clues ?? []),
        record: (_, model) => model,
        through: (all, graph) =>
          graph({ ...changedParts(all, off, faults, seed), ...(replayed && { from: replayed.state }) }),
      })
      work.signal.throwIfAborted() // half a question is no record
      await callLines.append({ key: asked.key, used: [...(replayed?.used ?? []), ...calls.used] })
      return state
    },
    judged: (id, reply) => judgedBefore(parts.earlier, id, reply),
    async close() {
      await callLines.flush()
      await stageLines.flush()
    },
  }
}

// Equal answers get equal verdicts: a judge that is asked again may say something else, and that would be no effect of the row.
function judgedBefore(lines: readonly SampleLine[], id: string, reply: string): Judgment | undefined {
  return lines.find(
    line =>
      line.id === id &&
      line.judge !== undefined &&
      Object.keys(line.judge.failed).length === 0 &&
      Object.values(line.replies).includes(reply),
  )?.judge
}

function questionCalls({ study, redact }: RowParts, key: string, row: string): SharedCalls {
  return sharedCalls(callFolder(study, key), row, redact)
}

function toolsOff(changes: readonly Change[]): Set<string> {
  return new Set(
    changes.flatMap(change => {
      if (change.kind !== 'without' || change.what === 'policy') return []
      return change.what === 'tool' ? [change.name] : toolsOfTrack(change.name)
    }),
  )
}

// A question without gold intervals is asked as in the base.
function withGold(index: OpenedIndex, oracles: readonly string[], clues: Parameters<typeof onlyGold>[1]): OpenedIndex {
  if (clues.length === 0) return index
  const narrowed = oracles.includes('span') ? onlyGold(index, clues) : index
  return oracles.includes('retrieval') ? goldFirst(narrowed, clues) : narrowed
}

const chatRoles: readonly Role[] = ['planner', 'writer', 'verifier', 'vision']

// Chat models behind the calls that the rows share; what hears and reads behind its faults.
export function modelsOf(inner: Models, calls: SharedCalls, faults: readonly Fault[], seed: number): Models {
  const fault = (target: Fault['target']) => faults.find(one => one.target === target && one.amount > 0)
  const wrap = async (role: Role, { by, service }: { by: string; service: unknown }) => {
    if (chatRoles.includes(role))
      return { by, service: calls.chat(role, service as ChatModel, await inner.chosen(role)) }
    const heard = role === 'transcribe' || role === 'retranscribe' ? fault('asr') : undefined
    const read = role === 'readText' ? fault('ocr') : undefined
    if (heard) return { by, service: faultyTranscriber(service as Transcriber, heard, seed) }
    if (read) return { by, service: faultyReader(service as TextReader, read, seed) }
    return { by, service }
  }
  return viewOf(inner, wrap as unknown as WrapService)
}
