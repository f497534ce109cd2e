import { basename, dirname, join } from 'node:path'
import { type OldRun, ofOldRun } from '../../../graphs/old-run.ts'
import type { GraphInput, GraphParts, RunCheckpoints } from '../../../graphs/parts.ts'
import { promptVersions } from '../../../graphs/prompts/versions.ts'
import { recordedSettings } from '../../config/recorded-settings.ts'
import type { AgentState, Question, RunEvent, Step, Turn, Watch } from '../../core/agent.ts'
import { errorText } from '../../core/errors.ts'
import type { Evidence } from '../../core/evidence.ts'
import type { KeptCheckpoint } from '../../core/run/checkpoints.ts'
import type { AskOptions, AskReport, CallLog } from '../../core/runtime.ts'
import type { VideoIndex } from '../../core/video.ts'
import { resumeCalls } from '../../store/call-log/resume.ts'
import { listSecrets } from '../../store/redact.ts'
import { openCheckpoints, readCheckpoints } from '../../store/run/checkpoints.ts'
import { lastOldState } from '../../store/run/old-states.ts'
import { makeRunFolder, type RunFolder, resumeRun } from '../../store/run/run-folder.ts'
import { earlierTurns, earlierTurnsFile } from '../../store/run/run-turns.ts'
import type { Forked, QuestionContext } from '../context.ts'

// Where one question is recorded while it is answered.
export interface QuestionRun {
  calls: CallLog
  input: Omit<GraphInput, Exclude<keyof GraphParts, 'strange'>> // what the graph begins with
  finish(state: AgentState): Promise<AskReport>
  fail(error: unknown): Promise<void>
}

// A run folder of its own, the folder of the run that goes on, or the call log that the question was given.
export async function startRun(context: QuestionContext): Promise<QuestionRun> {
  const { calls } = context.options
  if (calls) {
    const finish = async (state: AgentState) => buildReport(context, state, calls.folder)
    return { calls, input: openInput(context), finish, fail: async () => {} }
  }
  const { resumes, runtime } = context
  const { home, environment } = runtime.options
  const secrets = listSecrets(environment)
  if (resumes === undefined) return recordIn(await makeRunFolder(home, { ...describeRun(context), secrets }), context)
  const run = await resumeRun(home, resumes, secrets)
  return recordIn(run, { ...context, options: { ...context.options, turns: await earlierTurns(run.folder) } })
}

function openInput({ question, options, spent }: QuestionContext): QuestionRun['input'] {
  const { turns, change, byId: strange, reply, watch } = options
  return { question, turns, from: change?.from, strange, reply, watch, spent }
}

// The run folder of one question: its settings, its trace, its states, every call of a model or tool, and in the end its answer.
function describeRun(context: QuestionContext) {
  const { runtime, index, question, graph, options, library, spent, forked } = context
  const { session, budget, turns } = options
  const { key, deepened, video } = index
  return {
    name: question.text,
    config: recordedSettings(runtime.settings),
    environment: {
      node: process.version,
      platform: `${process.platform} ${process.arch}`,
      profile: runtime.profile,
      graph,
      question,
      prompts: promptVersions,
      ...(session ? { session } : {}),
      ...(budget && Object.keys(budget).length > 0 ? { budget } : {}),
      ...(forked ? { forked } : {}),
      index: key,
      ...(deepened?.length ? { deepened } : {}),
      ...(spent?.calls ? { spent } : {}),
      ...(library ? { library: library.request } : {}),
      video: { id: video.id, path: video.path, name: video.name, duration: video.duration },
    },
    more: earlierTurnsFile(turns),
  }
}

// What a run knew at its last step that nothing had stopped.
interface LastState {
  question: Question
  turns: Turn[]
  steps: Step[]
  permits?: GraphInput['permits']
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

// Undefined if a run was stopped before its first step.
export async function lastState(folder: string): Promise<LastState | undefined> {
  const steps = (await readCheckpoints(folder)).filter(one => one.metadata.step > 0)
  const last = steps.map(one => one.checkpoint.channel_values).findLast(one => one.stop === undefined && !one.halted)
  if (last) return last as unknown as LastState
  const old = (await lastOldState(folder)) as OldRun | undefined
  return old && { ...old.agent, older: ofOldRun(old) }
}

async function recordIn(run: RunFolder, context: QuestionContext): Promise<QuestionRun> {
  const { index, question, options, forked } = context
  const checkpoints = await openCheckpoints(run)
  const inherited = forked ? await inheritedCheckpoints(run, forked) : []
  for (const checkpoint of inherited.slice(checkpoints.all().length)) await checkpoints.put(checkpoint)
  const untouched = checkpoints.all().length === inherited.length
  const from = await lastState(run.folder)
  const trace = openTrace(run)
  const watch: Watch = event => {
    trace.append(event)
    options.watch(event)
  }
  const { id, name, duration } = index.video
  const resumed = from ? { resumed: from.steps.length } : {}
  watch({ type: 'run', run: run.folder, video: { id, name, duration }, question, ...resumed })
  const hint = untouched ? forked?.hint : undefined
  const runCheckpoints = { checkpoints: options.checkpointer ?? checkpoints, thread: run.id, older: from?.older, hint }
  return {
    calls: resumeCalls(`${run.folder}/calls`, run.redact),
    input: {
      ...openInput(context),
      question: from?.question ?? question,
      turns: from?.turns ?? options.turns,
      kept: runCheckpoints,
      watch,
    },
    async finish(state) {
      const report = buildReport(context, state, run.folder)
      await trace.end({ status: mapStatus(report.stop), state: report.stop, ...report })
      return report
    },
    async fail(error) {
      const how = options.signal.aborted ? 'cancelled' : 'failed'
      trace.append({ type: 'note', text: errorText(error) })
      await trace.end({ status: how, state: how, error: errorText(error) }).catch(() => {})
    },
  }
}

function inheritedCheckpoints(run: RunFolder, { run: other, checkpoint }: Forked): Promise<KeptCheckpoint[]> {
  return checkpointsTo(join(dirname(run.folder), basename(other)), checkpoint)
}

// Each line has the time of its event, whenever it is written. A failed write is reported when the run ends.
function openTrace(run: RunFolder) {
  let writing: Promise<unknown> = Promise.resolve()
  let failure: unknown
  return {
    append(event: RunEvent) {
      writing = run.trace(event).catch(error => {
        failure ??= error
      })
    },
    async end(summary: unknown) {
      await writing
      await run.finish(summary)
      if (failure) throw failure
    },
  }
}

function mapStatus(stop: AskReport['stop']): 'answered' | 'limit' | 'failed' | 'cancelled' {
  if (stop === 'interrupted') return 'cancelled'
  return stop === 'answered' || stop === 'failed' ? stop : 'limit'
}

interface ReportContext {
  index: Pick<VideoIndex, 'video' | 'coverage'>
  runtime: { profile: { name: string } }
  options: Pick<AskOptions, 'session'>
}

// What a question came to, as the command line, the library and the run folder give it.
export function buildReport({ index, runtime, options }: ReportContext, state: AgentState, run: string): AskReport {
  if (!state.answer) throw new Error('The graph ended without an answer.')
  return {
    video: index.video,
    question: state.question,
    answer: state.answer,
    evidence: citedFirst(state),
    coverage: index.coverage,
    steps: state.steps,
    usage: state.spent,
    stop: state.stop ?? 'answered',
    profile: runtime.profile.name,
    run,
    ...(state.weighed?.votes && { votes: state.weighed.votes }),
    ...(state.library && { library: state.library }),
    ...(options.session && { session: options.session }),
  }
}

// The rows that the answer cites first, then the rest of the ledger.
function citedFirst(state: AgentState): Evidence[] {
  const cited = new Set(state.answer?.sentences.flatMap(sentence => sentence.cites))
  return [...state.evidence.filter(row => cited.has(row.id)), ...state.evidence.filter(row => !cited.has(row.id))]
}
