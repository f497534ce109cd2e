import { z } from 'zod'
import { Refused } from '../../core/api/problem.ts'
import { firstZodIssue } from '../../core/errors.ts'
import type { Operation, VideoMemory } from '../../core/operation.ts'
import type { OperationReply } from '../../core/operation-reply.ts'
import { fence } from '../../core/words/fence.ts'
import { findOperation } from './find.ts'
import { hearOperation } from './hear.ts'
import { overviewOperation } from './overview.ts'
import { readOperation } from './read.ts'
import { verifyOperation } from './verify.ts'
import { viewOperation } from './view.ts'

const maxQuoted = 60 // characters of a value

// In the order in which a host is shown them.
export const operations: readonly Operation[] = [
  overviewOperation,
  findOperation,
  readOperation,
  viewOperation,
  hearOperation,
  verifyOperation,
] as readonly Operation[]

export function listOperations(): { name: string; description: string; input: Record<string, unknown> }[] {
  return operations.map(({ name, description, input }) => ({
    ...{ name, description },
    input: z.toJSONSchema(input, { io: 'input' }),
  }))
}

export async function callOperation(name: string, given: unknown, memory: VideoMemory): Promise<OperationReply> {
  const operation = operations.find(one => one.name === name)
  if (!operation)
    throw new Refused('unknown', `There is no tool ${JSON.stringify(name)}.`, 'GET /api/tools lists them.')
  return operation.run(readInput(operation.input, given), memory)
}

// What a call is given, or a refusal that names the value.
export function readInput<Input extends z.ZodObject>(input: Input, given: unknown): z.output<Input> {
  const parsed = input.strict().safeParse(given ?? {})
  if (parsed.success) return parsed.data as z.output<Input>
  const { path, message } = firstZodIssue(parsed.error)
  const value = path.reduce<unknown>((inner, key) => (inner as Record<PropertyKey, unknown> | undefined)?.[key], given)
  const named = value === undefined ? 'is missing' : `is ${clip(JSON.stringify(value), maxQuoted)}`
  const fields = Object.keys(input.shape).join(', ')
  throw new Refused(
    'usage',
    `${path.length > 0 ? `"${path.join('.')}" ${named}. ` : ''}${message}.`,
    `It takes: ${fields}.`,
  )
}

function clip(text: string, max: number): string {
  return text.length > max ? `${text.slice(0, max)}...` : text
}

// As a model reads it: each word once, those of videos in a fence.
export function replyText({ head, lines, next }: Omit<OperationReply, 'pictures' | 'sound'>): string {
  return [head, ...(lines.length > 0 ? [fence('video', lines.join('\n'))] : []), ...(next ? [next] : [])].join('\n')
}
