import type { z } from 'zod'
import { errorText } from '../../src/core/errors.ts'
import { shallowJson } from '../../src/core/json.ts'
import { explainReplyIssue } from '../explain-issue.ts'
import type { ServerReply } from './server.ts'

// Reads the whole body as text; invalid UTF-8, an empty body and a web page are errors.
export async function readReplyText(reply: ServerReply): Promise<string> {
  const chunks: Uint8Array[] = []
  for await (const chunk of reply.body) chunks.push(chunk)
  let text: string
  try {
    text = new TextDecoder('utf-8', { fatal: true }).decode(Buffer.concat(chunks))
  } catch (cause) {
    throw reply.error('answered with bytes that are not UTF-8.', { retry: 'once', cause })
  }
  if (text.trim() === '') throw reply.error('answered with an empty body.', { retry: 'once' })
  if (reply.type === 'text/html' || /^\s*<(!doctype|html)/i.test(text)) {
    const hint = 'Something else listens there, or the path is wrong: check the URL (it mostly ends in /v1).'
    throw reply.error('answered with a web page.', { retry: 'no', hint })
  }
  return text
}

// Reads the body as JSON of the given shape.
export async function readReplyJson<T>(reply: ServerReply, shape: z.ZodType<T>): Promise<T> {
  const text = await readReplyText(reply)
  const value = parseReply(reply, text)
  if (isErrorReply(value)) throw reply.refusal(value)
  return checkReply(reply, value, shape)
}

// Many servers send errors with status 200.
export function isErrorReply(value: unknown): boolean {
  if (Array.isArray(value)) return isErrorReply(value[0])
  if (!value || typeof value !== 'object') return false
  const { error, object } = value as { error?: unknown; object?: unknown }
  return Boolean(error) || object === 'error'
}

export function parseReply(reply: ServerReply, text: string): unknown {
  try {
    return shallowJson(text)
  } catch (cause) {
    throw reply.error(`answered with something that is not JSON: ${sample(text)}`, { retry: 'once', cause })
  }
}

export function checkReply<T>(reply: ServerReply, value: unknown, shape: z.ZodType<T>): T {
  const result = shape.safeParse(value)
  if (result.success) return result.data
  throw reply.error(
    `answered in an unknown form (${explainReplyIssue(result.error, 'the reply')}): ${sample(JSON.stringify(value))}`,
    {
      retry: 'once',
      hint: 'Is it a server of this protocol? Check the URL.',
      cause: errorText(result.error),
    },
  )
}

// The beginning of a text, for messages.
export function sample(text: string): string {
  const line = text.replace(/[\s\u0000-\u001f\u007f-\u009f]+/g, ' ').trim()
  return line.length > 120 ? `"${line.slice(0, 120)}…"` : `"${line}"`
}
