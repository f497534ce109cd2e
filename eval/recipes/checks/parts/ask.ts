import { z } from 'zod'
import { type ChatModel, type ChatRequest, textContent } from '../../../../src/core/chat.ts'
import { BackendError } from '../../../../src/core/errors.ts'
import { longRowLine } from '../../../../src/core/evidence.ts'
import { parseJsonText } from '../../../../src/core/json.ts'
import { dataRule, fence } from '../../../../src/core/words/fence.ts'
import { explainFirstIssue } from '../../../data/parse-record.ts'
import type { SourceRow } from '../../item.ts'

interface JsonRequest<Value> {
  name: string
  schema: z.ZodType<Value>
  text: string
}

const tries = 3
const longest = 8000 // characters of a row: a page of a script is one

// A reply of this form. A reply of another form is told its fault and asked for again, twice; then there is no value.
export async function askJson<Value>(
  model: ChatModel,
  { name, schema, text: wanted }: JsonRequest<Value>,
  signal: AbortSignal,
): Promise<{ value?: Value; replies: (string | null)[] }> {
  const messages: ChatRequest['messages'] = [
    { role: 'user', content: textContent(`${wanted}\n\nReply with only JSON.`) },
  ]
  const replies: (string | null)[] = []
  const request = {
    purpose: 'check',
    schema: { name, schema: z.toJSONSchema(schema) },
    temperature: 0,
    maxTokens: 512,
  } as const
  for (let at = 0; at < tries; at++) {
    const replyText = await askForText(model, { ...request, messages: [...messages] }, signal)
    replies.push(replyText)
    const parsed = schema.safeParse(replyText === null ? undefined : jsonOrNothing(replyText))
    if (parsed.success) return { value: parsed.data, replies }
    const fault = `The reply was not as asked: ${explainFirstIssue(parsed.error, 'reply')}. Reply again.`
    messages.push(
      { role: 'assistant', content: textContent(replyText ?? '') },
      { role: 'user', content: textContent(fault) },
    )
  }
  return { replies }
}

// What a model says; null if it runs and says nothing usable. That a server cannot be reached is not a reply of its model.
export async function askForText(model: ChatModel, request: ChatRequest, signal: AbortSignal): Promise<string | null> {
  try {
    const { text: said, stop } = await model.reply(request, signal)
    return stop === 'refused' || said.trim() === '' ? null : said
  } catch (error) {
    if (error instanceof BackendError && error.reason !== undefined) return null
    throw error
  }
}

// Rows as a model reads them, fenced: what is read and heard in a video is data.
export function rowsText(rows: readonly SourceRow[]): string {
  return `${dataRule}\n${fence('rows', rows.map(row => longRowLine(row, longest)).join('\n'))}`
}

export function jsonOrNothing(said: string): unknown {
  try {
    return parseJsonText(said)
  } catch {
    return undefined
  }
}
