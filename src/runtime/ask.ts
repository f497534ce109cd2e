import { asksWithoutIndex, checkGraph, checkPlanner, preloadGraph } from '../../graphs/index.ts'
import type { Question } from '../core/agent.ts'
import { addUsage, emptyUsage } from '../core/chat.ts'
import { UsageError } from '../core/errors.ts'
import type { AskOptions, AskReport, OpenVideo, StageReport } from '../core/runtime.ts'
import { checkQuestion } from '../text/question/check-question.ts'
import { buildReport } from './ask/build-report.ts'
import { openAgent } from './ask/open-agent.ts'
import { startRun } from './ask/start-run.ts'
import { type QuestionContext, type RuntimeParts, type VideoOptions, watched } from './context.ts'
import { cutIndex } from './cut-index.ts'
import { openPreparedIndex, type PreparedIndex, refuseChangedVideo } from './index/prepare-video.ts'
import { listPermissions, openToolbox } from './tools/toolbox.ts'

export interface RuntimeVideo extends OpenVideo {
  stages: StageReport[] // what its index is made of
}

// The way of a question, from a file to its answer. Each step is the file of its name; CONTRIBUTING lists them in order.
export async function askVideo(
  runtime: RuntimeParts,
  path: string,
  question: Question,
  options: AskOptions,
): Promise<AskReport> {
  checkQuestion(question)
  const video = await openVideo(runtime, path, options)
  try {
    return await video.ask(question, options)
  } finally {
    await video.close()
  }
}

// Locates the video, makes what is missing of its index, and keeps it open for questions.
export async function openVideo(runtime: RuntimeParts, path: string, options: VideoOptions): Promise<RuntimeVideo> {
  const graph = await checkAnswering(runtime, options.graph)
  const prepared = await openPreparedIndex(runtime, path, graph, options)
  return {
    stages: prepared.stages,
    get index() {
      return prepared.index()
    },
    ask: (question, asked = {}) => askPrepared(runtime, prepared, question, { ...asked, graph: asked.graph ?? graph }),
    close: () => prepared.close(),
  }
}

// One question about an open index, in a run of its own.
export async function answerQuestion(given: QuestionContext): Promise<AskReport> {
  const context = { ...given, index: cutIndex(given.index, given.question.until) }
  const run = await startRun(context)
  try {
    const agent = await openAgent(context, run.calls)
    const state = await agent(run.input)
    const report = buildReport(context, state, run.folder)
    await run.finish(report)
    return report
  } catch (error) {
    await run.fail(error)
    throw error
  }
}

// A model, a graph or a tool that cannot be used is reported before anything is indexed.
async function checkAnswering({ health, settings, models }: RuntimeParts, graph = settings.graph): Promise<string> {
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
  const options = watched(runtime, asked)
  await refuseChangedVideo(runtime, video, options)
  let spent = emptyUsage
  const touched = await touch(question.text, options.watch, options.signal, usage => {
    spent = addUsage(spent, usage)
  })
  return answerQuestion({ runtime, index: touched, question, graph, options, spent })
}
