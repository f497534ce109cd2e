import { z } from 'zod'
import type { Host, ModelNeed, ModelServer } from '../../src/core/backend.ts'
import { nearest, UsageError } from '../../src/core/errors.ts'
import { oneTry, requestLimits } from './limits.ts'
import { readReplyJson } from './read-json.ts'
import { openServer, type RequestAttempt, type Server } from './server.ts'
import { ServerError, type ServerErrorDetails } from './server-error.ts'

// Settings shared by all backends of OpenAI-compatible servers: vLLM, llama.cpp's server, hosted ones.
export const openaiSettings = {
  url: z.string().default('http://127.0.0.1:8000/v1').describe('base URL of the server; without a path, /v1 is added'),
  apiKeyEnv: z.string().optional().describe('environment variable that holds the key; the key itself is never stored'),
  limits: requestLimits,
}

type OpenaiSettings = z.infer<z.ZodObject<typeof openaiSettings>>

export const openaiServer: ModelServer = {
  name: 'the server',
  async models({ url, apiKeyEnv, path }, host) {
    const key = typeof apiKeyEnv === 'string' ? apiKeyEnv : undefined
    const address = openaiSettings.url.parse(typeof url === 'string' ? url : undefined)
    const server = openOpenai('openai', { url: address, apiKeyEnv: key, limits: oneTry() }, host)
    try {
      return await server.call(host.signal, servedModels)
    } catch (error) {
      // A plain whisper.cpp server has no list of models.
      if (path !== undefined && error instanceof ServerError && error.details.status === 404) return undefined
      throw error
    } finally {
      await server.close()
    }
  },
}

export function openOpenai(name: string, settings: OpenaiSettings, host: Host, root: '/v1' | '' = '/v1'): Server {
  const url = URL.canParse(settings.url) ? apiBase(settings.url, root) : settings.url
  const key = settings.apiKeyEnv ? host.environment[settings.apiKeyEnv]?.trim() : undefined
  const port = URL.canParse(url) ? new URL(url).port || '80' : '8000'
  const start = `Start the server there ("vllm serve MODEL --port ${port}" or "llama-server -m MODEL.gguf --port ${port}"), or set the url of the one that runs.`
  return openServer({ name, url, limits: settings.limits, key, start, explain: explainOpenaiError }, host)
}

// Users often copy the address of one endpoint; the base is what precedes it.
const endpoint = /\/(chat\/completions|completions|embeddings|models|audio\/transcriptions|audio\/translations)\/*$/

function apiBase(url: string, root: string): string {
  const base = new URL(url)
  base.pathname = base.pathname.replace(endpoint, '') || '/'
  if (base.pathname === '/') base.pathname = root
  return base.href
}

// The key must be set before the first request.
export function keyNeed(settings: OpenaiSettings): ModelNeed[] {
  const { apiKeyEnv } = settings
  if (!apiKeyEnv) return []
  return [
    {
      name: `a key in the environment variable ${apiKeyEnv}`,
      met: async host => Boolean(host.environment[apiKeyEnv]?.trim()),
      mend: `export ${apiKeyEnv}=YOUR_KEY`,
    },
  ]
}

// The models that the server lists.
async function servedModels(asking: RequestAttempt): Promise<string[]> {
  return readReplyJson(await asking.get('models'), ModelNames)
}

export const ListedModel = z.object({
  id: z.string().nullish(),
  name: z.string().nullish(),
  model: z.string().nullish(),
  owned_by: z.string().nullish(),
})

// By the protocol under "data", which some servers set to null if empty; under "models" or a bare array from others.
export function modelList<Model>(model: z.ZodType<Model>): z.ZodType<Model[]> {
  return z.union([
    z.object({ data: z.array(model).nullable() }).transform(({ data }) => data ?? []),
    z.object({ models: z.array(model) }).transform(({ models }) => models),
    z.array(model),
  ])
}

const ModelNames = modelList(
  ListedModel.transform(({ id, name, model }) => id ?? model ?? name ?? '').refine(
    name => name !== '',
    'a model without a name',
  ),
)

// The configured model, otherwise the only one that the server has.
export async function resolveModel(server: Server, model: string | undefined, signal: AbortSignal): Promise<string> {
  if (model) return model
  const served = await server.call(signal, servedModels)
  const [only, second] = served
  if (only && !second) return only
  throw new UsageError(`${server.name}: "model" is not set, and ${server.shown} has ${served.length} models.`, {
    hint: only ? `Set model to one of them: ${served.join(', ')}.` : 'It has none yet: load one there.',
  })
}

// Adds the server's models to the error of an unknown model.
export async function namingModels<T>(asking: RequestAttempt, model: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (!(error instanceof ServerError) || !isUnknownModel(error.details)) throw error
    const names = await servedModels(asking).catch((): string[] => []) // the list only improves the hint
    if (names.length === 0 || names.includes(model)) throw error
    const near = nearest(model, names)
    const hint = `${near ? `Did you mean "${near}"? ` : ''}The server has: ${names.slice(0, 20).join(', ')}.`
    throw new ServerError(error.message, { ...error.details, hint })
  }
}

// LiteLLM's proxy and llama.cpp's with several models refuse with 400.
function isUnknownModel({ status, said = '' }: ServerErrorDetails): boolean {
  return status === 404 || (status === 400 && /invalid model name|\bmodel\b.{0,200}\bnot found/i.test(said))
}

export function explainOpenaiError(
  _status: number,
  said: string,
  code: string,
): Partial<ServerErrorDetails> | undefined {
  return isOverflow(said, code) ? overflow : explanations.find(([pattern]) => pattern.test(said))?.[1]
}

const final = { retry: 'no', unhealthy: false } as const
const overflow: Partial<ServerErrorDetails> = {
  ...final,
  reason: 'context-overflow',
  hint: 'Ask with less, or start the server with more context (vLLM: --max-model-len, llama.cpp: -c).',
}
const explanations: [RegExp, Partial<ServerErrorDetails>][] = [
  [
    /tool.?choice.*requires|enable-auto-tool-choice/i,
    { hint: 'Start vLLM with --enable-auto-tool-choice --tool-call-parser NAME, or set toolMode to "schema".' },
  ],
  [
    /input is too large to process|physical batch size/i,
    {
      ...final,
      hint: 'Start llama-server with a larger -ub (and -b), or set "longest" lower, so that each text is shorter.',
    },
  ],
  [
    /no connected db/i,
    { hint: "LiteLLM's proxy without a database knows only its master key: check the variable that apiKeyEnv names." },
  ],
  [/jinja/i, { hint: 'Start llama-server with --jinja, or set toolMode to "schema".' }],
  [
    /at most \d+ (image|audio)|limit.mm.per.prompt/i,
    { hint: 'Start vLLM with --limit-mm-per-prompt (for example image=32), or show fewer pictures.' },
  ],
  [
    /mmproj|image input is not supported|not a multimodal|image_url.{0,200}not supported|audio input is not supported/i,
    { ...final, hint: 'This model takes only text: use one with vision or hearing (llama.cpp: --mmproj FILE).' },
  ],
]

// Whether the prompt was too long, as worded by vLLM, llama.cpp, SGLang, LM Studio and hosted servers.
function isOverflow(said: string, code: string): boolean {
  return (
    /context_length_exceeded|exceed_context_size/i.test(code) ||
    /maximum context length|exceeds? the (available )?context|context (size|length|window).{0,20}exceed|exceed.{0,30}context (size|length|window)|longer than the (maximum )?(model|context) length|prompt is too long|input is too long|input length .{0,40}exceed|max_tokens must be at least 1, got -/i.test(
      said,
    )
  )
}
