import { InterruptedError } from '../src/core/errors.ts'
import { linked } from '../src/core/signals.ts'
import { untraced } from './untraced.ts'

export const stageNames = [
  'probe',
  'decode',
  'vectors',
  'text',
  'speech',
  'sounds',
  'overview',
  'words',
  'nearest',
  'meaning',
] as const
export type StageName = (typeof stageNames)[number]

// What runs after what. LangGraph runs a graph in rounds, so a chain beside others (finding voices, then transcribing
// them) is one node: as two, the second would wait for the slowest of the first's round. For the same reason the tracks stand
// beside the decoding that they rest on: their runners wait for what they need of it, the sound long before the last picture.
const follows: Record<StageName, StageName[]> = {
  probe: [],
  decode: ['probe'],
  vectors: ['probe'],
  text: ['probe'],
  speech: ['probe'],
  sounds: ['probe'],
  overview: ['decode', 'vectors', 'text', 'speech', 'sounds'],
  words: ['overview'],
  nearest: ['vectors'],
  meaning: ['overview'],
}

// Where a stage's result lies; plain JSON, so that the state of the graph can be written and read.
export interface StageOutcome {
  state: 'done' | 'reused' | 'failed' | 'skipped'
  key?: string
  note?: string
}

export type PreprocessState = { stages: Partial<Record<StageName, StageOutcome>> }
export type StageRunners = Record<StageName, (state: PreprocessState, signal: AbortSignal) => Promise<StageOutcome>>

// The preprocess graph: probe, one decode pass, then the tracks side by side, then the indexes and the overview.
// The runners come from outside; a runner that throws stops the graph, one that returns "failed" leaves its track out.
export async function preprocess(runners: StageRunners, signal: AbortSignal): Promise<PreprocessState> {
  const { Annotation, END, START, StateGraph } = await import('@langchain/langgraph')
  const State = Annotation.Root({
    stages: Annotation<PreprocessState['stages']>({
      reducer: (before, found) => ({ ...before, ...found }),
      default: () => ({}),
    }),
  })
  // One stage that cannot go on stops those beside it, and nobody is left running when the graph has ended.
  const halt = linked(signal)
  const running = new Set<Promise<StageOutcome>>()
  let first: { error: unknown } | undefined
  const node = (name: StageName) => async (state: PreprocessState) => {
    const work = runners[name](state, halt.signal)
    running.add(work)
    try {
      return { stages: { [name]: await work } }
    } catch (error) {
      first ??= { error }
      halt.abort(error)
      throw error
    } finally {
      running.delete(work)
    }
  }
  const graph = new StateGraph(State)
  for (const name of stageNames) graph.addNode(name, node(name))
  const edges = graph as unknown as { addEdge(from: string | string[], to: string): unknown }
  for (const name of stageNames) edges.addEdge(follows[name].length === 0 ? START : follows[name], name)
  const last = stageNames.filter(name => !stageNames.some(other => follows[other].includes(name)))
  for (const name of last) edges.addEdge(name, END)
  try {
    const options = { ...(await untraced()), signal, recursionLimit: 40 }
    return (await graph.compile().invoke({ stages: {} }, options)) as PreprocessState
  } catch (error) {
    halt.abort(error)
    await Promise.allSettled(running)
    if (signal.aborted)
      throw new InterruptedError('Stopped while indexing.', {
        cause: error,
        hint: 'The same command goes on where it stopped.',
      })
    throw first ? first.error : error
  } finally {
    halt.clear()
  }
}
