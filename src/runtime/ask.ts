import { asksWithoutIndex, checkGraph, checkPlanner, preloadGraph } from '../../graphs/index.ts'
import type { Question } from '../core/agent.ts'
import { addUsage, emptyUsage } from '../core/chat.ts'
import { UsageError } from '../core/errors.ts'
import type {
  AskOptions,
  AskReport,
  ForkPoint,
  IndexOptions,
  OpenVideo,
  QuestionActions,
  StageReport,
} from '../core/runtime.ts'
import { checkQuestion } from '../text/question/check-question.ts'
import { openAgent } from './ask/open-agent.ts'
import { replayRun } from './ask/replay.ts'
import { startRun } from './ask/start-run.ts'
import { findFork, openStoppedRun, readStoppedRun, type StoppedRun } from './ask/stopped-run.ts'
import { type QuestionContext, type RuntimeParts, type VideoOptions, watchOptions } from './context.ts'
import { cutIndex } from './cut-index.ts'
import { openPreparedIndex, type PreparedIndex, refuseChangedVideo } from './index/prepare-video.ts'
import { listPermissions, openToolbox } from './tools/toolbox.ts'

export interface RuntimeVideo extends OpenVideo {
  stages: StageReport[] // what its index is made of
}

// Questions about one video, and what can be done with the run of one.
export class RuntimeQuestions implements QuestionActions {
  readonly #runtime: RuntimeParts

  constructor(runtime: RuntimeParts) {
    this.#runtime = runtime
  }

  // The way of a question, from a file to its answer. Each step is the file of its name; CONTRIBUTING lists them in order.
  async ask(path: string, question: Question, options: AskOptions = {}): Promise<AskReport> {
    checkQuestion(question)
    const video = await this.openVideo(path, options)
    try {
      return await video.ask(question, options)
    } finally {
      await video.close()
    }
  }

  // Locates the video, makes what is missing of its index, and keeps it open for questions.
  async openVideo(path: string, options: VideoOptions = {}): Promise<RuntimeVideo> {
    const runtime = this.#runtime
    const graph = await checkAnswering(runtime, options.graph)
    const prepared = await openPreparedIndex(runtime, path, graph, options)
    return {
      stages: prepared.stages,
      get index() {
        return prepared.index()
      },
      ask: (question, asked = {}) =>
        askPrepared(runtime, prepared, question, { ...asked, graph: asked.graph ?? graph }),
      close: () => prepared.close(),
    }
  }

  async resume(run: string, given: AskOptions = {}): Promise<AskReport> {
    const stopped = await this.#readRun(run)
    if (stopped.report) return stopped.report
    const { id, session, forked } = stopped
    const context = await this.#openRun(stopped, { ...given, session })
    return answerAndClose({ ...context, graph: given.graph ?? context.graph, resumes: id, forked })
  }

  async fork(run: string, point: ForkPoint, given: AskOptions = {}): Promise<AskReport> {
    const { settings, options } = this.#runtime
    const from = await this.#readRun(run)
    const { forked, turns } = await findFork(options.home, from, { graph: from.graph ?? settings.graph, point })
    const context = await this.#openRun({ ...from, spent: undefined }, { ...given, turns })
    return answerAndClose({ ...context, forked })
  }

  replay(run: string, options: IndexOptions = {}): Promise<{ report: AskReport; same: boolean }> {
    return replayRun(this.#runtime, run, watchOptions(this.#runtime, options))
  }

  #readRun(run: string): Promise<StoppedRun> {
    this.#runtime.health.assertModelsReady()
    return readStoppedRun(this.#runtime.options.home, run)
  }

  #openRun(run: StoppedRun, given: AskOptions): Promise<QuestionContext> {
    const options = watchOptions(this.#runtime, { ...given, budget: { ...run.budget, ...given.budget } })
    return openStoppedRun(this.#runtime, run, options)
  }
}

// One question about an open index, in a run of its own.
export async function answerQuestion(given: QuestionContext): Promise<AskReport> {
  const context = { ...given, index: cutIndex(given.index, given.question.until) }
  const run = await startRun(context)
  try {
    const agent = await openAgent(context, run.calls)
    return await run.finish(await agent(run.input))
  } catch (error) {
    await run.fail(error)
    throw error
  }
}

async function answerAndClose(context: QuestionContext): Promise<AskReport> {
  try {
    return await answerQuestion(context)
  } finally {
    await context.index.close()
  }
}

// A model, a graph or a tool that cannot be used is reported before anything is indexed.
export async function checkAnswering(
  { health, settings, models }: RuntimeParts,
  graph = settings.graph,
): Promise<string> {
  health.assertModelsReady()
  checkGraph(graph)
  preloadGraph(graph)
  await openToolbox(models, settings.tools, listPermissions(settings))
  await checkPlanner(graph, async () => (await models.open('planner')).service)
  return graph
}

async function askPrepared(
  runtime: RuntimeParts,
  { bareFor, index, touch }: PreparedIndex,
  question: Question,
  asked: AskOptions & { graph: string },
): Promise<AskReport> {
  checkQuestion(question)
  const { video } = index()
  const { graph } = asked
  if (bareFor !== undefined && !(await asksWithoutIndex(graph)))
    throw new UsageError(`${video.name} was opened for the graph "${bareFor}", and "${graph}" needs an index.`, {
      hint: 'Open it again for that graph.',
    })
  const options = watchOptions(runtime, asked)
  await refuseChangedVideo(runtime, video, options)
  let spent = emptyUsage
  const touched = await touch(question.text, options.watch, options.signal, usage => {
    spent = addUsage(spent, usage)
  })
  return answerQuestion({ runtime, index: touched, question, graph, options, spent })
}
