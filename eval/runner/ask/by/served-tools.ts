import { dirname, join } from 'node:path'
import { z } from 'zod'
import { packageFolder } from '../../../../src/cli/version.ts'
import type { Step } from '../../../../src/core/agent.ts'
import type { Video } from '../../../../src/core/video.ts'
import { readJsonLines } from '../../../../src/store/json-lines.ts'
import { withScratchFile } from '../../../../src/store/temporary.ts'
import type { RunContext } from '../run-context.ts'

// Our MCP server as an agent starts it over stdio: the tools that read, of this video only.
export interface ServedTools {
  command: string
  args: string[]
  env: Record<string, string>
  folder: string // for the agent to work in; removed afterwards
  calls(): Promise<{ steps: Step[]; pictures: number }> // that the agent has made
}

// As "longtake mcp --record" writes them.
const RecordedCall = z.object({
  tool: z.string(),
  input: z.unknown(),
  failed: z.boolean(),
  pictures: z.number(),
  seconds: z.number(),
})

export async function withServedTools<Result>(
  { runtime }: Pick<RunContext, 'runtime'>,
  { video, run }: { video: Video; run: string }, // run: the folder, whose settings hold
  work: (tools: ServedTools) => Promise<Result>,
): Promise<Result> {
  const program = join(packageFolder(), 'bin', 'longtake.mjs')
  return withScratchFile('calls.jsonl', '', record =>
    work({
      command: process.execPath,
      args: [program, 'mcp', '--config', join(run, 'config.json'), '--only', video.id, '--record', record],
      env: { LONGTAKE_HOME: runtime.library.home },
      folder: dirname(record),
      async calls() {
        const recorded = await readJsonLines(record, RecordedCall)
        const pictures = recorded.reduce((sum, call) => sum + call.pictures, 0)
        const steps = recorded.map(({ tool, input, failed, seconds }, round): Step => {
          const outcome = failed ? 'failed' : 'found'
          return { round, tool, input, outcome, evidence: [], notes: [], seconds }
        })
        return { steps, pictures }
      },
    }),
  )
}
