import type { Job } from '../../../../src/core/api/job.ts'
import type { JobState } from '../../../../src/core/api/job-state.ts'
import { sha256 } from '../../../../src/core/json.ts'
import { type AnswerEnd, type AnsweredJob, isCutShort } from './answer-events.ts'
import { answerDetails, contentFor } from './chunks.ts'
import type { writeAnswerContent } from './content.ts'
import { refusalOfProblem } from './errors.ts'

export type Link = Parameters<typeof writeAnswerContent>[2]

const responseId = (job: string) => `resp_${job}`

export function jobOfResponse(id: string): string | undefined {
  return /^resp_(j[0-9a-z]{1,40})$/.exec(id)?.[1]
}

const states: Record<JobState, string> = {
  waiting: 'queued',
  running: 'in_progress',
  done: 'completed',
  failed: 'failed',
  cancelled: 'cancelled',
}

// A response as its job stands; its output where the question has ended.
export function buildResponse(job: Job, link: Link, ended?: { reasoning: string; end?: AnswerEnd }): object {
  const { id, state, created, response, error } = job
  const answered = ended?.end?.kind === 'answered' ? ended.end.job : undefined
  const cut = answered !== undefined && isCutShort(answered.answer.stop)
  return {
    id: responseId(id),
    object: 'response',
    created_at: Math.floor(Date.parse(created) / 1000),
    status: cut ? 'incomplete' : states[state],
    background: response?.background ?? false,
    error:
      state === 'failed' && error
        ? { code: 'server_error', message: refusalOfProblem(error).body.error.message }
        : null,
    incomplete_details: cut ? { reason: 'max_output_tokens' } : null, // a budget has ended
    instructions: null,
    max_output_tokens: null,
    model: response?.model ?? '',
    output: ended && answered ? [reasoningItem(id, ended.reasoning), messageItem(answered, link)] : [],
    parallel_tool_calls: false,
    previous_response_id: response?.previous ?? null,
    reasoning: { effort: null, summary: null },
    store: true,
    temperature: null,
    text: { format: { type: 'text' } },
    tool_choice: 'none',
    tools: [],
    top_p: null,
    truncation: 'disabled',
    usage: answered ? responseUsage(answered) : null,
    metadata: response?.metadata ?? {},
    ...(answered && { longtake: answerDetails(answered, response?.notes ?? []) }),
  }
}

export function reasoningItem(job: string, text: string) {
  const summary = text === '' ? [] : [{ type: 'summary_text', text }]
  return { type: 'reasoning', id: outputItemId('rs', job), summary }
}

export function messageItem(job: AnsweredJob, link: Link) {
  const { text, annotations } = responseOutput(job, link)
  const content = [{ type: 'output_text', text, annotations, logprobs: [] }]
  return { type: 'message', id: outputItemId('msg', job.id), role: 'assistant', status: 'completed', content }
}

export function responseOutput(job: AnsweredJob, link: Link) {
  const { pieces, text, citations } = contentFor(job, { link, form: job.response?.form })
  const annotations = citations.map(({ start, end, url, title }) => ({
    type: 'url_citation',
    url,
    title,
    start_index: start,
    end_index: end,
  }))
  return { pieces, text, annotations }
}

export function outputItemId(kind: 'rs' | 'msg', job: string): string {
  return `${kind}_${sha256(job).slice(0, 24)}`
}

function responseUsage({ answer: { usage } }: AnsweredJob) {
  const { inputTokens, outputTokens } = usage
  return {
    input_tokens: inputTokens,
    input_tokens_details: { cached_tokens: 0 },
    output_tokens: outputTokens,
    output_tokens_details: { reasoning_tokens: 0 },
    total_tokens: inputTokens + outputTokens,
  }
}
