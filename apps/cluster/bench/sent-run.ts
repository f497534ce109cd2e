import { join } from 'node:path'
import { z } from 'zod'
import { BenchRun } from '../../../eval/runner/files/run-files.ts'
import { sentFile } from '../../../eval/runner/files/sent-as.ts'
import { AnsweringSpec, AskingSpec, type RunSpec } from '../../../eval/runner/run-spec.ts'
import { UsageError } from '../../../src/core/errors.ts'
import { prettyJson } from '../../../src/core/json.ts'
import { ensureFolder, writeDurably } from '../../../src/store/durable.ts'
import { exists } from '../../../src/store/read-file.ts'
import { parseRow } from '../data/parse-row.ts'
import type { Sql } from '../data/sql.ts'
import { readRunRow } from './answers.ts'

// Column `environment` of a run.
const SentRun = z.strictObject({
  run: BenchRun, // environment.json of its folder
  asking: AskingSpec,
  queue: z.string(),
  request: z.string().optional(), // of the indexes that are missing
  study: z.string().optional(), // of which it is a row
  preflight: z.unknown(),
})
export type SentRun = z.infer<typeof SentRun>

export async function openSentRun(sql: Sql, id: string): Promise<{ sent: SentRun; spec: RunSpec }> {
  const row = await readRunRow(sql, id)
  if (!row)
    throw new UsageError(`There is no run ${id} in the database of the cluster.`, {
      hint: '"longtake bench run NAME --queue" begins one.',
    })
  const sent = parseRow(SentRun, row.environment, 'a run')
  return { sent, spec: { ...sent.asking, ...parseRow(AnsweringSpec, row.config, 'settings of a run') } }
}

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
  for (const [name, value] of Object.entries(files)) await writeDurably(join(folder, name), prettyJson(value))
  return folder
}
