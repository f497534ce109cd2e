import { fromPackage } from '../../../../src/cli/packages.ts'
import { emptyUsage, type Usage } from '../../../../src/core/chat.ts'
import { splitAskedBy } from '../../../data/asked-by.ts'
import type { BenchParts } from '../../bench-parts.ts'
import type { Agent } from '../agent.ts'
import type { RunContext } from '../run-context.ts'
import { checkCommand, type ProcessOptions } from './agent-process.ts'
import { checkToolUse } from './check-tool-use.ts'
import { hostQuestion, readHostAnswer } from './host-words.ts'
import { openForHost } from './over-index.ts'
import { type ServedTools, withServedTools } from './served-tools.ts'

export type AskHost = (
  command: string,
  question: string,
  tools: ServedTools,
  limits: Pick<ProcessOptions, 'environment' | 'seconds' | 'signal'>,
) => Promise<{ text: string; usage?: Partial<Usage> }>

// Someone else's agent, which is a command, with our MCP server. Tokens and money are those that it states.
export function askCommand(asking: RunContext, run: string, askHost: AskHost): Agent {
  const { runtime } = asking
  const { kind, command = '' } = splitAskedBy(asking.by)
  return {
    open: (path, options) =>
      openForHost(
        asking,
        { path, folder: run, ...options },
        async ({ index: { video } }, { question, turns, signal }) => {
          const began = performance.now()
          return withServedTools(asking, { video, run }, async tools => {
            const limits = { environment: runtime.host.environment, seconds: runtime.settings.budget.seconds, signal }
            const { text, usage } = await askHost(command, hostQuestion(question, turns, video), tools, limits)
            const { steps, pictures } = await tools.calls()
            const seconds = (performance.now() - began) / 1000
            return {
              ...readHostAnswer(text, question, { video, by: kind }),
              steps,
              usage: { ...emptyUsage, ...usage, frames: pictures, seconds },
              stop: 'answered' as const,
              frames: [],
              indexed: [],
            }
          })
        },
      ),
  }
}

export async function checkCommandHost(parts: BenchParts): Promise<void> {
  await checkCommand(splitAskedBy(parts.by).command ?? '', parts.world.environment)
  await fromPackage('longtake-serve', 'The MCP server that an agent gets', () => import('longtake-serve'))
  checkToolUse(parts, [])
}
