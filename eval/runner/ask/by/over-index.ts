import { join } from 'node:path'
import type { Question } from '../../../../src/core/agent.ts'
import { addUsage, emptyUsage, Usage } from '../../../../src/core/chat.ts'
import { readBoundedText } from '../../../../src/core/machine/read-bounded.ts'
import type { RuntimeVideo } from '../../../../src/runtime/ask.ts'
import { indexKey } from '../../../../src/runtime/index/index-key.ts'
import type { LocalRuntime } from '../../../../src/runtime/runtime.ts'
import { ensureFolder, writeDurably } from '../../../../src/store/durable.ts'
import { findStage, readStage } from '../../../../src/store/stage/stage.ts'
import { indexCosts } from '../../files/index-costs.ts'
import type { Agent, AgentVideo, AskResult } from '../agent.ts'
import { agentWidth, judgeSight } from '../judge-sight.ts'

type OpenOptions = Parameters<Agent['open']>[1] & { path: string; folder: string; graph?: string }
type AskOptions = Parameters<AgentVideo['ask']>[1] & { question: Question }

// The index of a video, made as for every question, and what making it took as a file of the run.
export async function openForQuestions(
  runtime: LocalRuntime,
  { path, folder, subtitles, graph, watch, signal }: OpenOptions,
): Promise<RuntimeVideo> {
  const options = { subtitles: subtitleFile(subtitles), graph, watch, signal }
  const video = await runtime.questions.openVideo(path, options)
  await saveIndexCost(runtime, video, folder)
  return video
}

// What is alike for all who answer from an index.
export function overIndex(video: RuntimeVideo, subtitles: string | undefined): Omit<AgentVideo, 'ask'> {
  const file = subtitleFile(subtitles)
  return {
    duration: video.index.video.duration,
    index: indexKey(video.stages),
    async sight() {
      const subtitles = file === undefined ? undefined : await readBoundedText(file, 32e6)
      return judgeSight(video.index.video, { width: agentWidth, subtitles })
    },
    close: () => video.close(),
  }
}

const indexedGraph = 'investigate' // the index is made whatever graph the settings name

export async function openForHost(
  { runtime }: { runtime: LocalRuntime },
  options: OpenOptions,
  answer: (video: RuntimeVideo, asked: AskOptions) => Promise<AskResult>,
): Promise<AgentVideo> {
  const video = await openForQuestions(runtime, { ...options, graph: indexedGraph })
  return {
    ...overIndex(video, options.subtitles),
    ask: (question, asked) => answer(video, { ...asked, question }),
  }
}

export function subtitleFile(path: string | undefined): string | undefined {
  return path !== undefined && /\.(srt|vtt)$/i.test(path) ? path : undefined
}

// Stages that were made for an earlier run count too: it is what the index costs, not what this run spent.
async function saveIndexCost({ library }: LocalRuntime, { index, stages }: RuntimeVideo, folder: string) {
  const { id } = index.video
  let cost = emptyUsage
  for (const { stage, key } of stages) {
    const result = key === '' ? undefined : await findStage(library.videoFolder(id), stage, key)
    if (!result) continue
    const reader = readStage(result.folder)
    const spent = reader.has('usage.json') ? await reader.json('usage.json', Usage) : emptyUsage
    cost = addUsage(cost, { ...spent, seconds: result.meta.seconds })
  }
  await ensureFolder(join(folder, indexCosts))
  await writeDurably(join(folder, indexCosts, `${id}.json`), JSON.stringify(cost))
}
