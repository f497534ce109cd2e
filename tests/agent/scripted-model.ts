import type { ChatModel, ChatReply, ChatRequest } from '../../src/core/chat.ts'

export type Scripted = ChatModel & { requests: ChatRequest[] }

// A language model that replies as a test says, and keeps what it was asked.
export function model(reply: (request: ChatRequest, n: number) => Partial<ChatReply>): Scripted {
  const requests: ChatRequest[] = []
  return {
    id: 'chat/test',
    accepts: new Set(['text']),
    requests,
    reply: async (request, signal) => {
      signal.throwIfAborted()
      requests.push(request)
      const made = reply(request, requests.length - 1)
      return { text: '', calls: [], stop: 'end', usage: { inputTokens: 10, outputTokens: 1 }, model: 'test', ...made }
    },
  }
}

export function call(name: string, args: unknown): Partial<ChatReply> {
  return { calls: [{ id: 'c', name, arguments: args }] }
}

export function draft(text: string, cites: string[], more: object = {}): Partial<ChatReply> {
  return { text: JSON.stringify({ sentences: [{ text, cites }], ...more }) }
}

export function wordsOf(request: ChatRequest | undefined): string {
  const parts = request?.messages.flatMap(one => one.content) ?? []
  return parts.map(part => (part.type === 'text' ? part.text : '')).join('\n')
}
