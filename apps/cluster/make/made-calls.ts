import { z } from 'zod'
import { MakeReply } from '../../../eval/make/machine/roles.ts'
import type { RunRow } from '../bench/answers.ts'
import { parseRow } from '../data/parse-row.ts'
import type { Sql } from '../data/sql.ts'

// The calls of a making, as soon as each is answered, by the step that needed it; and which of its steps are over. They stand in the
// tables of runs: a step is a sample there, and its calls are the parts of it.

// Opened again, a making may have other models, or more money.
export async function openMaking(sql: Sql, { id, environment, config }: RunRow): Promise<void> {
  await sql.query(
    `insert into longtake.run (id, environment, config) values ($1, $2, $3)
     on conflict (id) do update set environment = excluded.environment, config = excluded.config, state = 'open'`,
    [id, JSON.stringify(environment), JSON.stringify(config)],
  )
}

// What a call has cost is beside its reply: whoever asks next wants to know what is spent.
type StoredReply = MakeReply & { money: number }

// Calls that were made before the workers were asked.
const ofSender = 'sender'

// The first reply stays, and is what counts: a step that two workers had was asked twice, and is answered once.
export async function saveCall(
  sql: Sql,
  run: string,
  step: string,
  name: string,
  kept: StoredReply,
): Promise<MakeReply> {
  const { rowCount } = await sql.query(
    'insert into longtake.part (run, sample, ask, record) values ($1, $2, $3, $4) on conflict do nothing',
    [run, step, name, JSON.stringify(kept)],
  )
  return (rowCount > 0 ? undefined : await findCall(sql, run, step, name)) ?? checked(kept)
}

// One of the sender is from then on also the step's own, so that none is missing among those; it was paid once.
export async function findCall(sql: Sql, run: string, step: string, name: string): Promise<MakeReply | undefined> {
  const { rows } = await sql.query<{ record: StoredReply; given: boolean }>(
    `select record, sample = $4 as given from longtake.part where run = $1 and sample = any ($2) and ask = $3
     order by given limit 1`,
    [run, [step, ofSender], name, ofSender],
  )
  const [found] = rows
  return found?.given ? saveCall(sql, run, step, name, { ...found.record, money: 0 }) : found && checked(found.record)
}

// Those that no worker has made: the workers need not make them again, and they are part of what is spent.
export async function giveCall(sql: Sql, run: string, name: string, kept: StoredReply): Promise<void> {
  await sql.query(
    `insert into longtake.part (run, sample, ask, record) select $1, $2, $3, $4
     where not exists (select 1 from longtake.part where run = $1 and sample <> $2 and split_part(ask, '-', 1) = $5)
     on conflict do nothing`,
    [run, ofSender, name, JSON.stringify(kept), keyIn(name)],
  )
}

// Of these steps, in their order and in that of the requests.
export async function readMadeCalls(sql: Sql, run: string, steps: readonly string[]) {
  const { rows } = await sql.query<{ ask: string; record: StoredReply }>(
    `select ask, record from longtake.part join unnest($2::text[]) with ordinality as step (sample, place) using (sample)
     where run = $1 order by step.place, split_part(ask, '-', 1), nullif(split_part(ask, '-', 2), '')::int nulls first`,
    [run, steps],
  )
  return rows.map(({ ask, record }) => ({ key: keyIn(ask), answered: checked(record) }))
}

export async function moneyOn(sql: Sql, run: string): Promise<number> {
  const { rows } = await sql.query<{ money: number | null }>(
    `select sum((record ->> 'money')::float8) as money from longtake.part where run = $1`,
    [run],
  )
  return rows[0]?.money ?? 0
}

// Whoever goes on with the making may give it more while a step of it is asked.
export async function moneyLimit(sql: Sql, run: string): Promise<number | undefined> {
  const { rows } = await sql.query<{ money: number | null }>(
    `select (environment ->> 'money')::float8 as money from longtake.run where id = $1`,
    [run],
  )
  return rows[0]?.money ?? undefined
}

const Over = z.object({ outOfMoney: z.boolean() })

// Says that a step is over, also where the money did not last for all of it.
export async function endStep(sql: Sql, run: string, step: string, worker: string, outOfMoney: boolean): Promise<void> {
  await sql.query(
    `insert into longtake.answer (run, sample, line, worker) values ($1, $2, $3, $4)
     on conflict (run, sample) do update set line = excluded.line, worker = excluded.worker, at = clock_timestamp()`,
    [run, step, JSON.stringify({ outOfMoney } satisfies z.infer<typeof Over>), worker],
  )
}

export async function stepsOver(sql: Sql, run: string, steps: readonly string[]): Promise<Map<string, boolean>> {
  const { rows } = await sql.query<{ sample: string; line: unknown }>(
    'select sample, line from longtake.answer where run = $1 and sample = any ($2)',
    [run, steps],
  )
  return new Map(rows.map(({ sample, line }) => [sample, parseRow(Over, line, 'an end of a step').outOfMoney]))
}

// Whoever goes on with a making may have more money for it.
export async function reopenSteps(sql: Sql, run: string): Promise<void> {
  await sql.query(`delete from longtake.answer where run = $1 and (line ->> 'outOfMoney')::boolean`, [run])
}

// What a key is called in made/calls: the first, and each further one with its number.
export function nameOfCall(key: string, n: number): string {
  return n === 1 ? key : `${key}-${n}`
}

function keyIn(name: string): string {
  return name.split('-')[0] ?? name
}

// As it was written: the order of its keys is part of the files of a set.
function checked(record: StoredReply): MakeReply {
  parseRow(MakeReply, record, 'a reply of a making')
  const { money: _, ...answered } = record
  return answered
}
