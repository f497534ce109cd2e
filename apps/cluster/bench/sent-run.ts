import { z } from 'zod'
import { BenchRun } from '../../../eval/runner/files/run-files.ts'
import { AnsweringSpec, AskingSpec, type RunSpec } from '../../../eval/runner/run-spec.ts'
import { UsageError } from '../../../src/core/errors.ts'
import { parseRow } from '../data/parse-row.ts'
import type { Sql } from '../data/sql.ts'
import { readRunRow } from './answers.ts'

// Column `environment` of a run.
export const SentRun = z.strictObject({
  run: BenchRun, // environment.json of its folder
  asking: AskingSpec,
  queue: z.string(),
  request: z.string().optional(), // of the indexes that are missing
  study: z.string().optional(), // of which it is a row
  preflight: z.unknown(),
})
export type SentRun = z.infer<typeof SentRun>

interface OpenedRun {
  id: string
  sent: SentRun
  spec: RunSpec
}

export async function openSentRun(sql: Sql, id: string): Promise<OpenedRun> {
  const row = await readRunRow(sql, id)
  if (!row)
    throw new UsageError(`There is no run ${id} in the database of the cluster.`, {
      hint: '"longtake bench run NAME --queue" begins one.',
    })
  const sent = parseRow(SentRun, row.environment, 'a run')
  return { id, sent, spec: { ...sent.asking, ...parseRow(AnsweringSpec, row.config, 'settings of a run') } }
}
