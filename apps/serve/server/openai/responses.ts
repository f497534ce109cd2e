import { z } from 'zod'
import type { Job, Responded } from '../../../../src/core/api/job.ts'
import { isOver } from '../../../../src/core/api/job-state.ts'
import { contentHash } from '../../../../src/core/json.ts'
import { sessionAfter } from '../../work/jobs/go-on-session.ts'
import { textStream } from '../events.ts'
import { jsonBody, streamReply } from '../mount.ts'
import { type AnswerEnd, type AnswerEvent, type AnsweredJob, collectAnswer, readAnswerEvents } from './answer-events.ts'
import { ModelError, toRefusal } from './errors.ts'
import { type ChatTurn, MessageContent, readMessages } from './messages.ts'
import { formHint, maxModelBody, Own, refuseTools, refuseUnsupported } from './parameters.ts'
import { linkIn, type ModelParts } from './parts.ts'
import { parseAsk } from './question.ts'
import {
  buildResponse,
  jobOfResponse,
  type Link,
  messageItem,
  outputItemId,
  reasoningItem,
  responseOutput,
} from './response-object.ts'
import type { JoinedAsk, SharedAsks } from './shared-asks.ts'

const Item = z.looseObject({ type: z.string().nullish(), role: z.string().nullish(), content: MessageContent })

const ResponseBody = Own.extend({
  input: z.union([z.string(), z.array(Item).min(1)]),
  previous_response_id: z.string().nullish(),
  background: z.boolean().nullish(),
  conversation: z.unknown().optional(),
})
type ResponseBody = z.infer<typeof ResponseBody>

// POST /v1/responses
export async function createResponse(parts: ModelParts, asks: SharedAsks, request: Request): Promise<Response> {
  const body = await jsonBody(request, ResponseBody, { hint: formHint, max: maxModelBody })
  refuseUnsupported(body)
  refuseTools(body, true)
  const joined = await begin(parts, asks, body, request.signal)
  const { job } = joined
  const link: Link = linkIn(parts, job.video.id)
  if (body.background && !body.stream) return Response.json(buildResponse(job, link))
  const { told, leaveNow } = await readAnswerEvents(parts.jobs, joined, request.signal)
  if (body.stream) return eventsReply(responseEvents(told, job, link), leaveNow)
  try {
    const whole = await collectAnswer(told)
    return Response.json(buildResponse(whole.end?.job ?? job, link, whole))
  } finally {
    await leaveNow()
  }
}

// GET /v1/responses/ID
export async function readResponse(parts: ModelParts, id: string, request: Request): Promise<Response> {
  const job = await responseJob(parts, id)
  const link: Link = linkIn(parts, job.video.id)
  const { searchParams } = new URL(request.url)
  const follower = { job, leave: async () => {} } // whoever reads it again does not own it
  if (searchParams.get('stream') === 'true') {
    const { told, leaveNow } = await readAnswerEvents(parts.jobs, follower, request.signal)
    const after = Number(searchParams.get('starting_after') ?? -1)
    return eventsReply(responseEvents(told, job, link), leaveNow, after)
  }
  if (!isOver(job.state)) return Response.json(buildResponse(job, link))
  const { told } = await readAnswerEvents(parts.jobs, follower, request.signal)
  return Response.json(buildResponse(job, link, await collectAnswer(told)))
}

// POST /v1/responses/ID/cancel
export async function cancelResponse(parts: ModelParts, id: string): Promise<Response> {
  const job = await responseJob(parts, id)
  const ended = await parts.jobs.cancel(job.id)
  return Response.json(buildResponse(ended, linkIn(parts, ended.video.id)))
}

async function begin(parts: ModelParts, asks: SharedAsks, body: ResponseBody, signal: AbortSignal): Promise<JoinedAsk> {
  const { stream: _, ...same } = body
  const previous = body.previous_response_id ?? undefined
  if (body.conversation)
    throw new ModelError(400, 'unsupported_parameter', 'There are no stored conversations here.', {
      param: 'conversation',
      hint: 'Use "previous_response_id", or a session in metadata.session.',
    })
  const before = previous === undefined ? undefined : await responseJob(parts, previous)
  if (before && body.metadata?.session)
    throw new ModelError(400, 'invalid_request', 'A session and a previous response say two different things.', {
      param: 'previous_response_id',
      hint: 'Leave one of them out.',
    })
  const askInput = { body, said: readInputTurns(body), video: before?.video.id }
  const { notes, form, video, ...wish } = await parseAsk(parts, askInput, signal)
  const response: Responded = {
    model: body.model,
    notes,
    form,
    background: body.background ?? false,
    ...(previous !== undefined && { previous }),
    metadata: textsIn(body.metadata ?? {}),
  }
  // The session is made when the question is really asked: one that is joined needs none.
  const { jobs, sessions, home, following } = parts
  const isBusy = (name: string) => jobs.list().some(({ session, state }) => session === name && !isOver(state))
  const ask = async () => {
    if (!before) return jobs.ask(video, { ...wish, response })
    return following.run(
      async () => jobs.ask(video, { ...wish, session: await sessionAfter(sessions, home, before, isBusy), response }),
      new AbortController().signal,
    )
  }
  return asks.join(contentHash(['responses', same]), ask, response.background)
}

async function responseJob({ jobs }: ModelParts, id: string): Promise<Job> {
  const job = jobOfResponse(id)
  const storedJob = job === undefined ? undefined : await jobs.job(job).catch(() => undefined)
  if (storedJob?.response) return storedJob
  throw new ModelError(404, 'response_not_found', `There is no response ${JSON.stringify(id.slice(0, 80))}.`, {
    hint: 'The last 500 jobs are kept.',
  })
}

// Items that are no messages are of a client's own tools or of its reasoning.
function readInputTurns({ input }: ResponseBody): ChatTurn[] {
  const items = typeof input === 'string' ? [{ content: input }] : input
  const messages = items.map(({ type, role, content }: z.infer<typeof Item>) =>
    (type ?? 'message') === 'message' ? { role: role ?? 'user', content } : {},
  )
  return readMessages(messages, 'input')
}

function textsIn(metadata: Record<string, unknown>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(metadata).flatMap(([name, value]) => (typeof value === 'string' ? [[name, value]] : [])),
  )
}

type Numbered = ReturnType<typeof responseEvents>

function eventsReply(events: Numbered, leave: () => Promise<void>, after = -1): Response {
  return streamReply(textStream(blocks(events, leave, after), () => void leave()))
}

async function* blocks(events: Numbered, leave: () => Promise<void>, after: number): AsyncGenerator<string> {
  let last = -1
  const block = (event: { type: string }) => `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`
  try {
    for await (const event of events) {
      last = event.sequence_number
      if (last > after) yield block(event)
    }
  } catch (error) {
    const { code, message, param } = toRefusal(error).body.error
    yield block({ type: 'error', ...{ code, message, param, sequence_number: last + 1 } })
  } finally {
    await leave()
  }
}

type StreamEvent = { type: string } & Record<string, unknown>

// The events of a streamed response: what happens as the summary of its reasoning, then the checked answer as its one message. They
// are the same whenever they are read, so that a client goes on after the last number that it saw.
async function* responseEvents(
  told: AsyncIterable<AnswerEvent>,
  job: Job,
  link: Link,
): AsyncGenerator<StreamEvent & { sequence_number: number }> {
  let sequence = 0
  for await (const event of unnumbered(told, job, link)) yield { ...event, sequence_number: sequence++ }
}

async function* unnumbered(told: AsyncIterable<AnswerEvent>, job: Job, link: Link): AsyncGenerator<StreamEvent> {
  const begun = buildResponse({ ...job, state: 'running' }, link)
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
  const response = buildResponse(end.job, link, { reasoning, end }) as { status: string }
  const { status } = response
  const type = status === 'completed' || status === 'failed' ? status : 'incomplete' // a cancelled one is cut short
  return { type: `response.${type}`, response }
}
