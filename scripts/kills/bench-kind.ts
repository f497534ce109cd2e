import { access, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { quickIndex } from '../../tests/bench/small-data.ts'
import { killedCommand } from './killed-command.ts'
import type { Kind } from './kind.ts'
import { roleSettings, type ScriptedModels } from './scripted-models.ts'

const concurrency = 2

// `bench run` is killed and resumed with `--resume FOLDER` as soon as the folder holds a run.
export function benchKind(data: string, models: ScriptedModels): Kind {
  let paidBefore = 0
  let paidAlone = 0
  const settings = roleSettings(models.url, ['planner', 'writer', 'verifier', 'judge'])
  return {
    name: 'bench run',
    videos: true,
    async fresh() {
      paidBefore = models.paid().length
    },
    async next({ folder }) {
      models.busy()
      const run = join(folder, 'run')
      const begun = await access(join(run, 'environment.json')).then(
        () => true,
        () => false,
      )
      const words = ['bench', 'run', 'videoeval-pro', '--data', data, '--profile', 'embedded', ...settings]
      return {
        words: [...words, ...quickIndex, '--concurrency', `${concurrency}`, begun ? '--resume' : '--out', run],
      }
    },
    async outcome({ home, folder }, { kills }) {
      const run = join(folder, 'run')
      const { code, out, err } = await killedCommand(['bench', 'report', run, '--json'], { home, temporary: folder })
      if (code !== 0) throw new Error(`bench report: ${err}`)
      const [{ scores, tasks, counts, attribution }] = JSON.parse(out).reports
      const lines = (await readFile(join(run, 'samples.jsonl'), 'utf8')).trim().split('\n')
      const ids: string[] = lines.map(line => JSON.parse(line).id)
      const paid = models.paid().length - paidBefore
      if (kills === 0) paidAlone = paid
      const expected = (await readFile(join(data, 'test.jsonl'), 'utf8')).trim().split('\n').length
      const repeated = ids.length - new Set(ids).size
      return {
        same: { scores, tasks, counts, attribution, ids },
        lost: expected - new Set(ids).size,
        // A kill costs the calls that were under way, one for each question that was being asked.
        doubled: repeated + Math.max(0, paid - paidAlone - kills * concurrency),
      }
    },
  }
}
