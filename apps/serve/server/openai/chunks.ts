import { type AnswerEvent, type AnsweredJob, isCutShort } from './answer-events.ts'
import { type AnswerFormat, answerJson } from './answer-json.ts'
import { type AnswerContent, writeAnswerContent } from './content.ts'
import { type OpenAiError, refusalOfProblem } from './errors.ts'
import { optionLetter } from './lettered-options.ts'

// What an answer is told with.
export interface ReplyText {
  id: string
  model: string
  created: number // seconds
  notes: readonly string[]
  link: Parameters<typeof writeAnswerContent>[2]
  form?: AnswerForm
}

// How the request wants the text of the answer.
export interface AnswerForm {
  letters?: boolean // the choices were letters in its text: the answer is one of them
  json?: AnswerFormat
}

// The chunks of a stream. Reasoning may be taken back, content never: it is the checked answer.
export async function* streamChunks(
  told: AsyncIterable<AnswerEvent>,
  reply: ReplyText,
  withUsage: boolean,
): AsyncGenerator<object> {
  const { id, model, created } = reply
  const head = { id, object: 'chat.completion.chunk', created, model }
  const chunk = (delta: object, more: object = {}, finish: string | null = null) => ({
    ...head,
    choices: [{ index: 0, delta, finish_reason: finish, logprobs: null }],
    ...more,
  })
  yield chunk({ role: 'assistant', content: '' })
  for await (const event of told) {
    if (event.kind === 'thought') {
      const delta = event.text === '' ? {} : { reasoning_content: event.text }
      yield chunk(delta, { longtake: { event: event.event } })
    } else if (event.kind === 'failed') yield refusalOfProblem(event.error).body satisfies OpenAiError
    else {
      const { pieces, citations } = contentFor(event.job, reply)
      for (const piece of pieces) yield chunk({ content: piece })
      if (citations.length > 0) yield chunk({ annotations: citations.map(annotation) })
      yield chunk({}, { longtake: answerDetails(event.job, reply.notes) }, finishReason(event.job))
      if (withUsage) yield { ...head, choices: [], usage: chunkUsage(event.job) }
    }
  }
}

// The same, whole.
export function chatCompletion(job: AnsweredJob, reasoning: string, reply: ReplyText): object {
  const { id, model, created } = reply
  const { text, citations } = contentFor(job, reply)
  const message = {
    role: 'assistant',
    content: text,
    refusal: null,
    reasoning_content: reasoning,
    annotations: citations.map(annotation),
  }
  return {
    id,
    object: 'chat.completion',
    created,
    model,
    choices: [{ index: 0, message, finish_reason: finishReason(job), logprobs: null }],
    usage: chunkUsage(job),
    longtake: answerDetails(job, reply.notes),
  }
}

export function contentFor(job: AnsweredJob, { link, form }: Pick<ReplyText, 'link' | 'form'>): AnswerContent {
  const { answer, evidence } = job.answer
  const bare = (text: string) => ({ pieces: [text], text, citations: [] })
  if (form?.json) return bare(answerJson(job, form.json))
  if (form?.letters && answer.choice !== undefined) return bare(optionLetter(answer.choice))
  return writeAnswerContent(answer, evidence, link)
}

function annotation({ start, end, url, title }: ReturnType<typeof writeAnswerContent>['citations'][number]) {
  return { type: 'url_citation', url_citation: { start_index: start, end_index: end, url, title } }
}

function finishReason({ answer: { stop } }: AnsweredJob): 'stop' | 'length' {
  return isCutShort(stop) ? 'length' : 'stop'
}

function chunkUsage({ answer: { usage } }: AnsweredJob) {
  const { inputTokens, outputTokens } = usage
  return { prompt_tokens: inputTokens, completion_tokens: outputTokens, total_tokens: inputTokens + outputTokens }
}

// What an answer is beside its text.
export function answerDetails({ answer, run, id }: AnsweredJob, notes: readonly string[]) {
  const { answer: said, coverage, stop, usage, session } = answer
  const { confidence, choice, sentences, unknown = [], abstained, cause, mend, degraded } = said
  return {
    job: id,
    run,
    ...(session !== undefined && { session }),
    confidence,
    abstained,
    ...(cause && { cause, mend }),
    ...(choice !== undefined && { choice }),
    sentences,
    degraded,
    unknown,
    coverage,
    stop,
    usage,
    notes,
  }
}
