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
  const parsed = operation.input.strict().safeParse(given)
  if (parsed.success) return operation.run(parsed.data, memory)
  const { path, message } = firstZodIssue(parsed.error)
  const fields = Object.keys(operation.input.shape).join(', ')
  throw new Refused('usage', `${path.length > 0 ? `"${path.join('.')}": ` : ''}${message}.`, `It takes: ${fields}.`)
}

// As a model reads it: each word once, those of videos in a fence.
export function replyText({ head, lines, next }: Omit<OperationReply, 'pictures' | 'sound'>): string {
  return [head, ...(lines.length > 0 ? [fence('video', lines.join('\n'))] : []), ...(next ? [next] : [])].join('\n')
}
