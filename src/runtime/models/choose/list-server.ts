import { z } from 'zod'
import { below, readAddress } from '../../../../models/http/address.ts'
import { findModelFamily } from '../../../../models/http/model-families.ts'
import { ListedModel, modelList } from '../../../../models/http/openai.ts'
import { otherServer, type Preset, presetNamed } from '../../../../models/http/presets.ts'
import { openTransport } from '../../../../models/http/transport.ts'
import type { Host } from '../../../core/backend.ts'
import { withDeadline } from '../../../core/basics/signals.ts'
import { BackendError, errorText } from '../../../core/errors.ts'
import { shallowJson } from '../../../core/json.ts'
import type { Capabilities, FoundServer, ServedModel } from './found-server.ts'
import { type KeptCapabilities, keptCapabilities } from './kept-capabilities.ts'

interface ServerQuery {
  url: string
  guess?: Preset // which server it is, where that is known
  sure?: boolean // the user has said so: nothing else is tried
  found?: boolean // nobody named it: it is not waited for
  keyName?: string // the variable of its key
}

interface Reply {
  status: number
  value: unknown // undefined: not JSON
}

type Get = (path: string, body?: object) => Promise<Reply>

const foundSeconds = 3 // of what was only found to listen, for everything that it is asked
const namedSeconds = 20
const maxBytes = 32_000_000 // of a list

// What listens at an address and which models it has; undefined: no server of models. A fault is a server that does not say.
export async function listServer(
  { url, guess, sure, found: isFound, keyName }: ServerQuery,
  host: Host,
): Promise<FoundServer | undefined> {
  const { base, shown, authorization } = readAddress('--model', url)
  const seconds = isFound ? foundSeconds : namedSeconds
  const deadline = withDeadline(seconds, host.signal, () => new Error(`nothing came within ${seconds} s`))
  const transport = openTransport(host.environment, { connectSeconds: seconds, stallSeconds: seconds, maxBytes })
  const key = keyName === undefined ? undefined : host.environment[keyName]?.trim()
  const get = async (from: URL, path: string, body?: object): Promise<Reply> => {
    const received = await transport.send(
      {
        method: body ? 'POST' : 'GET',
        url: below(from, path),
        headers: {
          accept: 'application/json',
          'accept-encoding': 'identity',
          'user-agent': 'longtake',
          ...guess?.headers,
          ...(authorization && { authorization }),
          ...(key && (guess?.keyHeader ? { [guess.keyHeader]: key } : { authorization: `Bearer ${key}` })),
          ...(body && { 'content-type': 'application/json' }),
        },
        ...(body && { body: Buffer.from(JSON.stringify(body)) }),
      },
      deadline.signal,
    )
    const chunks: Uint8Array[] = []
    for await (const chunk of received.body) chunks.push(chunk)
    return { status: received.status, value: jsonIn(Buffer.concat(chunks).toString('utf8')) }
  }
  const root = new URL(base)
  root.pathname = '/'
  const api = new URL(base)
  if (api.pathname === '/') api.pathname = '/v1'
  const capabilities = await keptCapabilities(host)
  const at: At = {
    fromRoot: (...asked) => get(root, ...asked),
    fromApi: (...asked) => get(api, ...asked),
    kept: capabilities,
  }
  const places = { root: asGiven(root, url), api: asGiven(api, url) }
  try {
    const listing =
      sure && guess ? await (dialects[guess.name] ?? ofProtocol)(at, guess) : await identified(at, guess ?? otherServer)
    if (!listing) return undefined
    await capabilities.save()
    const { preset, models, fault } = listing
    return {
      preset,
      url: preset.port !== undefined && preset.urlEnv ? places.root : places.api,
      models: models.map(withFamily),
      ...(fault !== undefined && { fault }),
    }
  } catch (error) {
    host.signal.throwIfAborted()
    throw new BackendError(
      `${guess?.title ?? 'The server'} at ${shown} does not answer: ${errorText(error).replace(/\.$/, '')}.`,
      {
        cause: error,
      },
    )
  } finally {
    deadline.clear()
    await transport.close()
  }
}

// With the name and password of the address, which every later request needs too.
function asGiven(place: URL, url: string): string {
  const { username, password } = new URL(url)
  return Object.assign(new URL(place), { username, password }).href.replace(/\/$/, '')
}

interface At {
  fromRoot: Get
  fromApi: Get
  kept: KeptCapabilities
}

interface Listed {
  preset: Preset
  models: ServedModel[]
  fault?: string
}

type Dialect = (at: At, preset: Preset) => Promise<Listed | undefined>

// Which server it is tells the request that only it answers: first that of the one that usually listens there. llama.cpp's server
// knows Ollama's list too. Any other server of the protocol counts as none of the presets.
async function identified(at: At, guess: Preset): Promise<Listed | undefined> {
  const asGuessed = await dialects[guess.name]?.(at, guess).catch(() => undefined)
  if (asGuessed) return asGuessed
  const special = await Promise.all(Object.values(dialects).map(dialect => dialect(at, guess).catch(() => undefined)))
  return special.find(found => found !== undefined) ?? ofProtocol(at, guess.local ? otherServer : guess)
}

const Tags = z.object({
  models: z
    .array(
      z.object({
        name: z.string(),
        digest: z.string().nullish(),
        remote_host: z.string().nullish(),
        details: z.object({ parameter_size: z.string().nullish() }).nullish(),
      }),
    )
    .nullable(),
})
const OllamaShow = z.object({
  capabilities: z.array(z.string()).nullish(),
  projector_info: z.unknown().optional(),
  remote_host: z.string().nullish(),
})

async function ollama({ fromRoot, kept }: At): Promise<Listed | undefined> {
  const tags = Tags.safeParse((await fromRoot('api/tags')).value)
  if (!tags.success) return undefined
  const models = await Promise.all(
    (tags.data.models ?? []).map(async ({ name, digest, details, remote_host }): Promise<ServedModel> => {
      const storedCapabilities = digest ? kept.get(digest) : undefined
      const can = storedCapabilities ?? (await ollamaShows(fromRoot, name).catch(() => undefined))
      if (digest && can && !storedCapabilities) kept.set(digest, can)
      const size = sizeIn(details?.parameter_size ?? '') ?? sizeIn(name)
      const elsewhere = Boolean(remote_host) || /[:-]cloud$/.test(name)
      return { name, ...can, ...(size && { size }), ...(digest && { digest }), ...(elsewhere && { elsewhere }) }
    }),
  )
  return { preset: presetNamed('ollama')!, models }
}

// Undefined if an old version does not say; then the name of the family tells.
async function ollamaShows(ask: Get, model: string): Promise<Capabilities | undefined> {
  const reply = OllamaShow.safeParse((await ask('api/show', { model })).value)
  const list = reply.data?.capabilities
  if (!list) return reply.data?.projector_info ? { sees: true } : undefined
  return {
    chats: list.includes('completion'),
    sees: list.includes('vision'),
    hears: list.includes('audio'),
    callsTools: list.includes('tools'),
    thinks: list.includes('thinking'),
    embeds: list.includes('embedding'),
  }
}

const Props = z.object({
  default_generation_settings: z.unknown(),
  modalities: z.object({ vision: z.boolean().optional(), audio: z.boolean().optional() }).optional(),
  chat_template: z.string().optional(),
  chat_template_caps: z.record(z.string(), z.unknown()).optional(),
})

async function llamaCpp(at: At): Promise<Listed | undefined> {
  const props = Props.safeParse((await at.fromRoot('props')).value)
  if (!props.success || props.data.default_generation_settings === undefined) return undefined
  const preset = presetNamed('llama-cpp')!
  const listed = await ofProtocol(at, preset)
  const { modalities, chat_template: template, chat_template_caps: caps } = props.data
  const calls = caps?.supports_tools ?? (template === undefined ? undefined : /\btools\b/.test(template))
  const can = {
    ...(modalities && { sees: modalities.vision ?? false, hears: modalities.audio ?? false }),
    ...(typeof calls === 'boolean' && { callsTools: calls }),
  }
  return listed && { ...listed, preset, models: listed.models.map(model => ({ ...model, ...can })) }
}

const LmStudioList = z.object({
  data: z.array(
    z.object({
      id: z.string(),
      type: z.enum(['llm', 'vlm', 'embeddings']).or(z.string()),
      capabilities: z.array(z.string()).nullish(),
    }),
  ),
})

async function lmStudio({ fromRoot }: At): Promise<Listed | undefined> {
  const list = LmStudioList.safeParse((await fromRoot('api/v0/models')).value)
  if (!list.success) return undefined
  const models = list.data.data.map(({ id, type, capabilities }) => ({
    name: id,
    chats: type === 'llm' || type === 'vlm',
    sees: type === 'vlm',
    embeds: type === 'embeddings',
    ...(capabilities && { callsTools: capabilities.includes('tool_use') }),
  }))
  return { preset: presetNamed('lmstudio')!, models }
}

const Models = modelList(
  ListedModel.extend({
    architecture: z
      .object({ input_modalities: z.array(z.string()), output_modalities: z.array(z.string()).nullish() })
      .nullish()
      .catch(null),
    supported_parameters: z.array(z.string()).nullish().catch(null),
  }),
)

// The list of the OpenAI protocol; OpenRouter's says what each model takes.
async function ofProtocol({ fromApi }: At, preset: Preset): Promise<Listed | undefined> {
  const { status, value } = await fromApi('models')
  const isKeyRefused = status === 400 && /API.?key/i.test(JSON.stringify(value) ?? '') // Gemini's way
  const refused = (status === 401 || status === 403 || isKeyRefused) && value !== undefined
  if (refused) return { preset, models: [], fault: `it refuses the list of its models (status ${status})` }
  const list = Models.safeParse(value)
  if (status > 299 || !list.success) return undefined
  const rows = list.data.flatMap(row => {
    const name = (row.id ?? row.model ?? row.name ?? '').replace(/^models\//, '')
    return name === '' ? [] : [{ ...row, name }]
  })
  const isVllm = preset.local && rows.length > 0 && rows.every(row => row.owned_by === 'vllm')
  const models = rows.map(({ name, architecture, supported_parameters: takes }) => ({
    name,
    ...(architecture && {
      sees: architecture.input_modalities.includes('image'),
      hears: architecture.input_modalities.includes('audio'),
      chats: architecture.output_modalities?.includes('text') ?? true,
    }),
    ...(takes && { callsTools: takes.includes('tools'), thinks: takes.includes('reasoning') }),
  }))
  return { preset: isVllm ? presetNamed('vllm')! : preset, models }
}

// By the names of their presets, those first that only one server speaks.
const dialects: Readonly<Record<string, Dialect>> = { 'llama-cpp': llamaCpp, lmstudio: lmStudio, ollama }

// What the server does not say, the family of the name does.
function withFamily(model: ServedModel): ServedModel {
  const { name: _, kind, hosted, ...facts } = findModelFamily(model.name) ?? {}
  const size = model.size ?? sizeIn(model.name)
  return {
    ...(kind && { chats: kind === 'chat', embeds: kind === 'embeds', transcribes: kind === 'transcribes' }),
    ...facts,
    ...(hosted && { elsewhere: true }),
    ...(size && { size }),
    ...model,
  }
}

// "8.8B", "qwen3-vl:30b-a3b": billions of parameters.
function sizeIn(text: string): number | undefined {
  const match = /(?<![\w.])(?:\d+x|e)?(\d+(?:\.\d+)?)([bm])(?![a-z0-9])/i.exec(text)
  if (!match?.[1]) return undefined
  return Number(match[1]) / (match[2]?.toLowerCase() === 'm' ? 1000 : 1)
}

function jsonIn(text: string): unknown {
  try {
    return shallowJson(text)
  } catch {
    return undefined
  }
}
