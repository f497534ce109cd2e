import { z } from 'zod'
import { text } from '../../../src/core/chat.ts'
import { contentHash } from '../../../src/core/json.ts'
import { jsonOrNothing } from '../checks/parts/ask.ts'
import type { MadeModel } from './roles.ts'

// Who writes drafts: the rules of a recipe, or a chat model.
export type Author = { by: 'rules' } | { by: string; model: MadeModel; seed: number; signal: AbortSignal }

export interface Asked<Value> {
  calls: string[] // files of made/calls
  tries: number
  value?: Value
  fault?: string // of the last reply, where none could be used
}

export interface Wanted<Value> {
  unit: string
  system: string
  prompt: string
  name: string
  shape: z.ZodType<Value>
  temperature: number
  maxTokens: number
  faultOf?(value: Value): string | undefined // what the schema cannot say
}

const maxTries = 3

// Asks for JSON of a closed schema. A reply that cannot be used is asked again twice, with one sentence that names its fault.
export async function askAuthor<Value>(
  { model, seed, signal }: Extract<Author, { model: MadeModel }>,
  wanted: Wanted<Value>,
): Promise<Asked<Value>> {
  const { unit, system, prompt, name, shape, temperature, maxTokens } = wanted
  const schema = { name, schema: z.toJSONSchema(shape) }
  const calls: string[] = []
  let fault: string | undefined
  for (let tries = 1; tries <= maxTries; tries++) {
    const again = fault === undefined ? '' : `\n\nYour last reply could not be used: ${fault}.`
    const { id, reply } = await model.ask(
      {
        purpose: 'write',
        messages: [
          { role: 'system', content: text(system) },
          { role: 'user', content: text(`${prompt}${again}`) },
        ],
        schema,
        temperature,
        maxTokens,
        seed: Number.parseInt(contentHash([seed, unit, tries]).slice(0, 7), 16),
      },
      signal,
    )
    calls.push(id)
    const read = shape.safeParse(jsonOrNothing(reply.text))
    fault = read.success ? wanted.faultOf?.(read.data) : issueOf(read.error)
    if (read.success && fault === undefined) return { calls, tries, value: read.data }
  }
  return { calls, tries: maxTries, fault }
}

function issueOf({ issues: [issue] }: z.ZodError): string {
  return `${issue?.path.join('.') || 'the reply'}: ${issue?.message}`
}
