import type { Job } from '../../../../src/core/api/job.ts'
import type { AnswerEnd, AnswerEvent, AnsweredJob } from './answer-events.ts'
import { type Link, messageItem, outputItemId, reasoningItem, responseOf, responseOutput } from './response-object.ts'

type StreamEvent = { type: string } & Record<string, unknown>

// The events of a streamed response: what happens as the summary of its reasoning, then the checked answer as its one message. They
// are the same whenever they are read, so that a client goes on after the last number that it saw.
export async function* responseEvents(
  told: AsyncIterable<AnswerEvent>,
  job: Job,
  link: Link,
): AsyncGenerator<StreamEvent & { sequence_number: number }> {
  let sequence = 0
  for await (const event of unnumbered(told, job, link)) yield { ...event, sequence_number: sequence++ }
}

async function* unnumbered(told: AsyncIterable<AnswerEvent>, job: Job, link: Link): AsyncGenerator<StreamEvent> {
  const begun = responseOf({ ...job, state: 'running' }, link)
  yield { type: 'response.created', response: begun }
  yield { type: 'response.in_progress', response: begun }
  const reasoning = { item_id: outputItemId('rs', job.id), output_index: 0, summary_index: 0 }
  yield { type: 'response.output_item.added', output_index: 0, item: reasoningItem(job.id, '') }
  yield { type: 'response.reasoning_summary_part.added', ...reasoning, part: { type: 'summary_text', text: '' } }
  let text = ''
  for await (const event of told) {
    if (event.kind === 'thought') {
      text += event.text
      const longtake = { event: event.event }
      yield { type: 'response.reasoning_summary_text.delta', ...reasoning, delta: event.text, longtake }
      continue
    }
    yield { type: 'response.reasoning_summary_text.done', ...reasoning, text }
    yield { type: 'response.reasoning_summary_part.done', ...reasoning, part: { type: 'summary_text', text } }
    yield { type: 'response.output_item.done', output_index: 0, item: reasoningItem(job.id, text) }
    if (event.kind === 'answered') yield* message(event.job, link)
    yield closing(event, link, text)
  }
}

function* message(job: AnsweredJob, link: Link): Generator<StreamEvent> {
  const item = messageItem(job, link)
  const { pieces, text, annotations } = responseOutput(job, link)
  const at = { item_id: item.id, output_index: 1, content_index: 0 }
  const textPart = { type: 'output_text', text: '', annotations: [], logprobs: [] }
  yield { type: 'response.output_item.added', output_index: 1, item: { ...item, status: 'in_progress', content: [] } }
  yield { type: 'response.content_part.added', ...at, part: textPart }
  for (const delta of pieces) yield { type: 'response.output_text.delta', ...at, delta, logprobs: [] }
  for (const [index, annotation] of annotations.entries())
    yield { type: 'response.output_text.annotation.added', ...at, annotation_index: index, annotation }
  yield { type: 'response.output_text.done', ...at, text, logprobs: [] }
  yield { type: 'response.content_part.done', ...at, part: { ...textPart, text, annotations } }
  yield { type: 'response.output_item.done', output_index: 1, item }
}

function closing(end: AnswerEnd, link: Link, reasoning: string): StreamEvent {
  const response = responseOf(end.job, link, { reasoning, end }) as { status: string }
  const { status } = response
  const type = status === 'completed' || status === 'failed' ? status : 'incomplete' // a cancelled one is cut short
  return { type: `response.${type}`, response }
}
