import { readDraft } from '../../../graphs/answer/read-draft.ts'
import { readJson } from '../../../graphs/nodes/read-json.ts'
import { soundReply } from '../../../graphs/nodes/sound-reply.ts'
import type { TransportReply } from '../../../models/chat/adapter/chat-transport.ts'
import { readReply } from '../../../models/chat/adapter/read-reply.ts'
import { looseJson } from '../../../models/chat/adapter/text-calls/loose-json.ts'
import { visibleText } from '../../../models/chat/adapter/visible-text.ts'
import { readMessage } from '../../../models/chat/langchain/reply.ts'
import { readPieces } from '../../../models/chat/ollama/reply.ts'
import { readCompletion, readStream } from '../../../models/chat/openai/reply.ts'
import type { Reply } from '../../../models/http/server.ts'
import { ServerError } from '../../../models/http/server-error.ts'
import type { ChatReply, ChatRequest, ToolCard } from '../../../src/core/chat.ts'
import { dictionary } from '../dictionary.ts'
import { mutateJson } from '../mutate/json.ts'
import { mutateText } from '../mutate/text.ts'
import { areTexts, promise, type Target } from '../target.ts'

// The same bytes as the text of a reply, as the body of one and as a stream of one.
const replies: Target = {
  name: 'replies',
  summary: 'replies of models: text, thinking, loose JSON, calls written as text, server-sent events, JSON bodies',
  guided: /models\/(chat|http)\/|graphs\/nodes\/(read|sound)/,
  seeds: async () => [...texts, ...bodies.map(body => JSON.stringify(body)), ...streams].map(text => Buffer.from(text)),
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
const held = {
  type: 'object',
  properties: { verdict: { type: 'string', enum: ['supported', 'unseen'] }, reason: { type: 'string' } },
  required: ['verdict'],
}

function readAsText(text: string): void {
  const wire: TransportReply = { text, calls: [], stop: 'end', model: 'm' }
  for (const steps of [false, true]) checkRead(wire, steps)
  readReply({ ...wire, stop: 'length' }, request, { steps: false })
  readReply(wire, { ...request, toolChoice: 'none' }, { steps: false, held })
  const value = looseJson(text)
  promise(value === undefined || (value.end >= 0 && value.end <= text.length), 'reading stops inside the text')
  const parsed = readJson(text)
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
  let shown = ''
  const visible = visibleText(piece => {
    shown += piece
  }, true)
  const size = Math.max(40, Math.ceil(whole.length / 16))
  for (let at = 0; at < whole.length; at += size) visible.push(whole.slice(at, at + size))
  promise(shown.length <= whole.length, 'no more is shown than came')
}

function checkRead(wire: TransportReply, steps: boolean): void {
  const read = readReply(wire, request, { steps })
  if (read.problem !== undefined) return
  promise(typeof read.text === 'string', 'a reply has a text')
  const reply = { ...read, usage: wire.usage, model: wire.model } as unknown as ChatReply
  const sound = soundReply(reply)
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
  const found: TransportReply[] = []
  const tries: (() => Promise<TransportReply> | TransportReply)[] = [
    () => readCompletion(inMemory(input)),
    () => readStream(inMemory(input), () => {}),
    () => readMessage(json(input), 'langchain'),
    () => readPieces(pieces(json(input)) as never, { id: 'ollama', contextTokens: 1000, request }, () => {}),
  ]
  for (const read of tries) {
    try {
      found.push(await read())
    } catch (error) {
      if (!(error instanceof ServerError)) throw error
    }
  }
  return found
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
function inMemory(input: Buffer): Reply {
  const error: Reply['error'] = (message, details) => new ServerError(message, details)
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

const call = { name: 'search', arguments: { query: 'red car', k: 3 } }
const texts = [
  'READY',
  '<think>hm</think>The car is red.',
  'no opening</think>[THINK]two[/THINK] Answer: B',
  '<|channel|>analysis<|message|>hm<|end|><|start|>assistant<|channel|>commentary to=functions.search <|constrain|>json<|message|>{"query":"x"}<|call|>',
  `<tool_call>${JSON.stringify(call)}</tool_call>`,
  `\`\`\`json\n${JSON.stringify([call, call])}\n\`\`\``,
  '<function=search><parameter=query>red car</parameter><parameter=k>3</parameter></function>',
  '<tool_call>search<arg_key>query</arg_key><arg_value>red</arg_value></tool_call>',
  '[TOOL_CALLS]search[ARGS]{"query": "x"}',
  'search(query="red car", k=3)\nlook(at=1.5)',
  'Thought: hm\nAction: search\nAction Input: {"query": \'x\', k: 3,}',
  '{"thought":"hm","calls":[{"name":"look","arguments":{"at":1}}],"answer":null}',
  '{"sentences":[{"text":"The car is red.","cites":["s0123456789"]}],"choice":"B","confidence":"80","abstained":false}',
  '{"verdict":"supported","reason":"it says so"}',
  "{name: 'search', // a comment\n arguments: {query: “red”, k: 1_000, on: True,}}",
]
const message = { role: 'assistant', content: 'The car is red.', reasoning_content: 'hm' }
const toolCalls = [{ index: 0, id: 'c1', type: 'function', function: { name: 'search', arguments: '{"query":"x"}' } }]
const bodies = [
  {
    ...{ id: 'x', object: 'chat.completion', model: 'm', usage: { prompt_tokens: 1, completion_tokens: 2 } },
    choices: [{ index: 0, finish_reason: 'tool_calls', message: { ...message, tool_calls: toolCalls } }],
  },
  {
    ...{
      content: [{ type: 'text', text: 'The car' }, ' is red'],
      usage_metadata: { input_tokens: 1, output_tokens: 1 },
    },
    ...{
      tool_calls: [{ id: 'a', name: 'search', args: { query: 'x' } }],
      invalid_tool_calls: [{ name: 'look', args: '{' }],
    },
    response_metadata: { model_name: 'm', finish_reason: 'stop' },
  },
  [
    { model: 'm', message: { content: 'The car', thinking: 'hm' }, done: false },
    { model: 'm', message: { content: '', tool_calls: [{ function: call }] }, done: false },
    { model: 'm', done: true, done_reason: 'stop', prompt_eval_count: 1, eval_count: 2 },
  ],
  { error: { message: 'overloaded', type: 'server_error' } },
]
const chunk = (delta: object, finish: string | null = null) =>
  `data: ${JSON.stringify({ model: 'm', choices: [{ index: 0, delta, finish_reason: finish }] })}\n\n`
const streams = [
  `: ping\n\n${chunk({ role: 'assistant', content: 'The ' })}${chunk({ content: 'car', reasoning: 'hm' })}${chunk({}, 'stop')}data: [DONE]\n\n`,
  `${chunk({ tool_calls: toolCalls })}${chunk({ tool_calls: [{ index: 0, function: { arguments: '1}' } }] })}event: x\nid: 1\nretry: 5\n${chunk({}, 'tool_calls')}`,
  'event: error\ndata: {"error":{"message":"no"}}\n\n',
]
