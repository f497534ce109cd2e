import { type AskWork, askIndex } from '../../../src/app/ask/ask.ts'
import type { OpenedIndex } from '../../../src/app/index/open-index.ts'
import type { Models } from '../../../src/app/models/models.ts'
import { permissionsOf } from '../../../src/app/tools/permissions.ts'
import type { Config } from '../../../src/config/schema.ts'
import type { AgentState, Step } from '../../../src/core/agent.ts'
import { type ChatModel, emptyUsage } from '../../../src/core/chat.ts'
import type { Evidence } from '../../../src/core/evidence.ts'
import type { AskedSample } from '../../bench/agent-change.ts'
import { modelsOf } from '../rows/row-change.ts'
import type { CallUse } from './calls.ts'
import type { SharedCalls } from './shared-calls.ts'

export interface ReplayParts {
  rounds: number // of tool calls, as budget.steps counts them
  settings: Config // of the base
  models: Models // of the base
  index(path: string): Promise<OpenedIndex> // of the base
}

export interface Replayer {
  rounds: number
  before(work: AskWork, asked: AskedSample, calls: SharedCalls): Promise<{ state: AgentState; used: CallUse[] }>
}

// Runs a question as the base ran it, its models' replies read from the record, and stops before the planner is asked for the
// next round; or before the answer is written, where the base needed fewer rounds. The row goes on from there.
export function replayer({ rounds, settings, models, index }: ReplayParts): Replayer {
  return {
    rounds,
    async before(work, { path }, calls) {
      const halt = new AbortController()
      const outer = () => halt.abort(work.signal.reason)
      work.signal.addEventListener('abort', outer, { once: true })
      const steps: Step[] = []
      const evidence: Evidence[] = []
      const done = () => 1 + Math.max(-1, ...steps.map(step => step.round))
      const until = (role: string, model: ChatModel): ChatModel => ({
        ...model,
        reply(request, signal, onText) {
          if (role !== 'writer' && !(request.purpose === 'plan' && done() >= rounds))
            return model.reply(request, signal, onText)
          return new Promise((_, reject) => {
            // Not within the call: who waits for it must be there to hear it.
            setImmediate(() => {
              const reason = new DOMException('The replay ends here.', 'AbortError')
              halt.abort(reason)
              reject(reason)
            })
          })
        },
      })
      try {
        const state = await askIndex({
          ...work,
          index: await index(path),
          models: modelsOf(models, calls, [], 0),
          budget: settings.budget,
          policy: settings.policy,
          graph: settings.graph,
          tools: settings.tools,
          permissions: permissionsOf(settings),
          record: until,
          watch(event) {
            if (event.type === 'tool-end') steps.push(event.step)
            if (event.type === 'evidence') evidence.push(event.evidence)
          },
          signal: halt.signal,
          through: undefined,
        }).catch(error => {
          if (halt.signal.aborted && !work.signal.aborted) return undefined
          throw error
        })
        work.signal.throwIfAborted()
        return { state: cleared(state ?? stateOf(work, steps, evidence)), used: calls.used }
      } finally {
        work.signal.removeEventListener('abort', outer)
      }
    },
  }
}

// What came after the replay ended is no part of it.
function cleared(state: AgentState): AgentState {
  return { ...state, draft: undefined, verdicts: [], stop: undefined, answer: undefined }
}

function stateOf({ question, turns = [] }: AskWork, steps: Step[], evidence: Evidence[]): AgentState {
  return { question, turns, route: '', steps, evidence, verdicts: [], spent: emptyUsage }
}
