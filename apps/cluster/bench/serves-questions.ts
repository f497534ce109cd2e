import { AnsweringSpec } from '../../../eval/runner/run-spec.ts'
import type { Config } from '../../../src/config/schema.ts'
import type { Host } from '../../../src/core/backend.ts'
import type { StageNeed } from '../data/catalogue/videos.ts'
import type { Sql } from '../data/sql.ts'
import { whyNotAsked } from './answering-spec.ts'

// Whether this machine can ask the questions of a queue: all runs that use one are asked with the same.
export async function servesQuestions(
  sql: Sql,
  need: StageNeed,
  { own, host }: { own: Config; host: Host },
): Promise<string | true> {
  if (need.stage !== 'ask') return `this longtake has no work "${need.stage}"`
  const { rows } = await sql.query<{ config: unknown }>(
    `select run.config from longtake.run join longtake.request on request.config = run.id
     where request.kind = 'bench' and request.state = 'open' and run.environment ->> 'queue' = $1 limit 1`,
    [need.queue],
  )
  if (rows.length === 0) return 'no run asks its questions now'
  const asking = AnsweringSpec.safeParse(rows[0]?.config).data
  if (!asking) return 'its run was begun by another version'
  return (await whyNotAsked(asking, own, host)) ?? true
}
