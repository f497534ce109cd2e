import { z } from 'zod'
import {
  type ChatModel,
  type ChatReply,
  type ChatRequest,
  type ContentPart,
  type Price,
  textContent,
} from '../../src/core/chat.ts'
import { contentHash } from '../../src/core/json.ts'
import { explainFirstIssue } from '../data/parse-record.ts'
import { jsonOrNothing } from './checks/parts/ask.ts'
import type { PictureWork } from './checks/parts/pictures.ts'
import type { DraftItem, MakeRole } from './item.ts'

// A model of a making: its calls are kept in made/calls.
export interface MadeModel {
  id: string
  chat: ChatModel
  identity: unknown // backend and settings, by which its calls are known again
  price?: Price
  ask(request: ChatRequest, signal: AbortSignal): Promise<{ id: string; reply: ChatReply }>
}

export type MadeModels = Record<MakeRole, MadeModel[]>

// Who writes drafts: the rules of a recipe, or a chat model.
export type Author = { by: 'rules' } | { by: string; model: MadeModel; seed: number; signal: AbortSignal }

// The model that fills the role of a stage, else the rules.
export function openAuthor(
  { role = 'author', over }: { role?: MakeRole; over?: MakeRole },
  models: MadeModels,
  seed: number,
  signal: AbortSignal,
): Author {
  const [model] = over && models[over].length === 0 ? [] : models[role]
  return model ? { by: model.id, model, seed, signal } : { by: 'rules' }
}

interface AuthorReply<Value> {
  calls: string[] // files of made/calls
  tries: number
  value?: Value
  fault?: string // of the last reply, where none could be used
  partial?: Value // the last reply of the form where all had another fault
}

// Why a unit has no output. `none`: the source holds nothing for it, and nothing was drafted.
export type Unmade = { rejected: { check: string; detail: string } } | { none: string }

// One unit's result; without calls and tries where nobody was asked.
export type UnitResult<Output = DraftItem> = Partial<Pick<AuthorReply<unknown>, 'calls' | 'tries'>> &
  ({ output: Output } | Unmade)

export interface AuthorRequest<Value> {
  unit: string
  system: string
  prompt: string
  pictures?: PictureWork
  sounds?: readonly ContentPart[]
  turns?: ChatRequest['messages'] // of the same chat, before this one
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
  wanted: AuthorRequest<Value>,
): Promise<AuthorReply<Value>> {
  const { unit, system, prompt, pictures, sounds = [], turns = [], name, shape, temperature, maxTokens } = wanted
  const schema = { name, schema: z.toJSONSchema(shape) }
  const calls: string[] = []
  let fault: string | undefined
  let partial: Value | undefined
  for (let tries = 1; tries <= maxTries; tries++) {
    const again = fault === undefined ? '' : `\n\nYour last reply could not be used: ${fault}.`
    const { id, reply } = await model.ask(
      {
        purpose: pictures || sounds.length > 0 ? 'look' : 'write',
        messages: [
          { role: 'system', content: textContent(system) },
          ...turns,
          { role: 'user', content: [...(pictures?.images ?? []), ...sounds, ...textContent(`${prompt}${again}`)] },
        ],
        ...(pictures && { brief: pictures.brief }),
        schema,
        temperature,
        maxTokens,
        seed: Number.parseInt(contentHash([seed, unit, tries]).slice(0, 7), 16),
      },
      signal,
    )
    calls.push(id)
    const read = shape.safeParse(jsonOrNothing(reply.text))
    fault = read.success ? wanted.faultOf?.(read.data) : explainFirstIssue(read.error, 'the reply')
    if (read.success) partial = read.data
    if (read.success && fault === undefined) return { calls, tries, value: read.data }
  }
  return { calls, tries: maxTries, fault, ...(partial !== undefined && { partial }) }
}

// What a model writes, as the result of a unit; rejected where no reply of it could be used.
export async function writtenBy<Value, Output>(
  author: Author,
  wanted: AuthorRequest<Value>,
  outputOf: (value: Value) => Output,
): Promise<UnitResult<Output>> {
  if (!('model' in author)) return { none: 'no model writes it' }
  const { value, fault, partial: _, ...asked } = await askAuthor(author, wanted)
  if (value === undefined) return { ...asked, rejected: { check: 'reply', detail: fault ?? 'no reply' } }
  return { ...asked, output: outputOf(value) }
}
