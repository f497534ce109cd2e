import { ServerError } from '../../http/server-error.ts'

// Optional request fields. Some servers are stricter than the protocol and refuse fields they do not know.
const optional = [
  'stream_options',
  'seed',
  'temperature',
  'tool_choice',
  'max_tokens',
  'reasoning_effort',
  'chat_template_kwargs',
]

const thinking = /^(reasoning_effort|chat_template_kwargs)$/

// Learns from a server's refusals which fields to omit from later requests; reports each once.
export class RefusedFields {
  readonly #refused = new Set<string>()
  #leastEffort = 'minimal'
  readonly #say: (line: string) => void

  constructor(say: (line: string) => void) {
    this.#say = say
  }

  without(body: object): object {
    const allowed = Object.entries(body).filter(([field]) => !this.#refused.has(field))
    const limit = (body as { max_tokens?: number }).max_tokens
    const renamed = this.#refused.has('max_tokens') && limit !== undefined ? [['max_completion_tokens', limit]] : []
    const whole = Object.fromEntries([...allowed, ...renamed])
    return whole.reasoning_effort === 'minimal' ? { ...whole, reasoning_effort: this.#leastEffort } : whole
  }

  // Whether a request without one of these fields may succeed.
  learns(error: unknown, sent: object): boolean {
    if (!(error instanceof ServerError) || error.reason) return false
    const { status = 0, said = '' } = error.details
    if (status !== 400 && status !== 422) return false
    const effort =
      'reasoning_effort' in sent && sent.reasoning_effort === 'minimal' ? insteadOfMinimal(said) : undefined
    if (effort) {
      this.#leastEffort = effort
      return true
    }
    const field = optional.find(name => name in sent && refuses(said, name))
    if (!field) return false
    if (this.#refused.has(field)) return true // a concurrent request has learnt it
    this.#refused.add(field)
    this.#say(
      field === 'max_tokens'
        ? `The server takes no "max_tokens" (${said}); it is told "max_completion_tokens".`
        : `The server takes no "${field}" (${said}); it is asked without.`,
    )
    return true
  }
}

// Some know only other efforts: GPT-5.1 and later none, o3 low, which they name; Gemini 3.1 Pro low, which it does not.
function insteadOfMinimal(said: string): string | undefined {
  if (!/minimal|reasoning/i.test(said)) return undefined
  return /\bnone\b/i.test(said) ? 'none' : /\blow\b|\bminimal\b/i.test(said) ? 'low' : undefined
}

function refuses(said: string, field: string): boolean {
  if (thinking.test(field) && /think|reasoning|chat.?template/i.test(said)) return true
  if (!new RegExp(`\\b${field}\\b`).test(said)) return false
  if (field === 'max_tokens') return said.includes('max_completion_tokens')
  return /not (support|permit|allow)|n't support|unsupported|only the default|extra|forbidden|unknown|unrecogni[sz]ed|unexpected/i.test(
    said,
  )
}
