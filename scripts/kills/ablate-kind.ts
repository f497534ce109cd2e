import { access, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { StudyResult } from '../../eval/ablate/study/result.ts'
import type { Kind } from './kind.ts'
import { roleSettings, type ScriptedModels } from './scripted-models.ts'

// `ablate` is killed and resumed with `--resume FOLDER` as soon as the folder holds a study.
export function ablateKind(data: string, models: ScriptedModels): Kind {
  let paidBefore = 0
  let paidAlone = 0
  const base = roleSettings(models.url, ['planner', 'writer', 'verifier'], '--base-set')
  const quick = ['text', 'speech', 'sound'].flatMap(track => ['--base-set', `index.tracks.${track}=false`])
  const changes = ['--set', 'models.writer.model=writer-2', '--without', 'routing', '--fault', 'tool:search=down']
  return {
    name: 'ablate',
    videos: true,
    async fresh() {
      paidBefore = models.paid().length
    },
    async next({ folder }) {
      models.busy()
      const study = join(folder, 'study')
      const begun = await access(join(study, 'environment.json')).then(
        () => true,
        () => false,
      )
      const words = ['ablate', 'videoeval-pro', '--data', data, '--base', 'embedded', '--judge', 'words']
      return { words: [...words, ...base, ...quick, ...changes, begun ? '--resume' : '--out', study] }
    },
    async outcome({ folder }, { kills }) {
      const result: StudyResult = JSON.parse(await readFile(join(folder, 'study', 'results.json'), 'utf8'))
      const paid = models.paid().length - paidBefore
      if (kills === 0) paidAlone = paid
      return {
        same: withoutTimes(result),
        lost: result.rows.reduce((sum, row) => sum + result.samples - row.samples, 0),
        doubled: Math.max(0, paid - paidAlone - kills),
      }
    },
  }
}

function withoutTimes({ started: _, rows, ...result }: StudyResult): object {
  return {
    ...result,
    rows: rows.map(({ cost: { seconds: _, ...cost }, stages: { seconds: __, ...stages }, ...row }) => ({
      ...row,
      cost,
      stages,
    })),
  }
}
