import type { ChatModel } from '../../../src/core/chat.ts'
import { encodeJpeg } from '../../../src/media/image.ts'
import { ServerError } from '../../http/server-error.ts'
import type { ServerChatModel } from '../adapter/chat-over-transport.ts'
import { mark, probeRequest, red } from './probes.ts'

// Whether a model calls tools by itself and sees, by one tiny request each. An error that says nothing of the model is thrown.
export async function tryOnce(model: ChatModel, signal: AbortSignal): Promise<{ callsTools: boolean; sees: boolean }> {
  const request = probeRequest('plan', 64, 'Use the tool "mark" with the number 7.')
  const { calls } = await model.reply({ ...request, tools: [mark] }, signal)
  const via = 'toolsVia' in model ? (model as ServerChatModel).toolsVia() : 'native'
  return {
    callsTools: calls.some(call => call.name === 'mark') && via === 'native',
    sees: await seesRed(model, signal),
  }
}

async function seesRed(model: ChatModel, signal: AbortSignal): Promise<boolean> {
  if (!model.accepts.has('image')) return false
  const jpeg = await encodeJpeg(red)
  try {
    const { text } = await model.reply(
      probeRequest('look', 16, 'Which colour fills this picture? One word.', [{ type: 'image', jpeg }]),
      signal,
    )
    return /\bred\b/i.test(text)
  } catch (error) {
    // Servers refuse a picture that the model does not take in many ways, one of them with status 500.
    if (error instanceof ServerError && [400, 404, 415, 422, 500].includes(error.details.status ?? 0)) return false
    throw error
  }
}
