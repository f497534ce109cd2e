import { sanitizeReply } from '../../../graphs/asking/ask-model.ts'
import type { TransportReply } from '../../../models/chat/adapter/chat-transport.ts'
import { looseJson } from '../../../models/chat/adapter/loose-json.ts'
import { readReply } from '../../../models/chat/adapter/read-reply.ts'
import { streamVisibleText } from '../../../models/chat/adapter/visible-text.ts'
import { readMessage } from '../../../models/chat/langchain.ts'
import { readOllamaStream } from '../../../models/chat/ollama/reply.ts'
import { readCompletion, readOpenaiStream } from '../../../models/chat/openai/reply.ts'
import type { ServerReply } from '../../../models/http/server.ts'
import { ServerError } from '../../../models/http/server-error.ts'
import type { ChatReply, ChatRequest, ToolCard } from '../../../src/core/chat.ts'
import { parseJsonText } from '../../../src/core/json.ts'
import { readDraft } from '../../../src/text/replies/read-draft.ts'
import { dictionary, replySeeds } from '../dictionary.ts'
import { mutateJson } from '../mutate/json.ts'
import { mutateText } from '../mutate/text.ts'
import { areTexts, promise, type Target } from '../target.ts'

// The same bytes as the text of a reply, as the body of one and as a stream of one.
const replies: Target = {
  name: 'replies',
  summary: 'replies of models: text, thinking, loose JSON, calls written as text, server-sent events, JSON bodies',
  guided: /models\/(chat|http)\/|graphs\/asking\/|src\/core\/json/,
  seeds: async () => replySeeds.map(text => Buffer.from(text)),
  mutate: (input, draw, other) => (draw.chance(0.5) ? mutateJson : mutateText)(input, draw, other, dictionary.replies),
  async run(input) {
    const text = input.toString('utf8')
    readAsText(text)
    for (const reply of await readAsBodies(input)) {
      checkReply(reply)
      for (const steps of [false, true]) checkRead(reply, steps)
    }
  },
}

export default replies

const tools: ToolCard[] = [
  {
    name: 'search',
    description: 'finds words',
    parameters: { type: 'object', properties: { query: { type: 'string' }, k: { type: 'integer' } } },
  },
  { name: 'look', description: 'looks', parameters: { type: 'object', properties: { at: { type: 'number' } } } },
]
const request: ChatRequest = { purpose: 'plan', messages: [], tools }
const verdictSchema = {
  type: 'object',
  properties: { verdict: { type: 'string', enum: ['supported', 'unseen'] }, reason: { type: 'string' } },
  required: ['verdict'],
}

function readAsText(text: string): void {
  const wire: TransportReply = { text, calls: [], stop: 'end', model: 'm' }
  for (const steps of [false, true]) checkRead(wire, steps)
  readReply({ ...wire, stop: 'length' }, request, { steps: false })
  readReply(wire, { ...request, toolChoice: 'none' }, { steps: false, held: verdictSchema })
  const value = looseJson(text)
  promise(value === undefined || (value.end >= 0 && value.end <= text.length), 'reading stops inside the text')
  const parsed = parseJsonText(text)
  promise(parsed === undefined || typeof parsed === 'object', 'what is read is an object')
  const draft = readDraft(text, ['yes', 'no'])
  promise((draft?.sentences.length ?? 0) <= 60, 'a draft is short')
  promise(draft?.choice === undefined || draft.choice < 2, 'the choice is an option')
  const confidence = draft?.confidence ?? 0
  promise(confidence >= 0 && confidence <= 1, `confidence is a share, not ${confidence}`)
  checkShown(text)
}

// What is shown while a reply comes is never taken back.
function checkShown(text: string): void {
  const whole = text.slice(0, 20_000)
  let visibleSoFar = ''
  const visible = streamVisibleText(piece => {
    visibleSoFar += piece
  }, true)
  const size = Math.max(40, Math.ceil(whole.length / 16))
  for (let at = 0; at < whole.length; at += size) visible.push(whole.slice(at, at + size))
  promise(visibleSoFar.length <= whole.length, 'no more is shown than came')
}

function checkRead(wire: TransportReply, steps: boolean): void {
  const read = readReply(wire, request, { steps })
  if (read.problem !== undefined) return
  promise(typeof read.text === 'string', 'a reply has a text')
  const reply = { ...read, usage: wire.usage, model: wire.model } as unknown as ChatReply
  const sound = sanitizeReply(reply)
  promise(sound.calls.length <= 64, 'calls are few')
  for (const { name, arguments: given } of read.calls) {
    promise(typeof name === 'string', 'a call has a name')
    if (typeof given === 'object' && given !== null)
      promise(Object.getPrototypeOf(given) !== null, 'arguments are a plain object')
  }
}

function checkReply(reply: TransportReply): void {
  promise(areTexts([reply.text, reply.model]), 'texts are texts')
  promise(areTexts(reply.calls.map(call => call.name)), 'a call has a name')
}

async function readAsBodies(input: Buffer): Promise<TransportReply[]> {
  const replies: TransportReply[] = []
  const tries: (() => Promise<TransportReply> | TransportReply)[] = [
    () => readCompletion(inMemory(input)),
    () => readOpenaiStream(inMemory(input), () => {}),
    () => readMessage(json(input), 'langchain'),
    () => readOllamaStream(pieces(json(input)) as never, { id: 'ollama', contextTokens: 1000, request }, () => {}),
  ]
  for (const read of tries) {
    try {
      replies.push(await read())
    } catch (error) {
      if (!(error instanceof ServerError)) throw error
    }
  }
  return replies
}

function json(input: Buffer): unknown {
  try {
    return JSON.parse(input.toString('utf8'))
  } catch {
    return undefined
  }
}

async function* pieces(value: unknown) {
  yield* Array.isArray(value) ? value : [value]
}

// In pieces that cut through characters, as a network delivers them.
function inMemory(input: Buffer): ServerReply {
  const error: ServerReply['error'] = (message, details) => new ServerError(message, details)
  return {
    status: 200,
    type: 'application/json',
    body: (async function* () {
      for (let at = 0; at < input.length; at += 997) yield input.subarray(at, at + 997)
    })(),
    error,
    refusal: () => error('refused', { retry: 'no' }),
  }
}
