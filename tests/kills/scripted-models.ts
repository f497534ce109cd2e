import { type ChatBody, startChatServer } from '../servers/chat-server.ts'

export interface ScriptedCall {
  path: string
  unread?: boolean // the client was gone before it could have kept the answer: it was killed, or had nothing else to do
}

export interface ScriptedModels {
  url: string
  calls(): ScriptedCall[] // in order
  busy(): void // every answer takes its time, from now on
  close(): Promise<void>
}

// Planner, writers, verifier and judge behind one server that takes its time and answers equal requests equally.
export async function startScriptedModels(): Promise<ScriptedModels> {
  const server = await startChatServer(['planner', 'writer', 'writer-2', 'verifier', 'judge'], reply)
  return {
    url: `${server.url}/v1`,
    calls: () => server.seen.filter(seen => seen.path.endsWith('/chat/completions')),
    busy: () => server.misbehave(...Array.from({ length: 5000 }, () => ({ fault: 'slow' as const, seconds: 0.1 }))),
    close: server.close,
  }
}

// How each of the roles is set to its model on this server.
export function roleSettings(url: string, roles: string[], flag = '--set'): string[] {
  return roles.flatMap(role => [
    ...[flag, `models.${role}.backend=openai`, flag, `models.${role}.model=${role}`],
    ...[flag, `models.${role}.url=${url}`],
  ])
}

function reply({ model, messages }: ChatBody): object {
  const sent = JSON.stringify(messages)
  if (model === 'planner') return planned(sent)
  if (model === 'judge') return { content: 'A' }
  if (model === 'verifier') return { content: '{"verdict":"supported","reason":"it says so"}' }
  const row = /\bs[0-9a-f]{10}\b/.exec(sent.replaceAll('\\n', ' '))
  const sentence = { text: 'It has seven hundred paintings.', cites: row ? [row[0]] : [] }
  const choice = model === 'writer' ? 0 : 1
  return { content: JSON.stringify({ sentences: [sentence], choice, confidence: 0.8, abstained: false }) }
}

// Two rounds of tool calls, then the answer.
function planned(sent: string): object {
  const call = (name: string, input: object) => ({
    content: null,
    tool_calls: [{ id: 'c', type: 'function', function: { name, arguments: JSON.stringify(input) } }],
  })
  if (!sent.includes('probe paintings')) return call('search', { query: 'probe paintings' })
  if (!sent.includes('probe tour')) return call('search', { query: 'probe tour' })
  return { content: 'READY' }
}
