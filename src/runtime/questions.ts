import type { Question } from '../core/agent.ts'
import type { AskOptions, AskReport, ForkPoint, IndexOptions, QuestionActions } from '../core/runtime.ts'
import { replayRun } from './ask/replay.ts'
import { findFork, openStoppedRun, readStoppedRun } from './ask/stopped-run.ts'
import { answerQuestion, askVideo, openVideo, type RuntimeVideo } from './ask.ts'
import { type QuestionContext, type RuntimeParts, type VideoOptions, watched } from './context.ts'

// Questions about one video, and what can be done with the run of one.
export class RuntimeQuestions implements QuestionActions {
  readonly #parts: RuntimeParts

  constructor(parts: RuntimeParts) {
    this.#parts = parts
  }

  ask(path: string, question: Question, options: AskOptions = {}): Promise<AskReport> {
    return askVideo(this.#parts, path, question, options)
  }

  openVideo(path: string, options: VideoOptions = {}): Promise<RuntimeVideo> {
    return openVideo(this.#parts, path, options)
  }

  async resume(run: string, given: AskOptions = {}): Promise<AskReport> {
    this.#parts.health.assertModelsReady()
    const stopped = await readStoppedRun(this.#parts.options.home, run)
    if (stopped.report) return stopped.report
    const { id, session, budget, forked } = stopped
    const options = watched(this.#parts, { ...given, session, budget: { ...budget, ...given.budget } })
    const context = await openStoppedRun(this.#parts, stopped, options)
    return answerAndClose({ ...context, graph: given.graph ?? context.graph, resumes: id, forked })
  }

  async fork(run: string, point: ForkPoint, given: AskOptions = {}): Promise<AskReport> {
    const { health, settings, options: runtimeOptions } = this.#parts
    health.assertModelsReady()
    const from = await readStoppedRun(runtimeOptions.home, run)
    const options = watched(this.#parts, { ...given, budget: { ...from.budget, ...given.budget } })
    const context = await openStoppedRun(this.#parts, { ...from, spent: undefined }, options)
    try {
      const { graph = settings.graph } = from
      const { forked, turns } = await findFork(runtimeOptions.home, from, { graph, point })
      return await answerQuestion({ ...context, options: { ...options, turns }, forked })
    } finally {
      await context.index.close()
    }
  }

  replay(run: string, options: IndexOptions = {}): Promise<{ report: AskReport; same: boolean }> {
    return replayRun(this.#parts, run, watched(this.#parts, options))
  }
}

async function answerAndClose(context: QuestionContext): Promise<AskReport> {
  try {
    return await answerQuestion(context)
  } finally {
    await context.index.close()
  }
}
