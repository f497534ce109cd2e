import { z } from 'zod'
import type { Job, Responded } from '../../../../src/core/api/job.ts'
import { isOver } from '../../../../src/core/api/job-state.ts'
import { contentHash } from '../../../../src/core/json.ts'
import { sessionAfter } from '../../work/jobs/go-on-session.ts'
import { textStream } from '../events.ts'
import { jsonBody, streamReply } from '../mount.ts'
import { collectAnswer, readAnswerEvents } from './answer-events.ts'
import { ModelError, refusalOf } from './errors.ts'
import { type ChatTurn, MessageContent, readMessages } from './messages.ts'
import { formHint, Own, refuseTools, refuseUnsupported } from './parameters.ts'
import type { ModelParts } from './parts.ts'
import { parseAsk } from './question.ts'
import { responseEvents } from './response-events.ts'
import { jobOfResponse, type Link, responseOf } from './response-object.ts'
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
  const body = await jsonBody(request, ResponseBody, formHint)
  refuseUnsupported(body)
  refuseTools(body, true)
  const joined = await begin(parts, asks, body, request.signal)
  const { job } = joined
  const link: Link = row => parts.link(job.video.id, row)
  if (body.background && !body.stream) return Response.json(responseOf(job, link))
  const { told, leaveNow } = await readAnswerEvents(parts.jobs, joined, request.signal)
  if (body.stream) return eventsReply(responseEvents(told, job, link), leaveNow)
  try {
    const whole = await collectAnswer(told)
    return Response.json(responseOf(whole.end?.job ?? job, link, whole))
  } finally {
    await leaveNow()
  }
}

// GET /v1/responses/ID
export async function readResponse(parts: ModelParts, id: string, request: Request): Promise<Response> {
  const job = await responseJob(parts, id)
  const link: Link = row => parts.link(job.video.id, row)
  const { searchParams } = new URL(request.url)
  const follower = { job, leave: async () => {} } // whoever reads it again does not own it
  if (searchParams.get('stream') === 'true') {
    const { told, leaveNow } = await readAnswerEvents(parts.jobs, follower, request.signal)
    const after = Number(searchParams.get('starting_after') ?? -1)
    return eventsReply(responseEvents(told, job, link), leaveNow, after)
  }
  if (!isOver(job.state)) return Response.json(responseOf(job, link))
  const { told } = await readAnswerEvents(parts.jobs, follower, request.signal)
  return Response.json(responseOf(job, link, await collectAnswer(told)))
}

// POST /v1/responses/ID/cancel
export async function cancelResponse(parts: ModelParts, id: string): Promise<Response> {
  const job = await responseJob(parts, id)
  const ended = await parts.jobs.cancel(job.id)
  return Response.json(responseOf(ended, row => parts.link(ended.video.id, row)))
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
  const askInput = { body, said: saidOf(body), video: before?.video.id }
  const { notes, video, ...wish } = await parseAsk(parts, askInput, signal)
  const response: Responded = {
    model: body.model,
    notes,
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
function saidOf({ input }: ResponseBody): ChatTurn[] {
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
    const { code, message, param } = refusalOf(error).body.error
    yield block({ type: 'error', ...{ code, message, param, sequence_number: last + 1 } })
  } finally {
    await leave()
  }
}
