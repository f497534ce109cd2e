import type { ChatModel } from '../../src/core/chat.ts'
import { BackendError, errorText, LongtakeError } from '../../src/core/errors.ts'
import type { RoleCheck } from '../../src/core/runtime.ts'
import { type ProbeResult, probes } from './probe/probes.ts'

// Probes a chat model with a few short requests: answering, tool calls, JSON schema, vision, hearing.
export async function probeChat(
  model: ChatModel,
  signal: AbortSignal = new AbortController().signal,
): Promise<RoleCheck[]> {
  const checks: RoleCheck[] = []
  for (const what of Object.keys(probes) as RoleCheck['what'][]) {
    const began = performance.now()
    const result: ProbeResult =
      checks[0] && checks[0].state !== 'yes'
        ? { state: 'not tried', detail: 'it does not answer' }
        : await probes[what](model, signal).catch(error => explainFault(error, signal))
    checks.push({ what, ...result, seconds: (performance.now() - began) / 1000 })
  }
  return checks
}

// An error of the model is a finding; only an abort or a bug of ours is thrown.
function explainFault(error: unknown, signal: AbortSignal): ProbeResult {
  if (signal.aborted || !(error instanceof LongtakeError)) throw error
  const mend = error.hint ?? (error instanceof BackendError && error.retryable ? 'Try again later.' : undefined)
  return { state: 'no', detail: errorText(error), mend }
}
