import { cp } from 'node:fs/promises'
import { listRuns } from '../../src/store/run/run-folder.ts'
import type { Kind } from './kind.ts'
import { roleSettings, type ScriptedModels } from './scripted-models.ts'

const question = ['How many paintings does the museum have?', '--options', 'seven hundred|seventy|seven']

// `ask` is killed and resumed with `--resume RUN` as soon as `runs ls` lists a run.
export function askKind(video: string, indexed: string, models: ScriptedModels): Kind {
  let paidBefore = 0
  let paidAlone = 0
  const settings = ['--profile', 'embedded', ...roleSettings(models.url, ['planner', 'writer', 'verifier'])]
  return {
    name: 'ask',
    videos: true,
    async fresh({ home }) {
      await cp(indexed, home, { recursive: true })
      paidBefore = models.paid().length
    },
    async next({ home }) {
      models.busy()
      const [run] = await listRuns(home)
      return { words: run ? ['ask', '--resume', run.id, '--json'] : ['ask', video, ...question, '--json', ...settings] }
    },
    async outcome(_, { kills, printed }) {
      const { answer, evidence, coverage, steps, stop } = JSON.parse(printed.at(-1) ?? '')
      const paid = models.paid().length - paidBefore
      if (kills === 0) paidAlone = paid
      const same = { answer, evidence, coverage, stop, steps: steps.map(withoutSeconds) }
      // Calls that were under way when the process was killed are made again; one more may just have been answered.
      return { same, lost: 0, doubled: Math.max(0, paid - paidAlone - kills) }
    },
  }
}

function withoutSeconds({ seconds: _, ...step }: { seconds: number }): object {
  return step
}
