import { insideGuard, isEnding } from '../../onnx/exit-guard.ts'
import { marks, serveThread } from '../../onnx/serve-thread.ts'
import type { ChatPrompt, OnnxChatJob, WrittenReply } from './messages.ts'
import { openChat } from './open-chat.ts'
import type { OpenedChat } from './package-parts.ts'
import { promptInputs, whyRefused } from './prompt-inputs.ts'

// A chat model through the transformers package, in a thread of its own.

let opened: OpenedChat | undefined

serveThread<OnnxChatJob>({
  async work(job, isCancelled, tell) {
    if (job.kind === 'open') {
      const chat = await openChat(job, call => insideGuard(marks, call))
      opened = chat
      return { provider: chat.provider, refused: chat.refused }
    }
    if (!opened) throw new Error('the model is not open')
    return write(opened, job.writing, isCancelled, tell)
  },
  close: async () => void (await opened?.model.dispose()),
})

async function write(
  chat: OpenedChat,
  writing: ChatPrompt,
  isCancelled: () => boolean,
  tell: (piece: unknown) => void,
): Promise<WrittenReply> {
  const { transformers, tokenizer, model } = chat
  const { StoppingCriteria, TextStreamer, random } = transformers
  const refused = whyRefused(chat, writing)
  if (refused) return { refused }
  const inputs = await promptInputs(chat, writing)
  const inputTokens = inputs.input_ids.dims[1] ?? 0
  const room = writing.context - inputTokens
  if (room < 1) return { tooLong: inputTokens }

  class Cancelled extends StoppingCriteria {
    override _call(rows: number[][]): boolean[] {
      return rows.map(() => isCancelled() || isEnding(marks))
    }
  }
  if (writing.seed !== undefined) random.seed(writing.seed)
  const streamer = new TextStreamer(tokenizer as never, { skip_prompt: true, callback_function: tell })
  const maxTokens = Math.min(writing.maxTokens, room)
  const sampled = writing.temperature > 0
  const output = await insideGuard(marks, () =>
    model.generate({
      ...inputs,
      max_new_tokens: maxTokens,
      do_sample: sampled,
      ...(sampled && { temperature: writing.temperature }),
      streamer,
      stopping_criteria: [new Cancelled()],
    }),
  )
  if (isCancelled()) throw new Error('cancelled')
  const outputTokens = (output.dims[1] ?? inputTokens) - inputTokens
  const [text = ''] = tokenizer.batch_decode(output.slice(null, [inputTokens, null]), { skip_special_tokens: true })
  return { text, inputTokens, outputTokens, stop: outputTokens >= maxTokens ? 'length' : 'end' }
}
