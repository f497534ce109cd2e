import { basename, dirname, join } from 'node:path'
import { type OldRun, ofOldRun } from '../../../graphs/old-run.ts'
import type { RunCheckpoints } from '../../../graphs/parts.ts'
import { promptVersions } from '../../../graphs/prompts/versions.ts'
import { recordedSettings } from '../../config/recorded-settings.ts'
import type { ResolvedConfig } from '../../config/resolve.ts'
import type { Budget, Question, RunEvent, Step, Turn } from '../../core/agent.ts'
import type { Usage } from '../../core/chat.ts'
import { errorText } from '../../core/errors.ts'
import type { KeptCheckpoint } from '../../core/run/checkpoints.ts'
import type { AskReport, CallLog } from '../../core/runtime.ts'
import type { Video } from '../../core/video.ts'
import { resumeCalls } from '../../store/call-log/resume.ts'
import { openCheckpoints, readCheckpoints } from '../../store/run/checkpoints.ts'
import { lastOldState } from '../../store/run/old-states.ts'
import { type RunFolder, resumeRun, makeRunFolder as startFolder } from '../../store/run/run-folder.ts'
import { earlierTurns, earlierTurnsFile } from '../../store/run/run-turns.ts'
import type { LookedWindow } from '../index/open-index.ts'
import type { LibraryWish } from './library/open-library.ts'
import type { AskWork } from './run-graph.ts'

export interface RecordedRun {
  folder: string
  from?: LastState // where a run that was stopped goes on
  turns?: Turn[] // before its question, of a run that was stopped
  calls: CallLog
  trace(event: RunEvent): void
  kept: RunCheckpoints
  finish(report: AskReport): Promise<void>
  fail(error: unknown, how: 'failed' | 'cancelled'): Promise<void>
}

export interface RunStart {
  home: string
  config: ResolvedConfig
  profile: { name: string; why: string }
  graph: string
  question: Question
  session?: string
  budget?: Partial<Budget> // limits of this question alone
  turns?: readonly Turn[] // of the conversation so far
  video: Video
  index: string // its key
  forked?: Forked
  deepened?: LookedWindow[] // windows of its index that were looked at in full
  spent?: Usage // on these windows, for this question
  library?: LibraryWish // it is asked over all videos
  environment: Readonly<Record<string, string | undefined>>
}

// From which step of which run.
export interface Forked {
  run: string
  step: number
  checkpoint: string
  hint?: string
}

// The run folder of one question: its settings, its trace, its states, every call of a model or tool, and in the end its answer.
export async function startRecordedRun(start: RunStart): Promise<RecordedRun> {
  const { home, config, profile, graph, question, session, budget, turns } = start
  const { video, index, deepened, spent, forked, library, environment } = start
  const run = await startFolder(home, {
    name: question.text,
    config: recordedSettings(config.settings),
    environment: {
      node: process.version,
      platform: `${process.platform} ${process.arch}`,
      profile,
      graph,
      question,
      prompts: promptVersions,
      ...(session ? { session } : {}),
      ...(budget && Object.keys(budget).length > 0 ? { budget } : {}),
      ...(forked ? { forked } : {}),
      index,
      ...(deepened?.length ? { deepened } : {}),
      ...(spent?.calls ? { spent } : {}),
      ...(library ? { library } : {}),
      video: { id: video.id, path: video.path, name: video.name, duration: video.duration },
    },
    secrets: listSecrets(environment),
    more: earlierTurnsFile(turns),
  })
  return asRun(run, forked)
}

// Goes on in the folder of a run that was stopped, from its last whole state.
export async function continueRun(
  home: string,
  id: string,
  environment: RunStart['environment'],
  forked?: Forked,
): Promise<RecordedRun> {
  const run = await resumeRun(home, id, listSecrets(environment))
  return { ...(await asRun(run, forked)), turns: await earlierTurns(run.folder) }
}

// What a run knew at its last step that nothing had stopped.
export interface LastState {
  question: Question
  turns: Turn[]
  steps: Step[]
  permits?: AskWork['permits']
  older?: RunCheckpoints['older'] // it began before runs had checkpoints
}

// A checkpoint with all that came before it.
async function checkpointsTo(folder: string, id: string): Promise<KeptCheckpoint[]> {
  const all = await readCheckpoints(folder)
  const chain: KeptCheckpoint[] = []
  for (let at: string | undefined = id; at !== undefined; at = chain[0]?.parent) {
    const parent = all.findLast(one => one.checkpoint.id === at)
    if (!parent) break
    chain.unshift(parent)
  }
  return chain
}

// Undefined where a run was stopped before its first step.
export async function lastState(folder: string): Promise<LastState | undefined> {
  const steps = (await readCheckpoints(folder)).filter(one => one.metadata.step > 0)
  const last = steps.map(one => one.checkpoint.channel_values).findLast(one => one.stop === undefined && !one.halted)
  if (last) return last as unknown as LastState
  const old = (await lastOldState(folder)) as OldRun | undefined
  return old && { ...old.agent, older: ofOldRun(old) }
}

async function asRun(run: RunFolder, forked?: Forked): Promise<RecordedRun> {
  const checkpoints = await openCheckpoints(run)
  const inherited = forked
    ? await checkpointsTo(join(dirname(run.folder), basename(forked.run)), forked.checkpoint)
    : []
  for (const checkpoint of inherited.slice(checkpoints.all().length)) await checkpoints.put(checkpoint)
  const untouched = checkpoints.all().length === inherited.length
  const hint = untouched ? forked?.hint : undefined
  const from = await lastState(run.folder)
  // Each line has the time of its event, whenever it is written. A failed write must not be lost, and is told when the run ends.
  let writing: Promise<unknown> = Promise.resolve()
  let failure: unknown
  const append = (event: object) => {
    writing = run.trace(event).catch(error => {
      failure ??= error
    })
  }
  const end = async (summary: unknown) => {
    await writing
    await run.finish(summary)
    if (failure) throw failure
  }
  return {
    folder: run.folder,
    from,
    calls: resumeCalls(`${run.folder}/calls`, run.redact),
    trace: append,
    kept: { checkpoints, thread: run.id, older: from?.older, hint },
    finish: report => end({ status: mapStatus(report.stop), state: report.stop, ...report }),
    async fail(error, how) {
      append({ type: 'note', text: errorText(error) })
      await end({ status: how, state: how, error: errorText(error) }).catch(() => {})
    },
  }
}

function mapStatus(stop: AskReport['stop']): 'answered' | 'limit' | 'failed' | 'cancelled' {
  if (stop === 'interrupted') return 'cancelled'
  return stop === 'answered' || stop === 'failed' ? stop : 'limit'
}

// What must never reach a file: values of variables that are named like secrets.
export function listSecrets(environment: Readonly<Record<string, string | undefined>>): string[] {
  return Object.entries(environment).flatMap(([name, value]) =>
    value && value.length >= 8 && /(KEY|TOKEN|SECRET|PASSWORD|CREDENTIAL)/i.test(name) ? [value] : [],
  )
}
