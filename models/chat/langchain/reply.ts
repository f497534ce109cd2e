import { z } from 'zod'
import type { ChatReply } from '../../../src/core/chat.ts'
import { explainReplyIssue } from '../../explain-issue.ts'
import { ServerError } from '../../http/server-error.ts'
import type { TransportReply } from '../adapter/chat-transport.ts'

const Block = z.looseObject({ type: z.string().nullish(), text: z.string().nullish() })
const Message = z.object({
  content: z.union([z.string(), z.array(z.union([z.string(), Block]))]),
  tool_calls: z.array(z.object({ id: z.string().nullish(), name: z.string(), args: z.unknown().optional() })).nullish(),
  invalid_tool_calls: z
    .array(z.object({ id: z.string().nullish(), name: z.string().nullish(), args: z.unknown().optional() }))
    .nullish(),
  usage_metadata: z.object({ input_tokens: z.number(), output_tokens: z.number() }).nullish(),
  response_metadata: z.record(z.string(), z.unknown()).nullish(),
  additional_kwargs: z.record(z.string(), z.unknown()).nullish(),
})

// Reads a message in the forms that different packages give it.
export function readMessage(value: unknown, id: string): TransportReply {
  const result = Message.safeParse(value)
  if (!result.success)
    throw new ServerError(`${id} answered in an unknown form (${explainReplyIssue(result.error, 'the reply')}).`, {
      retry: 'once',
    })
  const { content, tool_calls, invalid_tool_calls, usage_metadata, response_metadata, additional_kwargs } = result.data
  const blocks = typeof content === 'string' ? [content] : content
  const words = blocks.map(block =>
    typeof block === 'string' ? block : block.type === 'text' ? (block.text ?? '') : '',
  )
  const invalid = (invalid_tool_calls ?? []).flatMap(call => (call.name ? [{ ...call, name: call.name }] : []))
  return {
    text: words.join(''),
    thinking: joinThinking(blocks) ?? asString(additional_kwargs?.reasoning_content),
    calls: [...(tool_calls ?? []), ...invalid].map(call => ({
      id: call.id ?? undefined,
      name: call.name,
      arguments: call.args,
    })),
    stop: readStop(response_metadata ?? {}),
    usage: usage_metadata
      ? { inputTokens: usage_metadata.input_tokens, outputTokens: usage_metadata.output_tokens }
      : undefined,
    model: asString(response_metadata?.model_name) ?? asString(response_metadata?.model) ?? '',
  }
}

// Message chunks have their own concat.
export async function readLangchainStream(
  pieces: AsyncIterable<unknown>,
  id: string,
  onText: (piece: string) => void,
): Promise<TransportReply> {
  let whole: { concat?(piece: unknown): unknown } | undefined
  for await (const piece of pieces) {
    const { text } = readMessage(piece, id)
    if (text !== '') onText(text)
    whole = (whole?.concat ? whole.concat(piece) : piece) as typeof whole
  }
  if (!whole) throw new ServerError(`${id} answered with an empty stream.`, { retry: 'once' })
  return readMessage(whole, id)
}

function joinThinking(blocks: (string | z.infer<typeof Block>)[]): string | undefined {
  const thoughts = blocks.flatMap(block => {
    if (typeof block === 'string' || (block.type !== 'thinking' && block.type !== 'reasoning')) return []
    return [asString(block.thinking) ?? asString(block.reasoning) ?? '']
  })
  return thoughts.join('') || undefined
}

function readStop(metadata: Record<string, unknown>): ChatReply['stop'] {
  const reason = String(metadata.finish_reason ?? metadata.stop_reason ?? metadata.done_reason ?? '').toLowerCase()
  if (/length|max_tokens/.test(reason)) return 'length'
  if (/content_filter|refusal|safety/.test(reason)) return 'refused'
  return 'end'
}

function asString(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined
}
