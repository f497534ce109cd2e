import {
  AIMessage,
  AIMessageChunk,
  type BaseMessage,
  type BaseMessageLike,
  coerceMessageLikeToMessage,
} from '@langchain/core/messages'
import { cutText, seeded } from './pieces.ts'
import { type Line, openScript } from './script.ts'

export const script = openScript()
export const seen: { messages: BaseMessage[]; tools: object[]; settings: unknown }[] = []

// A chat model as a LangChain package makes them, with LangChain's own messages, that plays a script.
export class ScriptedModel {
  readonly model = 'scripted'
  readonly #settings: unknown
  #tools: object[] = []

  constructor(settings: unknown) {
    this.#settings = settings
  }

  bindTools(tools: object[]): ScriptedModel {
    const bound = new ScriptedModel(this.#settings)
    bound.#tools = tools
    return bound
  }

  async invoke(messages: BaseMessageLike[], options: { signal: AbortSignal }): Promise<AIMessage> {
    const line = await this.#take(messages, options)
    return new AIMessage({ ...fields(line), tool_calls: buildCalls(line) })
  }

  async stream(messages: BaseMessageLike[], options: { signal: AbortSignal }): Promise<AsyncIterable<AIMessageChunk>> {
    const line = await this.#take(messages, options)
    return pieces(line)
  }

  async #take(messages: BaseMessageLike[], options: { signal: AbortSignal }): Promise<Line> {
    seen.push({ messages: messages.map(coerceMessageLikeToMessage), tools: this.#tools, settings: this.#settings })
    const line = script.take()
    if (line.error) throw Object.assign(new Error(JSON.stringify(line.error.body)), { status: line.error.status })
    if (line.seconds) {
      await new Promise((resolve, reject) => {
        const timer = setTimeout(resolve, (line.seconds ?? 0) * 1000)
        options.signal.addEventListener('abort', () => {
          clearTimeout(timer)
          reject(new Error('Aborted'))
        })
      })
    }
    return line
  }
}

// A model without tool calling.
export function plainModel(settings: unknown): object {
  const model = new ScriptedModel(settings)
  return { model: 'plain', invoke: model.invoke.bind(model) }
}

export const notAModel = { run: () => 'no' }

function fields(line: Line) {
  const { input, output } = line.usage && line.usage !== 'none' ? line.usage : { input: 11, output: 7 }
  return {
    content: line.thinking
      ? [
          { type: 'thinking', thinking: line.thinking },
          { type: 'text', text: line.text ?? '' },
        ]
      : (line.text ?? ''),
    usage_metadata:
      line.usage === 'none' ? undefined : { input_tokens: input, output_tokens: output, total_tokens: input + output },
    response_metadata: { finish_reason: line.finish === 'length' ? 'length' : 'stop', model_name: 'scripted-1' },
  }
}

function buildCalls(line: Line) {
  return line.calls?.map((call, at) => ({
    type: 'tool_call' as const,
    id: `lc_${at}`,
    name: call.name,
    args: call.arguments as Record<string, unknown>,
  }))
}

async function* pieces(line: Line): AsyncGenerator<AIMessageChunk> {
  const { content: _, ...rest } = fields(line)
  if (line.thinking) yield new AIMessageChunk({ content: [{ type: 'thinking', thinking: line.thinking }] })
  for (const text of cutText(line.text ?? '', seeded(5)))
    yield new AIMessageChunk({ content: line.thinking ? [{ type: 'text', text }] : text })
  const calls = line.calls?.map((call, index) => ({
    index,
    type: 'tool_call_chunk' as const,
    id: `lc_${index}`,
    name: call.name,
    args: JSON.stringify(call.arguments),
  }))
  yield new AIMessageChunk({ content: line.thinking ? [] : '', tool_call_chunks: calls, ...rest })
}
