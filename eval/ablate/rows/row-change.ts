import { join } from 'node:path'
import type { Evidence, Track } from '../../../src/core/evidence.ts'
import { type Span, touches } from '../../../src/core/time.ts'
import type { Tool } from '../../../src/core/tool.ts'
import type { Hit, SearchQuery, VideoIndex } from '../../../src/core/video.ts'
import { defaultHits } from '../../../src/core/words/default-hits.ts'
import type { RowsChange, StageChanges } from '../../../src/runtime/index/plan-stages.ts'
import { type SharedCalls, shareCalls } from '../../../src/store/call-log/share.ts'
import { openJsonLines } from '../../../src/store/json-lines.ts'
import type { Library } from '../../../src/store/library/library.ts'
import type { Redact } from '../../../src/store/redact.ts'
import { findStage } from '../../../src/store/stage/stage.ts'
import type { Judgment, SampleLine } from '../../data/sample-line.ts'
import { callFolder } from '../../runner/ask/call-folder.ts'
import type { ReplyToJudge } from '../../runner/ask/process-samples.ts'
import type { AgentChange } from '../../runner/bench-request.ts'
import { type AblationChange, changeName, type OracleName } from '../../runner/changes/change.ts'
import type { AblationFault } from '../../runner/changes/fault.ts'
import { writeRowSpec } from '../../runner/run-spec.ts'
import { changedContext, changedTools } from '../faults/faulty-parts.ts'
import { stageFaults } from '../faults/stage-faults.ts'
import { baseId, type MatrixRow } from '../matrix/rows.ts'
import { type GoldSource, goldStages } from './gold.ts'
import type { Replayer } from './replay.ts'

interface RowParts {
  row: MatrixRow
  seed: number
  study: string // its folder: the calls are kept below it
  folder: string // of the row
  library: Library
  redact: Redact
  gold: GoldSource
  fromStep?: number // every other row replays the calls of the base from this folder, so all are asked here
  replay?: Replayer // of every row but the base
  earlier: readonly SampleLine[] // of the rows before that are judged alike
}

// What a row changes of the agent beside its settings, and its records of what it used.
export async function rowChange(parts: RowParts): Promise<AgentChange> {
  const { row, seed, library } = parts
  const faults = faultsIn(row.changes)
  const oracles = oraclesIn(row.changes)
  const stages = await rowStages(row.changes, seed, parts.gold)
  const callLines = await openJsonLines(join(parts.folder, 'calls.jsonl'), 'at-flush')
  const stageLines = await openJsonLines(join(parts.folder, 'stages.jsonl'), 'at-flush')
  return {
    described: { row: row.id, changes: row.changes.map(changeName), seed, fromStep: parts.replay?.rounds },
    answers: findAnswersFolder(parts),
    sent: parts.fromStep === undefined ? writeRowSpec(row, seed, parts.study) : undefined,
    stages,
    async indexed(video, reports) {
      const loaded = await Promise.all(
        reports
          .filter(report => report.key !== '' && report.state !== 'failed')
          .map(async ({ stage, key, by }) => {
            const result = await findStage(library.videoFolder(video.id), stage, key)
            return { stage, key, by, seconds: result?.meta.seconds ?? 0, finished: result?.meta.finished ?? '' }
          }),
      )
      await stageLines.append({ video: video.id, stages: loaded })
    },
    async ask(asked, ask) {
      const calls = questionCalls(parts, asked.key, row.id)
      const replayed = await parts.replay?.before(asked, questionCalls(parts, asked.key, 'base'))
      const report = await ask({
        calls: { ...asked.calls, model: calls.model },
        change: {
          index: index => withGold(index, oracles, asked.sample.clues ?? []),
          tools: tools => changedTools(tools, toolsOff(row.changes, tools), faults, seed),
          context: context => changedContext(context, faults, seed),
          from: replayed?.state,
        },
      })
      asked.signal.throwIfAborted() // half a question is not a record
      await callLines.append({ key: asked.key, used: [...(replayed?.used ?? []), ...calls.used] })
      return report
    },
    judged: reply => judgedBefore(parts.earlier, reply),
    async close() {
      await callLines.flush()
      await stageLines.flush()
    },
  }
}

// Another judge mode does not ask a model alone anew.
function findAnswersFolder({ row, study }: RowParts): string | undefined {
  const isJudged = row.changes.length > 0 && row.changes.every(change => change.kind === 'judge-mode')
  return isJudged ? join(study, 'rows', baseId) : undefined
}

// Equal answers get equal verdicts: a judge that is asked again may say something else, and that would be no effect of the row.
function judgedBefore(lines: readonly SampleLine[], { id, task, reply, by }: ReplyToJudge): Judgment | undefined {
  return lines.find(
    line =>
      line.id === id &&
      line.judge?.by === by &&
      Object.keys(line.judge.failed).length === 0 &&
      line.replies[task] === reply,
  )?.judge
}

function questionCalls({ study, redact }: RowParts, key: string, row: string): SharedCalls {
  return shareCalls(callFolder(study, key), row, redact)
}

// Without a track the tools that make rows of it are off as well, or the row would show what an index of it is worth and not what
// the track is worth.
function toolsOff(changes: readonly AblationChange[], tools: readonly Tool[]): Set<string> {
  return new Set(
    changes.flatMap(change => {
      if (change.kind !== 'without' || change.what === 'policy') return []
      if (change.what === 'tool') return [change.name]
      return tools.filter(tool => tool.makes?.some(track => track === change.name)).map(tool => tool.name)
    }),
  )
}

// A question without gold intervals is asked as in the base.
function withGold(index: VideoIndex, oracles: readonly string[], clues: readonly Span[]): VideoIndex {
  if (clues.length === 0) return index
  const narrowed = oracles.includes('span') ? onlyGold(index, clues) : index
  return oracles.includes('retrieval') ? goldFirst(narrowed, clues) : narrowed
}

// What a row changes of the index. Where it puts gold in and plants errors in the same track, the errors are in the gold.
export async function rowStages(
  changes: readonly AblationChange[],
  seed: number,
  gold: GoldSource,
): Promise<StageChanges> {
  const faults = stageFaults(faultsIn(changes), seed)
  const golden = await goldStages(oraclesIn(changes), gold)
  return {
    ...faults,
    ...golden,
    ...(faults.speech && golden.speech && { speech: spoiledGold(golden.speech, faults.speech) }),
    ...(faults.text && golden.text && { text: spoiledGold(golden.text, faults.text) }),
  }
}

function spoiledGold(gold: RowsChange, fault: RowsChange): RowsChange {
  return {
    by: `${gold.by}+${fault.by}`,
    needs: 'nothing',
    settings: video => ({ gold: gold.settings(video), fault: fault.settings(video) }),
    rows: async video => fault.rows(video, await gold.rows(video, [])),
  }
}

function faultsIn(changes: readonly AblationChange[]): AblationFault[] {
  return changes.flatMap(change => (change.kind === 'fault' ? [change.fault] : []))
}

function oraclesIn(changes: readonly AblationChange[]): OracleName[] {
  return changes.flatMap(change => (change.kind === 'oracle' ? [change.name] : []))
}

const oracleTracks: Track[] = ['speech', 'sound', 'text', 'picture', 'shot']

// Nothing but the gold intervals can be found: what is left to do is to read, hear and say what is there.
function onlyGold(index: VideoIndex, clues: readonly Span[]): VideoIndex {
  const isGold = (span: Span) => clues.some(clue => touches(span, clue))
  const { overview } = index
  return {
    ...index,
    overview: {
      ...overview,
      chapters: overview.chapters.filter(chapter => isGold(chapter.span)),
      ...(overview.scenes && { scenes: overview.scenes.filter(scene => isGold(scene.span)), whole: [], threads: [] }),
    },
    evidence: filter => index.evidence(filter).filter(row => isGold(row.span)),
    async search(query) {
      const hits = await index.search({ ...query, k: 200, nth: undefined })
      const gold = hits.filter(hit => isGold(hit.evidence.span))
      if (query.nth !== undefined) return inTime(gold).slice(query.nth - 1, query.nth)
      return gold.slice(0, query.k ?? defaultHits)
    },
  }
}

// Every search finds the rows at the gold intervals first, whatever was searched for; what it would have found comes after.
function goldFirst(index: VideoIndex, clues: readonly Span[]): VideoIndex {
  return {
    ...index,
    async search(query) {
      const hits = await index.search(query)
      if (query.nth !== undefined || query.frame !== undefined) return hits
      const gold = goldRows(index, clues, query)
      const hitsById = new Map(hits.map(hit => [hit.evidence.id, hit]))
      const first = gold.map(
        (row): Hit => ({ terms: [], ...hitsById.get(row.id), evidence: row, score: 1, lists: ['gold'] }),
      )
      const ids = new Set(gold.map(row => row.id))
      const rest = hits.filter(hit => !ids.has(hit.evidence.id))
      return [...first, ...rest].slice(0, Math.max(hits.length, query.k ?? defaultHits))
    },
  }
}

function goldRows(index: VideoIndex, clues: readonly Span[], { tracks, span, after, before }: SearchQuery): Evidence[] {
  const rows = clues.flatMap(clue => index.evidence({ tracks: tracks ?? oracleTracks, span: clue }))
  const fits = (row: Evidence) =>
    (span === undefined || touches(row.span, span)) &&
    (after === undefined || row.span.start >= after) &&
    (before === undefined || row.span.end <= before)
  return [...new Map(rows.filter(fits).map(row => [row.id, row])).values()]
}

function inTime(hits: readonly Hit[]): Hit[] {
  return [...hits].sort((a, b) => a.evidence.span.start - b.evidence.span.start)
}
