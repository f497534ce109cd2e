import ollamaChat from '../../../models/chat/ollama.ts'
import openaiChat from '../../../models/chat/openai.ts'
import ollamaEmbed from '../../../models/embed-text/ollama.ts'
import openaiEmbed from '../../../models/embed-text/openai.ts'
import { ollamaServer } from '../../../models/http/ollama.ts'
import { openaiServer } from '../../../models/http/openai.ts'
import {
  type ChatMessage,
  type ChatModel,
  type ChatReply,
  type ChatRequest,
  textContent,
} from '../../../src/core/chat.ts'
import { errorText, LongtakeError } from '../../../src/core/errors.ts'
import { never, openBackend, testHost } from '../host.ts'
import { jpeg } from '../media.ts'

// A server as the conformance list is run on it.
export interface ServerUnderTest {
  url: string // without a path
  kind: 'openai' | 'ollama'
  key?: string
  chat?: string // names of its models
  vision?: string
  embed?: string
}

export interface SeenBehaviour {
  ok: boolean
  saw: string // one line
}

export interface Behaviour {
  name: string
  for(place: ServerUnderTest): boolean // whether this server can be asked for it
  run(place: ServerUnderTest, said: string[]): Promise<SeenBehaviour>
}

const keyName = 'SERVER_KEY'
const chats = (place: ServerUnderTest) => place.chat !== undefined

// Each row is one behaviour, asked for through our own backends.
export const behaviours: Record<string, Behaviour> = {
  list: {
    name: 'list of models',
    for: () => true,
    async run(place) {
      const server = place.kind === 'ollama' ? ollamaServer : openaiServer
      const settings = { url: baseOf(place), ...(place.key && { apiKeyEnv: keyName }) }
      const names = await server.models(settings, hostOf(place))
      const wantedModels = [place.chat, place.vision, place.embed].filter(name => name !== undefined)
      const ok = names !== undefined && wantedModels.every(name => names.includes(name))
      return { ok, saw: names?.length ? names.join(', ') : 'no model' }
    },
  },

  described: {
    name: 'what it tells of itself',
    for: () => true,
    async run(place) {
      const answered: string[] = []
      const paths = ['/v1/models', '/props', '/health', '/api/version', '/api/tags', '/api/ps']
      for (const path of paths) answered.push(`${path} ${await statusOf(place, path)}`)
      const models = [place.chat, place.vision, place.embed].filter(name => name !== undefined)
      for (const model of new Set(models)) answered.push(`/api/show ${await statusOf(place, '/api/show', { model })}`)
      return { ok: true, saw: answered.join(', ') }
    },
  },

  answer: {
    name: 'an answer, whole',
    for: chats,
    run: (place, said) => replied(place, said, ask('Say ok.'), reply => reply.usage.inputTokens > 0),
  },

  streaming: {
    name: 'streaming',
    for: chats,
    run: (place, said) =>
      withModel(place, {}, said, async model => {
        const pieces: string[] = []
        const reply = await model.reply(ask('Where is the dog?'), never, piece => pieces.push(piece))
        const joined = pieces.join('') === reply.text
        return {
          ok: joined && reply.text !== '' && reply.usage.inputTokens > 0,
          saw: `${pieces.length > 1 ? 'several pieces' : `${pieces.length} piece`}, ${replyText(reply)}`,
        }
      }),
  },

  tools: {
    name: 'native tools',
    for: chats,
    run: (place, said) =>
      withModel(place, {}, said, async model => {
        const request = { ...ask('When does the bell ring?', 200), tools: [search] }
        const first = await model.reply(request, never, () => {})
        const [call] = first.calls
        if (!call) return { ok: false, saw: `no call; ${replyText(first)}` }
        const messages: ChatMessage[] = [
          ...request.messages,
          { role: 'assistant', content: textContent(first.text), calls: first.calls },
          ...first.calls.map(one => ({
            role: 'tool' as const,
            call: one.id,
            name: one.name,
            content: textContent('bell at 0:45'),
          })),
        ]
        const second = await model.reply({ ...request, messages, toolChoice: 'none' }, never)
        const by = (model as { toolsVia?(): string }).toolsVia?.() ?? 'native'
        const isKnownTool = call.name === search.name && typeof call.arguments === 'object'
        return { ok: isKnownTool && by === 'native', saw: `${by}: ${replyText(first)}; then ${replyText(second)}` }
      }),
  },

  'tools-by-schema': {
    name: 'tools by JSON of a schema',
    for: chats,
    run: (place, said) =>
      withModel(place, { toolMode: 'schema' }, said, async model => {
        const reply = await model.reply({ ...ask('When does the bell ring?', 400), tools: [search] }, never)
        return { ok: true, saw: replyText(reply) }
      }),
  },

  schema: {
    name: 'JSON held to a schema',
    for: chats,
    run: (place, said) =>
      replied(place, said, { ...ask('How many apples, of which colour?', 100), schema: apples }, reply =>
        /^\{"colour":"(red|green)","ripe":(true|false)\}$/.test(reply.text),
      ),
  },

  unicode: {
    name: 'characters that are cut between tokens',
    for: chats,
    run: (place, said) =>
      withModel(place, {}, said, async model => {
        const schema = { name: 'word', schema: { type: 'string', enum: [letters] } }
        let pieces = ''
        const reply = await model.reply({ ...ask('Reply.', 100), schema }, never, piece => {
          pieces += piece
        })
        const ok = reply.text === JSON.stringify(letters) && !pieces.includes('\ufffd')
        return { ok, saw: replyText(reply) }
      }),
  },

  repeats: {
    name: 'one token again and again',
    for: chats,
    run: (place, said) =>
      withModel(place, {}, said, async model => {
        const schema = { name: 'ones', schema: { type: 'string', pattern: '^1{120}$' } }
        const reply = await model.reply({ ...ask('Reply.', 300), schema }, never)
        return { ok: reply.text === JSON.stringify('1'.repeat(120)), saw: replyText(reply) }
      }),
  },

  length: {
    name: 'an answer longer than asked for',
    for: chats,
    run: (place, said) =>
      withModel(place, { thinkingTokens: 0 }, said, async model => {
        const reply = await model.reply({ ...ask('Where is the dog?', 4), purpose: 'look' }, never)
        return { ok: reply.stop === 'length', saw: replyText(reply) }
      }),
  },

  thinking: {
    name: 'thinking',
    for: chats,
    run: (place, said) =>
      withModel(place, { thinkingTokens: 200 }, said, async model => {
        const reply = await model.reply(ask('Where is the dog?'), never)
        return { ok: reply.thinking !== undefined, saw: replyText(reply) }
      }),
  },

  'no-thinking': {
    name: 'asked not to think, twice',
    for: chats,
    run: (place, said) =>
      withModel(place, {}, said, async model => {
        const request: ChatRequest = { ...ask('Where is the dog?'), purpose: 'look' }
        const first = await model.reply(request, never)
        const second = await model.reply(request, never)
        return { ok: !second.thinking, saw: `${replyText(first)}; then ${replyText(second)}` }
      }),
  },

  pictures: {
    name: 'several pictures',
    for: place => place.vision !== undefined,
    run: (place, said) =>
      withModel({ ...place, chat: place.vision }, {}, said, async model => {
        const tokens = []
        for (const count of [1, 4]) {
          const pictures = Array.from({ length: count }, () => ({ type: 'image' as const, jpeg }))
          const content = [...pictures, ...textContent('Count the pictures.')]
          const reply = await model.reply({ ...ask('', 8), messages: [{ role: 'user', content }] }, never)
          tokens.push(reply.usage.inputTokens)
        }
        const [one = 0, four = 0] = tokens
        return { ok: four > one, saw: `1 picture: ${one} tokens; 4: ${four}` }
      }),
  },

  'no-eyes': {
    name: 'a picture for a model of text',
    for: place => chats(place) && place.chat !== place.vision,
    run: (place, said) => {
      const content = [{ type: 'image' as const, jpeg }, ...textContent('What is it?')]
      return refused(place, said, { ...ask('', 8), messages: [{ role: 'user', content }] }, /takes text|vision|mmproj/)
    },
  },

  overflow: {
    name: 'a prompt longer than the context',
    for: chats,
    run: (place, said) =>
      refused(place, said, ask('The red car stops at the gate. '.repeat(800)), /\[context-overflow\]/),
  },

  'wrong-model': {
    name: 'a model that it has not',
    for: chats,
    run: (place, said) =>
      refused({ ...place, chat: 'no-such-model' }, said, ask('Say ok.'), /The server has: |ollama pull/),
  },

  unnamed: {
    name: 'a model that is not named',
    for: place => place.kind === 'openai' && (chats(place) || !place.embed),
    run: (place, said) => {
      const outcome = withModel({ ...place, chat: undefined }, {}, said, async model => ({ ok: true, saw: model.id }))
      return outcome.catch(error => ({
        ok: /to one of them: |none yet/.test(describeError(error)),
        saw: describeError(error),
      }))
    },
  },

  'wrong-key': {
    name: 'a wrong key',
    for: place => chats(place) && place.key !== undefined,
    run: (place, said) => refused({ ...place, key: 'wrong' }, said, ask('Say ok.'), /key/),
  },

  'no-key': {
    name: 'no key',
    for: place => chats(place) && place.key !== undefined,
    run: (place, said) => refused({ ...place, key: undefined }, said, ask('Say ok.'), /wants a key/),
  },

  cancel: {
    name: 'stopped while it writes',
    for: chats,
    run: (place, said) =>
      withModel(place, {}, said, async model => {
        const stop = new AbortController()
        const request = { ...ask('Count.', 1500), schema: endless }
        const outcome = await model
          .reply(request, stop.signal, () => stop.abort())
          .then(replyText, error => (error as Error).constructor.name)
        const idle = await idles(place)
        return { ok: outcome === 'InterruptedError' && idle !== 'still writes', saw: `${outcome}, the server ${idle}` }
      }),
  },

  embeddings: {
    name: 'embeddings',
    for: place => place.embed !== undefined,
    async run(place) {
      const settings = { ...settingsOf(place), model: place.embed }
      const encoder =
        place.kind === 'ollama'
          ? await openBackend(ollamaEmbed, settings, hostOf(place))
          : await openBackend(openaiEmbed, settings, hostOf(place))
      try {
        const rows = await encoder.passages(['a red car', 'a dog', 'a red car'], never)
        const same = rows[0]?.every((value, at) => Math.abs(value - (rows[2]?.[at] ?? Number.NaN)) < 1e-5)
        return { ok: rows.length === 3 && same === true, saw: `${rows.length} of ${encoder.dimensions} numbers` }
      } finally {
        await encoder.close?.()
      }
    },
  },

  unload: {
    name: 'unloaded when asked (keep_alive 0)',
    for: place => chats(place) && place.kind === 'ollama',
    run: (place, said) =>
      withModel(place, { keepAlive: 0 }, said, async model => {
        await model.reply(ask('Say ok.', 4), never)
        for (let tries = 0; tries < 50; tries++) {
          const { models } = JSON.parse(await bodyOf(place, '/api/ps')) as { models: { name: string }[] }
          if (!models.some(({ name }) => name.startsWith(place.chat ?? ''))) return { ok: true, saw: 'gone' }
          await new Promise(resolve => setTimeout(resolve, 100))
        }
        return { ok: false, saw: 'still loaded after 5 s' }
      }),
  },
}

// Runs one; what it throws is what was seen.
export async function observe(behaviour: Behaviour, place: ServerUnderTest): Promise<SeenBehaviour> {
  const remarks: string[] = []
  const { ok, saw } = await behaviour.run(place, remarks).catch(error => ({ ok: false, saw: describeError(error) }))
  const line = [saw, ...remarks.map(one => `said: ${one}`)].join(' — ').replace(/ in [\d.]+ s\)/g, ')')
  return { ok, saw: line.replaceAll(place.url, 'SERVER').replaceAll(place.url.replace(/^http:\/\//, ''), 'SERVER') }
}

function ask(words: string, maxTokens = 40): ChatRequest {
  return {
    purpose: 'probe',
    messages: [{ role: 'user', content: textContent(words) }],
    temperature: 0,
    seed: 1,
    maxTokens,
  }
}

function baseOf({ url, kind }: ServerUnderTest): string {
  return kind === 'openai' ? `${url}/v1` : url
}

function settingsOf(place: ServerUnderTest): object {
  return { url: baseOf(place), ...(place.kind === 'openai' && place.key && { apiKeyEnv: keyName }) }
}

function hostOf({ key }: ServerUnderTest, said: string[] = []) {
  return testHost(key ? { [keyName]: key } : {}, said)
}

async function withModel(
  place: ServerUnderTest,
  more: object,
  said: string[],
  work: (model: ChatModel) => Promise<SeenBehaviour>,
): Promise<SeenBehaviour> {
  const settings = { ...settingsOf(place), model: place.chat, thinkingTokens: 60, ...more }
  const model: ChatModel =
    place.kind === 'ollama'
      ? await openBackend(ollamaChat, { contextTokens: 2048, ...settings }, hostOf(place, said))
      : await openBackend(openaiChat, settings, hostOf(place, said))
  try {
    return await work(model)
  } finally {
    await model.close?.()
  }
}

function replied(
  place: ServerUnderTest,
  said: string[],
  request: ChatRequest,
  good: (reply: ChatReply) => boolean,
): Promise<SeenBehaviour> {
  return withModel(place, {}, said, async model => {
    const reply = await model.reply(request, never)
    return { ok: good(reply), saw: replyText(reply) }
  })
}

function refused(place: ServerUnderTest, said: string[], request: ChatRequest, wanted: RegExp): Promise<SeenBehaviour> {
  const outcome = withModel(place, {}, said, async model => ({
    ok: false,
    saw: `no error; ${replyText(await model.reply(request, never))}`,
  }))
  return outcome.catch(error => ({ ok: wanted.test(describeError(error)), saw: describeError(error) }))
}

function describeError(error: unknown): string {
  if (!(error instanceof LongtakeError)) throw error
  const reason = 'reason' in error && error.reason ? ` [${error.reason}]` : ''
  return `${errorText(error)}${reason}${error.hint ? ` (${error.hint})` : ''}`
}

function replyText({ text: words, thinking, calls, stop }: ChatReply): string {
  const called = calls.map(call => `${call.name}(${JSON.stringify(call.arguments)})`).join(', ')
  const parts = [thinking && 'thought', words && JSON.stringify(cut(words)), called, `stop ${stop}`]
  return parts.filter(Boolean).join(', ')
}

function cut(words: string): string {
  return words.length > 80 ? `${words.slice(0, 80)}…` : words
}

function fetched(place: ServerUnderTest, path: string, body?: object): Promise<Response> {
  const headers = { 'accept-encoding': 'identity', ...(place.key && { authorization: `Bearer ${place.key}` }) }
  return fetch(`${place.url}${path}`, { headers, ...(body && { method: 'POST', body: JSON.stringify(body) }) })
}

// Whether llama.cpp's server has stopped writing; others do not tell.
async function idles(place: ServerUnderTest): Promise<string> {
  for (let tries = 0; tries < 20; tries++) {
    const slotsBody = await bodyOf(place, '/slots')
    if (!slotsBody.startsWith('[')) return 'does not tell'
    const slots: { is_processing: boolean }[] = JSON.parse(slotsBody)
    if (!slots.some(slot => slot.is_processing)) return 'has stopped too'
    await new Promise(resolve => setTimeout(resolve, 50))
  }
  return 'still writes'
}

async function statusOf(place: ServerUnderTest, path: string, body?: object): Promise<number> {
  const reply = await fetched(place, path, body)
  await reply.arrayBuffer()
  return reply.status
}

async function bodyOf(place: ServerUnderTest, path: string): Promise<string> {
  return (await fetched(place, path)).text()
}

const letters = 'Größe – 日本語 नमस्ते 🎬👩‍🚀'

const search = {
  name: 'search',
  description: 'Find the bell.',
  parameters: {
    type: 'object',
    properties: { query: { type: 'string', enum: ['bell', 'dog'] } },
    required: ['query'],
    additionalProperties: false,
  },
}

const apples = {
  name: 'apples',
  schema: {
    type: 'object',
    properties: { colour: { type: 'string', enum: ['red', 'green'] }, ripe: { type: 'boolean' } },
    required: ['colour', 'ripe'],
    additionalProperties: false,
  },
}

// No answer of this schema fits into the length that is asked for.
const endless = {
  name: 'endless',
  schema: { type: 'array', items: { type: 'string', enum: ['again and again and again'] }, minItems: 2000 },
}
