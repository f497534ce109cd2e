import { basename, join } from 'node:path'
import { asksWithoutIndex, keptSteps } from '../../../graphs/index.ts'
import type { Budget, Question } from '../../core/agent.ts'
import { AskLimits } from '../../core/api/job.ts'
import type { Usage } from '../../core/chat.ts'
import { InputError, StorageError, UsageError } from '../../core/errors.ts'
import type { AskOptions, AskReport, ForkPoint } from '../../core/runtime.ts'
import type { Video } from '../../core/video.ts'
import { checkSpentNews } from '../../store/run/check-spent.ts'
import { readCheckpoints } from '../../store/run/checkpoints.ts'
import { readRunRecord } from '../../store/run/run-folder.ts'
import { earlierTurns } from '../../store/run/run-turns.ts'
import type { Forked, LibraryRequest, QuestionContext, RuntimeParts, WatchedOptions } from '../context.ts'
import type { LookedWindow, OpenedIndex } from '../index/open-index.ts'
import { openBare, prepareVideo } from '../index/prepare-video.ts'
import { openLibrarySearch } from './library/open-library.ts'

// What a stopped run needs to go on: which video, which question, and its answer where it has one already.
export interface StoppedRun {
  id: string
  video: { id: string; path: string }
  question: Question
  graph?: string
  session?: string
  budget?: Partial<Budget> // limits of this question only
  deepened?: LookedWindow[] // windows of its index
  forked?: Forked
  spent?: Usage // before its graph began
  library?: LibraryRequest // it is asked over all videos
  report?: AskReport // it went to its end
}

export async function readStoppedRun(home: string, run: string): Promise<StoppedRun> {
  const id = basename(run)
  const { environment, summary, folder } = await readRunRecord(home, id)
  const { question, video, graph, session, budget, deepened, spent, forked, library } =
    environment as Partial<StoppedRun>
  refuseOddLimits(folder, { budget, spent })
  if (graph !== undefined && typeof graph !== 'string')
    throw new StorageError(`${join(folder, 'environment.json')} is damaged: the name of its graph is not a text.`, {
      hint: 'The run cannot be resumed. Ask again.',
    })
  if (!question || !video)
    throw new UsageError(`The run "${id}" is not the run of a question.`, { hint: 'See "longtake runs ls".' })
  const { status, state: _, ...report } = (summary ?? {}) as AskReport & { status?: string; state?: string }
  const whole = status === 'answered' ? { ...report, run: folder } : undefined
  return { id, video, question, graph, session, budget, deepened, spent, forked, library, report: whole }
}

// Words in the place of a number would be no limit.
export function refuseOddLimits(folder: string, { budget, spent }: { budget?: object; spent?: object }): void {
  const file = join(folder, 'environment.json')
  checkSpentNews({ spent }, file)
  if (budget === undefined || AskLimits.safeParse(budget).success) return
  throw new StorageError(`${file} is damaged: its limits are not limits of a question.`, {
    hint: 'The run cannot be resumed. Ask again.',
  })
}

// The question of a run over what it was asked about, as the run has used it. Close the index at the end.
export async function openStoppedRun(
  runtime: RuntimeParts,
  stopped: StoppedRun,
  options: WatchedOptions<AskOptions>,
): Promise<QuestionContext> {
  const { question, graph = runtime.settings.graph, spent } = stopped
  const context = { runtime, question, graph, options, spent }
  if (!stopped.library) return { ...context, index: await openRunVideo(runtime, stopped, options) }
  const library = await openLibrarySearch(runtime, stopped.library, options.signal)
  return { ...context, index: library.index, library }
}

// As a run has used it: the windows that were looked at in full are part of the index.
async function openRunVideo(
  runtime: RuntimeParts,
  { video: { path, id }, deepened: windows = [], graph }: StoppedRun,
  { watch, signal, byId }: WatchedOptions<AskOptions>,
): Promise<OpenedIndex> {
  const { library, models, settings } = runtime
  const videoPath = byId ? (await library.find(id))?.path : path
  if (videoPath === undefined) throw new InputError(`The video of the run is not in the library.`)
  const refuseOther = (video: Video) => {
    if (video.id === id) return
    throw new UsageError(`${videoPath} is no longer the video of the run: its content has changed.`, {
      hint: 'Ask again about the file as it is now.',
    })
  }
  if (await asksWithoutIndex(graph ?? settings.graph)) {
    const bare = await openBare(runtime, videoPath, { watch, signal })
    refuseOther(bare.video)
    return bare
  }
  const indexed = await prepareVideo(runtime, videoPath, { watch, signal })
  refuseOther(indexed.video)
  const folder = library.videoFolder(indexed.video.id)
  const { openDeepened } = await import('../index/deepen.ts')
  return openDeepened(indexed, windows, { folder, models, settings: settings.index, signal, watch })
}

// The step of a run from which another one goes on, and what was said before its question.
export async function findFork(
  home: string,
  from: StoppedRun,
  { graph, point: { step, hint } }: { graph: string; point: ForkPoint },
) {
  const { folder } = await readRunRecord(home, from.id)
  const all = await readCheckpoints(folder)
  const fixed = async () => Promise.reject(new Error('A run that is forked stays as it is.'))
  const checkpoints = { all: () => all, put: fixed, write: fixed }
  const steps = await keptSteps(graph, { checkpoints, thread: from.id })
  const forkStep = steps.find(kept => kept.step === step)
  if (!forkStep)
    throw new UsageError(step === undefined ? 'A fork needs a step.' : `The run "${from.id}" has no step ${step}.`, {
      hint: `The steps of the run: ${steps.map(kept => `${kept.step} ${kept.name}`).join(', ') || 'none was finished'}.`,
    })
  if (hint !== undefined && graph !== 'investigate')
    throw new UsageError(`A hint is for the planner of the agent, and ${graph} has none.`)
  const { checkpoint } = forkStep
  const forked: Forked = { run: from.id, step: forkStep.step, checkpoint, ...(hint === undefined ? {} : { hint }) }
  return { forked, turns: await earlierTurns(folder) }
}
