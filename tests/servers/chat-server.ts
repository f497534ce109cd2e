import { type FaultServer, startFaultServer } from './fault-server.ts'

export interface ChatBody {
  model: string
  messages: unknown[]
}

// An OpenAI-compatible server of some models that answers equal requests equally: `reply` makes the message.
export function startChatServer(
  models: string[],
  reply: (body: ChatBody) => object | Promise<object>,
): Promise<FaultServer> {
  return startFaultServer(async ({ path, body }) => {
    const sent = body as ChatBody
    const content = path.endsWith('/models')
      ? { object: 'list', data: models.map(id => ({ id, object: 'model' })) }
      : {
          model: sent.model,
          choices: [{ index: 0, message: { role: 'assistant', ...(await reply(sent)) }, finish_reason: 'stop' }],
          usage: { prompt_tokens: 10, completion_tokens: 2 },
        }
    return { status: 200, type: 'application/json', pieces: [Buffer.from(JSON.stringify(content))] }
  })
}
