import { z } from 'zod'
import { formatMoment } from '../../../../src/core/time.ts'
import type { AnsweredJob } from './answer-events.ts'
import { ModelError } from './errors.ts'
import { optionLetter } from './lettered-options.ts'

// What an answer can fill of a schema.
const fields = ['answer', 'citations', 'choice', 'confidence', 'abstained'] as const
type Field = (typeof fields)[number]

export interface AnswerFormat {
  fields: Field[]
  isListOfTexts: boolean // citations
}

const Property = z.looseObject({
  type: z.unknown().optional(),
  items: z.looseObject({ type: z.unknown().optional() }).optional(),
})
const Schema = z.looseObject({ properties: z.record(z.string(), Property) })
const Format = z.looseObject({
  type: z.string(),
  schema: Schema.optional(), // of /v1/responses
  json_schema: z.looseObject({ schema: Schema }).optional(), // of /v1/chat/completions
})

// The form of answer that a request asks for; undefined: prose with citations.
export function readAnswerFormat(body: Record<string, unknown>): AnswerFormat | undefined {
  const formatWish = body.response_format ?? (body.text as { format?: unknown } | null | undefined)?.format
  if (formatWish === undefined || formatWish === null) return undefined
  const format = Format.safeParse(formatWish).data
  if (format?.type === 'text') return undefined
  if (format?.type === 'json_object') return { fields: [...fields], isListOfTexts: false }
  const properties = (format?.json_schema?.schema ?? format?.schema)?.properties
  const named = Object.keys(properties ?? {})
  if (format?.type !== 'json_schema' || !properties || named.some(name => !fields.includes(name as Field)))
    throw new ModelError(400, 'unsupported_parameter', 'An answer cannot fill this form.', {
      param: 'response_format',
      hint: `Ask for an object with some of: ${fields.join(', ')}.`,
    })
  return { fields: named as Field[], isListOfTexts: properties.citations?.items?.type === 'string' }
}

// The answer as that object.
export function answerJson({ answer }: AnsweredJob, { fields, isListOfTexts }: AnswerFormat): string {
  const { answer: said, evidence, question } = answer
  const { text, choice, confidence, abstained } = said
  const cited = new Set(said.sentences.flatMap(({ cites }) => cites))
  const citations = evidence
    .filter(({ id }) => cited.has(id))
    .map(({ span, track, text }) =>
      isListOfTexts
        ? `${formatMoment(span.start)}-${formatMoment(span.end)} ${track}: ${text}`
        : { start: span.start, end: span.end, track, text },
    )
  const letter = choice === undefined || !question.options ? null : optionLetter(choice)
  const whole = { answer: text, citations, choice: letter, confidence, abstained }
  return JSON.stringify(Object.fromEntries(fields.map(name => [name, whole[name]])))
}
