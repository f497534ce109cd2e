import type { ChatModel } from '../../src/core/chat.ts'
import { BackendError, errorText, LongtakeError } from '../../src/core/errors.ts'
import { type ProbeResult, probes, type Trial } from './probe/probes.ts'

interface ProbeCheck {
  what: Trial
  state: 'yes' | 'partly' | 'no' | 'not tried'
  detail: string
  mend?: string // the one next step where it is not "yes"
  seconds: number
}

export interface ChatProbe {
  id: string
  answeredBy?: string // the model as the server names it
  checks: ProbeCheck[]
}

// Probes a chat model with a few short requests: answering, tool calls, JSON schema, vision, hearing.
export async function probeChat(
  model: ChatModel,
  signal: AbortSignal = new AbortController().signal,
): Promise<ChatProbe> {
  const checks: ProbeCheck[] = []
  const result: ChatProbe = { id: model.id, checks }
  for (const [what, probe] of Object.entries(probes) as [Trial, (typeof probes)[Trial]][]) {
    if (checks[0] && checks[0].state !== 'yes') {
      checks.push({ what, state: 'not tried', detail: 'it does not answer', seconds: 0 })
      continue
    }
    const began = performance.now()
    const outcome = await attempt(() => probe(model, signal), signal)
    if (what === 'answers') result.answeredBy = outcome.model
    const { state, detail, mend } = outcome
    checks.push({
      what,
      state,
      detail,
      seconds: (performance.now() - began) / 1000,
      ...(state !== 'yes' && mend && { mend }),
    })
  }
  return result
}

// An error of the model is a finding; only an abort or a bug of ours is thrown.
async function attempt(probe: () => Promise<ProbeResult>, signal: AbortSignal): Promise<ProbeResult> {
  try {
    return await probe()
  } catch (error) {
    if (signal.aborted || !(error instanceof LongtakeError)) throw error
    const mend = error.hint ?? (error instanceof BackendError && error.retryable ? 'Try again later.' : undefined)
    return { state: 'no', detail: errorText(error), mend }
  }
}
