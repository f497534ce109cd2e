import { z } from 'zod'
import { AskLimits } from '../../../../src/core/api/job.ts'
import { readAnswerFormat } from './answer-json.ts'
import { ModelError } from './errors.ts'

// Where the form of a request is written down.
export const formHint = 'See "As a model" in docs/server.md.'

export const maxModelBody = 32_000_000 // bytes: a video may be in it

const text = z.string().max(20_000)

// What both protocols may say besides the messages.
export const Own = z.looseObject({
  model: text,
  stream: z.boolean().nullish(),
  video_id: text.nullish(),
  metadata: z.record(z.string(), z.unknown()).nullish(),
  options: z.array(text.min(1)).min(2).max(100).nullish(),
  longtake: z.strictObject({ budget: AskLimits.optional(), graph: text.optional() }).nullish(),
})
export type Own = z.infer<typeof Own>

const used = ['model', 'messages', 'input', 'stream', 'stream_options', 'video_id', 'metadata', 'options', 'longtake']
const ofResponses = ['previous_response_id', 'background', 'store']
const harmless = [
  'n',
  'logprobs',
  'tools',
  'tool_choice',
  'parallel_tool_calls',
  'modalities',
  'response_format',
  'text',
]

// What a request asks for that an answer would not have: it is refused, and the hint says what to do instead.
export function refuseUnsupported(body: Record<string, unknown>): void {
  const refuse = (param: string, message: string, hint: string): never => {
    throw new ModelError(400, 'unsupported_parameter', message, { param, hint })
  }
  if (isFilled(body.functions)) refuse('functions', 'Functions are not called by this model.', useMcp)
  if (typeof body.n === 'number' && body.n > 1) refuse('n', 'There is one answer to a question.', 'Leave "n" out.')
  if (body.logprobs === true || Number(body.top_logprobs ?? 0) > 0)
    refuse('logprobs', 'An answer has no token probabilities.', 'Its confidence is in longtake.confidence.')
  const modalities = Array.isArray(body.modalities) ? body.modalities : []
  if (isFilled(body.audio) || modalities.includes('audio'))
    refuse('audio', 'Answers are text.', 'Leave "audio" and "modalities" out.')
  readAnswerFormat(body)
}

const useMcp = 'A model that calls tools can use longtake over MCP: longtake mcp.'

// Tools of the client. This agent has its own; a client that leaves the choice to the model is told so where it must say them.
export function refuseTools({ tools, tool_choice: choice }: Record<string, unknown>, mayHave: boolean): void {
  const free = choice === undefined || choice === null || choice === 'auto' || choice === 'none'
  if (!isFilled(tools) || (mayHave && free)) return
  throw new ModelError(400, 'unsupported_parameter', 'Tools of a client are not called by this model.', {
    param: 'tools',
    hint: useMcp,
  })
}

// The parameters that change nothing, by name.
export function unusedIn(body: Record<string, unknown>): string[] {
  const silent = new Set([...used, ...ofResponses, ...harmless])
  const names = Object.keys(body).filter(name => !silent.has(name) && isFilled(body[name]))
  const unused = [...names, ...(isFilled(body.tools) ? ['tools'] : [])].map(name => `"${name}" is not used.`)
  return body.store === false ? [...unused, '"store" is not used: every run is kept.'] : unused
}

function isFilled(value: unknown): boolean {
  if (value === undefined || value === null) return false
  if (Array.isArray(value)) return value.length > 0
  return typeof value === 'object' ? Object.keys(value).length > 0 : true
}
