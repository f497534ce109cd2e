import type { AgentState, Step } from '../../../src/core/agent.ts'
import { linkSignals } from '../../../src/core/basics/signals.ts'
import { type ChatModel, decorate, emptyUsage } from '../../../src/core/chat.ts'
import type { Evidence } from '../../../src/core/evidence.ts'
import type { OpenVideo } from '../../../src/core/runtime.ts'
import type { CallUse, SharedCalls } from '../../../src/store/call-log/share.ts'
import type { AskedSample } from '../../runner/bench-request.ts'

interface ReplayParts {
  rounds: number // of tool calls, as budget.steps counts them
  open(path: string): Promise<OpenVideo> // as the base has it
}

export interface Replayer {
  rounds: number
  before(asked: AskedSample, calls: SharedCalls): Promise<{ state: AgentState; used: CallUse[] }>
}

// Runs a question as the base ran it, its models' replies read from the record, and stops before the planner is asked for the
// next round; or before the answer is written, where the base needed fewer rounds. The row goes on from there.
export function replayer({ rounds, open }: ReplayParts): Replayer {
  return {
    rounds,
    async before({ path, question, turns, calls, signal }, shared) {
      const halt = linkSignals(signal)
      const steps: Step[] = []
      const evidence: Evidence[] = []
      const nextRound = () => 1 + Math.max(-1, ...steps.map(step => step.round))
      const until = (role: string, model: ChatModel): ChatModel =>
        decorate(model, (request, signal, onText) => {
          if (role !== 'writer' && !(request.purpose === 'plan' && nextRound() >= rounds))
            return model.reply(request, signal, onText)
          return new Promise((_, reject) => {
            // Not within the call: who waits for it must be there to hear it.
            setImmediate(() => {
              const reason = new DOMException('The replay ends here.', 'AbortError')
              halt.abort(reason)
              reject(reason)
            })
          })
        })
      try {
        const video = await open(path)
        const report = await video
          .ask(question, {
            turns,
            calls: { ...calls, model: (model, as) => until(as.role, shared.model(model, as)) },
            watch(event) {
              if (event.type === 'tool-end') steps.push(event.step)
              if (event.type === 'evidence') evidence.push(event.evidence)
            },
            signal: halt.signal,
          })
          .catch(error => {
            if (halt.signal.aborted && !signal.aborted) return undefined
            throw error
          })
        signal.throwIfAborted()
        const spent = report?.usage ?? emptyUsage
        const state: AgentState = { question, turns, steps, evidence, verdicts: [], spent }
        return { state, used: shared.used }
      } finally {
        halt.clear()
      }
    },
  }
}
