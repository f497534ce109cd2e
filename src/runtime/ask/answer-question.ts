import { basename, join } from 'node:path'
import { keptSteps } from '../../../graphs/index.ts'
import type { ResolvedConfig } from '../../config/resolve.ts'
import type { Budget, Question, Watch } from '../../core/agent.ts'
import { AskLimits } from '../../core/api/job.ts'
import type { Usage } from '../../core/chat.ts'
import { StorageError, UsageError } from '../../core/errors.ts'
import type { AskOptions, AskReport, ForkPoint } from '../../core/runtime.ts'
import { readCheckpoints } from '../../store/run/checkpoints.ts'
import { refuseUncountedNews } from '../../store/run/counted.ts'
import { readRunRecord } from '../../store/run/run-folder.ts'
import { earlierTurns } from '../../store/run/run-turns.ts'
import type { LookedWindow, OpenedIndex } from '../index/open-index.ts'
import type { Models } from '../models/models.ts'
import type { LibraryWish, OpenLibrary } from './library/open-library.ts'
import { continueRun, type Forked, type RecordedRun, startRecordedRun } from './recorded-run.ts'
import { askIndex, buildAskReport } from './run-graph.ts'

export interface Answering {
  home: string
  config: ResolvedConfig
  profile: { name: string; why: string }
  models: Models
  environment: Readonly<Record<string, string | undefined>>
}

type AnswerOptions = Omit<AskOptions, 'watch' | 'signal'> & {
  watch: Watch
  signal: AbortSignal
  library?: OpenLibrary // it is asked over all videos
  spent?: Usage // for it, before its graph begins
}

// One question about an open index: in a run folder of its own, or with the call log that it was given.
export async function answerQuestion(
  parts: Answering,
  index: OpenedIndex,
  question: Question,
  asked: AnswerOptions,
): Promise<AskReport> {
  const { profile, models, config } = parts
  const { settings } = config
  if (asked.calls) {
    const { calls } = asked
    const library = asked.library?.parts(calls, asked.reply)
    return buildAskReport(
      await askIndex({ ...asked, calls, library, index, models, settings, question }),
      index,
      profile.name,
      calls.folder,
    )
  }
  const graph = asked.graph ?? settings.graph
  const run = await startRecordedRun({
    ...{ ...parts, graph, question, session: asked.session, budget: asked.budget, turns: asked.turns },
    ...pick(index),
    spent: asked.spent,
    library: asked.library?.wish,
  })
  return inRun(parts, index, question, { ...asked, graph }, run)
}

function pick({ video, key, deepened }: OpenedIndex) {
  return { video, index: key, deepened }
}

// What a stopped run needs to go on: which video, which question, and its answer where it has one already.
export interface StoppedRun {
  id: string
  video: { id: string; path: string }
  question: Question
  graph?: string
  session?: string
  budget?: Partial<Budget> // limits of this question alone
  deepened?: LookedWindow[] // windows of its index
  forked?: Forked
  spent?: Usage // before its graph began
  library?: LibraryWish // it is asked over all videos
  report?: AskReport // it went to its end
}

export async function stoppedRun(home: string, run: string): Promise<StoppedRun> {
  const id = basename(run)
  const { environment, summary, folder } = await readRunRecord(home, id)
  const { question, video, graph, session, budget, deepened, spent, forked, library } =
    environment as Partial<StoppedRun>
  refuseOddLimits(folder, { budget, spent })
  if (!question || !video)
    throw new UsageError(`The run "${id}" is not the run of a question.`, { hint: 'See "longtake runs ls".' })
  const ended = summary as (AskReport & { status?: string }) | undefined
  const { status, state: _, ...report } = (ended ?? {}) as AskReport & { status?: string; state?: string }
  return {
    id,
    video,
    question,
    graph,
    session,
    budget,
    deepened,
    spent,
    forked,
    library,
    report: status === 'answered' ? { ...report, run: folder } : undefined,
  }
}

// Words in the place of a number would be no limit.
export function refuseOddLimits(folder: string, { budget, spent }: { budget?: object; spent?: object }): void {
  const file = join(folder, 'environment.json')
  refuseUncountedNews({ spent }, file)
  if (budget === undefined || AskLimits.safeParse(budget).success) return
  throw new StorageError(`${file} is damaged: its limits are not limits of a question.`, {
    hint: 'The run cannot be gone on with. Ask again.',
  })
}

export async function resumeRun(
  parts: Answering,
  index: OpenedIndex,
  stopped: StoppedRun,
  asked: AnswerOptions,
): Promise<AskReport> {
  const run = await continueRun(parts.home, stopped.id, parts.environment, stopped.forked)
  return inRun(
    parts,
    index,
    stopped.question,
    {
      ...{ ...asked, graph: asked.graph ?? stopped.graph, session: stopped.session, spent: stopped.spent },
      budget: { ...stopped.budget, ...asked.budget },
    },
    run,
  )
}

// Goes on from a step of a run in a run of its own.
export async function forkRun(
  parts: Answering,
  index: OpenedIndex,
  from: StoppedRun,
  { step, hint }: ForkPoint,
  asked: AnswerOptions,
): Promise<AskReport> {
  const { question, graph = parts.config.settings.graph } = from
  const { folder } = await readRunRecord(parts.home, from.id)
  const all = await readCheckpoints(folder)
  const fixed = async () => Promise.reject(new Error('A run that is forked stays as it is.'))
  const checkpoints = { all: () => all, put: fixed, write: fixed }
  const steps = await keptSteps(graph, { checkpoints, thread: from.id })
  const forkStep = steps.find(one => one.step === step)
  if (!forkStep)
    throw new UsageError(step === undefined ? 'A fork needs a step.' : `The run "${from.id}" has no step ${step}.`, {
      hint: `The steps of the run: ${steps.map(one => `${one.step} ${one.name}`).join(', ') || 'none was finished'}.`,
    })
  if (hint !== undefined && graph !== 'investigate')
    throw new UsageError(`A hint is for the planner of the agent, and ${graph} has none.`)
  const forked = {
    run: from.id,
    step: forkStep.step,
    checkpoint: forkStep.checkpoint,
    ...(hint === undefined ? {} : { hint }),
  }
  const turns = await earlierTurns(folder)
  const budget = { ...from.budget, ...asked.budget }
  const about = { ...pick(index), library: from.library }
  const run = await startRecordedRun({ ...parts, graph, question, budget, turns, forked, ...about })
  return inRun(parts, index, question, { ...asked, graph, budget }, run)
}

async function inRun(
  parts: Answering,
  index: OpenedIndex,
  question: Question,
  asked: AnswerOptions,
  run: RecordedRun,
): Promise<AskReport> {
  const { settings } = parts.config
  const { id, name, duration } = index.video
  const watch: Watch = event => {
    run.trace(event)
    asked.watch(event)
  }
  const resumed = run.from ? { resumed: run.from.steps.length } : {}
  watch({ type: 'run', run: run.folder, video: { id, name, duration }, question, ...resumed })
  try {
    const state = await askIndex({
      index,
      models: parts.models,
      settings,
      question: run.from?.question ?? question,
      turns: run.from?.turns ?? run.turns ?? asked.turns,
      budget: asked.budget,
      graph: asked.graph,
      calls: run.calls,
      library: asked.library?.parts(run.calls, asked.reply),
      change: asked.change,
      spent: asked.spent,
      kept: { ...run.kept, ...(asked.checkpointer ? { checkpoints: asked.checkpointer } : {}) },
      strange: asked.byId,
      reply: asked.reply,
      watch,
      signal: asked.signal,
    })
    const report = {
      ...buildAskReport(state, index, parts.profile.name, run.folder),
      ...(asked.session ? { session: asked.session } : {}),
    }
    await run.finish(report)
    return report
  } catch (error) {
    await run.fail(error, asked.signal.aborted ? 'cancelled' : 'failed')
    throw error
  }
}
