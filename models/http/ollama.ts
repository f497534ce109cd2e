import { setTimeout as sleep } from 'node:timers/promises'
import type { Ollama } from 'ollama'
import { z } from 'zod'
import type { Host, ModelServer } from '../../src/core/backend.ts'
import { gigabytes } from '../../src/core/basics/numbers.ts'
import { BackendError } from '../../src/core/errors.ts'
import { oneTry, requestLimits } from './limits.ts'
import { parseReply, readReplyText, sample } from './read-json.ts'
import { openServer, type RequestAttempt, type Server, type ServerReply } from './server.ts'
import { ServerError, type ServerErrorDetails } from './server-error.ts'
import { textLines } from './text-lines.ts'
import { isLoopbackUrl } from './transport.ts'

// Settings shared by all Ollama backends.
export const ollamaSettings = {
  model: z
    .string({ error: 'name a model, as "ollama list" shows it' })
    .min(1)
    .describe('name as "ollama list" shows it, for example qwen3:4b'),
  url: z.string().optional().describe('where Ollama listens; otherwise OLLAMA_HOST, otherwise http://127.0.0.1:11434'),
  keepAlive: z
    .union([z.string(), z.number()])
    .optional()
    .describe('how long the model stays loaded, for example "30m"'),
  limits: requestLimits,
}

type OllamaSettings = Pick<z.infer<z.ZodObject<typeof ollamaSettings>>, 'model' | 'url' | 'limits'>

interface OllamaServer {
  server: Server
  ask<T>(signal: AbortSignal, work: (client: Ollama, attempt: number) => Promise<T>): Promise<T>
}

export const ollamaServer: ModelServer = {
  name: 'Ollama',
  fetches: true,
  async models({ model = '', url }, host) {
    const settings = { model: String(model), url: typeof url === 'string' ? url : undefined, limits: oneTry() }
    const list = await askOllama(settings, host, client => client.list())
    return list.models.map(model => model.name)
  },
  async unload({ model, url }, host) {
    const address = typeof url === 'string' ? url : hostUrl(host.environment.OLLAMA_HOST)
    if (typeof model !== 'string' || !URL.canParse(address) || !isLoopbackUrl(new URL(address))) return undefined
    try {
      const settings = { model, url: address, limits: oneTry() }
      return await askOllama(settings, host, client => unloadFromCard(client, model))
    } catch (error) {
      host.signal.throwIfAborted()
      if (!(error instanceof BackendError)) throw error
      return undefined // one that does not answer gives nothing back; who needs it for a question hears why
    }
  },
}

const pause = 200 // milliseconds between two looks whether it is gone
const patience = 10_000

// Asks Ollama to unload a model from the card, if it is there. Ollama loads it again when it is next asked; models that no role of
// ours uses stay.
async function unloadFromCard(client: Ollama, model: string): Promise<string | undefined> {
  const loaded = await onCard(client, model)
  if (!loaded) return undefined
  await client.generate({ model: loaded.name, prompt: '', keep_alive: 0, stream: false })
  for (const until = performance.now() + patience; performance.now() < until; await sleep(pause))
    if (!(await onCard(client, model))) break
  return `Ollama unloads ${loaded.name} (${gigabytes(loaded.size_vram / 1e6)} of the card).`
}

async function onCard(client: Ollama, model: string) {
  const { models } = await client.ps()
  return models.find(({ name, size_vram }) => size_vram > 0 && fullName(name) === fullName(model))
}

function fullName(name: string): string {
  return name.includes(':') ? name : `${name}:latest`
}

// The npm client of Ollama over our own transport, which adds limits, retries, and bounded and checked replies.
export function openOllama(name: string, settings: OllamaSettings, host: Host): OllamaServer {
  const url = settings.url ?? hostUrl(host.environment.OLLAMA_HOST)
  const start = 'Start Ollama with "ollama serve", or set url (or OLLAMA_HOST) to where it runs.'
  const server = openServer({ name, url, limits: settings.limits, start, explain: explainFor(settings.model) }, host)
  return {
    server,
    ask: (signal, work) =>
      server.call(signal, async asking => {
        const { Ollama } = await import('ollama')
        try {
          return await work(new Ollama({ host: 'http://ollama', fetch: fetchThrough(asking) }), asking.number)
        } catch (error) {
          if (error instanceof Error && /Did not receive done/.test(error.message))
            throw new ServerError(`${name} at ${server.shown} cut its reply short.`, { retry: 'yes', cause: error })
          throw error
        }
      }),
  }
}

// Opens Ollama for one call.
export async function askOllama<T>(
  settings: OllamaSettings,
  host: Host,
  work: (client: Ollama) => Promise<T>,
): Promise<T> {
  const { server, ask } = openOllama('ollama', settings, host)
  try {
    return await ask(host.signal, work)
  } finally {
    await server.close()
  }
}

// Parses OLLAMA_HOST as Ollama does: "0.0.0.0" is a listening address, so a client connects to 127.0.0.1.
export function hostUrl(value: string | undefined): string {
  const text = value?.trim().replace(/^["']|["']$/g, '') ?? ''
  if (text === '') return 'http://127.0.0.1:11434'
  const full = text.includes('://') ? text : `http://${text.startsWith(':') ? `127.0.0.1${text}` : text}`
  if (!URL.canParse(full)) return full
  const url = new URL(full)
  if (url.hostname === '0.0.0.0') url.hostname = '127.0.0.1'
  if (url.hostname === '[::]') url.hostname = '[::1]'
  if (url.port === '' && !text.includes('://')) url.port = '11434'
  return url.href.replace(/\/$/, '')
}

// Distinguishes "model 'x' not found" from an unknown path.
export function isMissingModel(said = ''): boolean {
  return /\bmodel\b/i.test(said)
}

function explainFor(model: string) {
  return (status: number, said: string): Partial<ServerErrorDetails> | undefined => {
    if (status === 404 && isMissingModel(said)) return { hint: `Get it with "ollama pull ${model}".` }
    if (/context length|exceeds? .{0,30}context|input length|prompt too long/i.test(said))
      return {
        retry: 'no',
        unhealthy: false,
        reason: 'context-overflow',
        hint: 'Ask with less, or raise contextTokens.',
      }
    if (/does not support tools/i.test(said))
      return { retry: 'no', hint: 'Use a model that "ollama show" lists with tools, or set toolMode to "schema".' }
    if (/does not support thinking/i.test(said)) return { retry: 'no', hint: 'Take the setting "think" out.' }
    if (/more system memory|out of memory/i.test(said))
      return { retry: 'no', unhealthy: false, hint: 'Use a smaller model, or lower contextTokens.' }
    return undefined
  }
}

// A fetch for the client. Checks replies line by line, because the client would print and skip a line that is not JSON.
function fetchThrough(asking: RequestAttempt): typeof fetch {
  return async (input, init) => {
    const path = new URL(String(input)).pathname
    if (init?.method !== 'POST') return whole(await asking.get(path))
    const body = JSON.parse(String(init.body)) as { stream?: boolean }
    const reply = await asking.post(path, body)
    return body.stream ? new Response(ReadableStream.from(checkedLines(reply))) : whole(reply)
  }
}

async function whole(reply: ServerReply): Promise<Response> {
  const text = await readReplyText(reply)
  throwIfError(reply, parseReply(reply, text))
  return new Response(text)
}

async function* checkedLines(reply: ServerReply): AsyncGenerator<Uint8Array> {
  let lines = 0
  let last = ''
  let repeats = 0
  try {
    for await (const { line, whole } of textLines(reply.body)) {
      if (line.trim() === '') continue
      lines++
      const value = parseLine(reply, line, whole)
      throwIfError(reply, value)
      const piece = readPiece(value)
      repeats = piece === last ? repeats + 1 : 0
      last = piece
      yield Buffer.from(`${line}\n`)
    }
    if (repeats >= 30) throw brokenOff(reply, last)
  } catch (error) {
    if (error instanceof TypeError)
      throw reply.error('answered with bytes that are not UTF-8.', { retry: 'once', cause: error })
    throw error
  }
  if (lines === 0) throw reply.error('answered with an empty body.', { retry: 'once' })
}

// The words of a piece of a streamed chat; of its last piece something that equals no other.
function readPiece(value: unknown): string {
  const { message, done } = value as { message?: { content?: string; thinking?: string }; done?: boolean }
  return done === false ? `${message?.thinking ?? ''}${message?.content ?? ''}`.trim() : JSON.stringify(value)
}

// Ollama ends a reply without its last piece when the model has written the same token thirty times.
function brokenOff(reply: ServerReply, token: string): ServerError {
  return reply.error(`broke its reply off after ${sample(token)} again and again: the model repeats itself.`, {
    retry: 'once',
    hint: 'Use a larger model, or a higher temperature.',
  })
}

function parseLine(reply: ServerReply, line: string, whole: boolean): unknown {
  if (!whole) {
    try {
      return JSON.parse(line)
    } catch (cause) {
      throw reply.error(`cut its reply short after ${sample(line)}.`, { retry: 'yes', cause })
    }
  }
  return parseReply(reply, line)
}

function throwIfError(reply: ServerReply, value: unknown): void {
  if (!value || typeof value !== 'object')
    throw reply.error(`answered in an unknown form: ${sample(JSON.stringify(value))}`, { retry: 'once' })
  if ('error' in value) throw reply.refusal(value)
}
