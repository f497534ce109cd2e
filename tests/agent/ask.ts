import { openGraph } from '../../graphs/index.ts'
import type { GraphInput } from '../../graphs/parts.ts'
import { chatModels } from '../../models/chat/index.ts'
import { type AgentState, Budget, type RunEvent, type Turn } from '../../src/core/agent.ts'
import type { Host } from '../../src/core/backend.ts'
import type { ChatModel } from '../../src/core/chat.ts'
import { PolicySettings, SeekSettings, WindowSettings } from '../../src/core/settings.ts'
import { filterOffered, type ToolServices } from '../../src/core/tool.ts'
import type { AudioSource, VideoIndex } from '../../src/core/video.ts'
import { encodeJpeg } from '../../src/media/image.ts'
import { coreTools, longshotToolFiles, openTools } from '../../tools/index.ts'
import { handMadeContext } from './hand-made-index.ts'

export const host: Host = { folder: '', environment: {}, signal: new AbortController().signal, say: () => {} }

const silence: AudioSource = { rate: 16_000, duration: 0, read: async () => new Float32Array() }

export interface AskMore {
  options?: string[]
  turns?: Turn[]
  planner?: ChatModel
  writer?: ChatModel
  verifier?: ChatModel
  budget?: Partial<Budget>
  policy?: Partial<PolicySettings>
  style?: GraphInput['answerStyle']
  always?: boolean
  signal?: AbortSignal
  events?: RunEvent[]
  from?: AgentState
  graph?: string
  services?: Partial<ToolServices>
  prices?: GraphInput['prices']
  seek?: Partial<SeekSettings>
  windows?: Partial<WindowSettings>
  set?: 'core' | 'longshot' // of tools
  kept?: GraphInput['kept']
  reply?: GraphInput['reply']
  frames?: number // small grey frames that the file has to show
  draw?: GraphInput['context']['frames'] // or these
}

// One question to the whole agent over an index, with the rules in every role that the test does not fill.
export async function ask(
  index: VideoIndex,
  text: string,
  more: AskMore = {},
): Promise<AgentState & { answer: NonNullable<AgentState['answer']> }> {
  const graph = await openGraph(more.graph ?? 'investigate')
  const state = await graph(await partsOf(index, text, more))
  if (!state.answer) throw new Error('The run ended without an answer.')
  return { ...state, answer: state.answer }
}

export async function partsOf(index: VideoIndex, text: string, more: AskMore = {}): Promise<GraphInput> {
  const rules = await chatModels.open('rules', {}, host)
  const verifier = more.verifier ?? rules
  return {
    question: { text, options: more.options },
    turns: more.turns,
    index,
    planner: more.planner ?? rules,
    writer: more.writer ?? rules,
    verifier,
    rules,
    tools: filterOffered(await openTools(Object.keys(more.set === 'longshot' ? longshotToolFiles : coreTools)), index),
    context: {
      ...handMadeContext(index, { verifier: async () => ({ by: 'chat/rules', service: verifier }), ...more.services }),
      audio: async () => (more.services?.hear || more.services?.retranscribe ? silence : undefined),
      frames:
        more.draw ??
        (async times =>
          times.slice(0, more.frames ?? 0).map(time => ({ time, width: 2, height: 2, rgb: new Uint8Array(12) }))),
      jpeg: encodeJpeg,
    },
    budget: Budget.parse(more.budget ?? {}),
    policy: PolicySettings.parse(more.policy ?? {}),
    answerStyle: more.style,
    answerAlways: more.always === true,
    ...(more.services?.vision && { vision: true }),
    prices: more.prices,
    seek: SeekSettings.parse(more.seek ?? {}),
    windows: WindowSettings.parse(more.windows ?? {}),
    from: more.from,
    kept: more.kept,
    reply: more.reply,
    watch: event => more.events?.push(event),
    signal: more.signal ?? new AbortController().signal,
  }
}
