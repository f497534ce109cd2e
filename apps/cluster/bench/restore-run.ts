import { join } from 'node:path'
import { sentFile } from '../../../eval/runner/files/sent-as.ts'
import { ensureFolder, writeDurably } from '../../../src/store/durable.ts'
import { exists } from '../../../src/store/read-file.ts'
import type { Sql } from '../data/sql.ts'
import { openSentRun } from './sent-run.ts'

// The folder of a run that another machine has begun, as it was when it began; its answers come from the database.
export async function restoreRun(sql: Sql, home: string, run: string): Promise<string> {
  const folder = join(home, 'runs', run)
  if (await exists(join(folder, 'environment.json'))) return folder
  const { sent, spec } = await openSentRun(sql, run)
  await ensureFolder(folder)
  const files = {
    [sentFile]: { run },
    'config.json': spec.settings,
    'preflight.json': sent.preflight,
    'environment.json': sent.run,
  }
  for (const [name, value] of Object.entries(files))
    await writeDurably(join(folder, name), `${JSON.stringify(value, null, 2)}\n`)
  return folder
}
