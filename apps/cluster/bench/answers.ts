import { AskRecord, SampleLine } from '../../../eval/data/sample-line.ts'
import { groupBy } from '../../../src/core/basics/group-by.ts'
import { parseRow } from '../data/parse-row.ts'
import type { Sql } from '../data/sql.ts'

// A run as everyone finds it. Its columns are `json`: `jsonb` puts the keys of an object in another order, and then the files of two
// runs that are alike would differ.
export interface RunRow {
  id: string
  environment: unknown
  config: unknown
}

export async function saveRun(sql: Sql, { id, environment, config }: RunRow): Promise<void> {
  await sql.query('insert into longtake.run (id, environment, config) values ($1, $2, $3) on conflict do nothing', [
    id,
    JSON.stringify(environment),
    JSON.stringify(config),
  ])
}

export async function readRunRow(sql: Sql, id: string): Promise<RunRow | undefined> {
  const { rows } = await sql.query<RunRow>('select id, environment, config from longtake.run where id = $1', [id])
  return rows[0]
}

// A question that failed, or an answer that could not be judged: the only lines that another one may replace.
const needsMore = (line: string) =>
  `(${line} ->> 'error' is not null or (${line} -> 'judge' -> 'failed')::text not in ('{}'))`

// Each sample counts once, whatever was asked twice: the first whole answer stays.
export async function saveAnswer(sql: Sql, run: string, line: SampleLine, worker: string): Promise<boolean> {
  const { rowCount } = await sql.query(
    `insert into longtake.answer (run, sample, line, worker) values ($1, $2, $3, $4)
     on conflict (run, sample) do update set line = excluded.line, worker = excluded.worker, at = clock_timestamp()
     where ${needsMore('answer.line')}`,
    [run, line.id, JSON.stringify(line), worker],
  )
  return rowCount > 0
}

export interface StoredAnswer {
  line: SampleLine
  at: string // by the clock of the database; later ones sort behind
}

const timeText = (time: string) => `to_char(${time} at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"')`

export async function databaseTime(sql: Sql): Promise<string> {
  const { rows } = await sql.query<{ now: string }>(`select ${timeText('clock_timestamp()')} as now`)
  return rows[0]?.now ?? ''
}

// What was answered from a moment on, with what was committed late: the overlap is read twice.
export async function answersSince(sql: Sql, run: string, since: string): Promise<StoredAnswer[]> {
  const { rows } = await sql.query<StoredAnswer>(
    `select line, ${timeText('at')} as at from longtake.answer
     where run = $1 and at > $2::timestamptz - interval '1 minute' order by answer.at`,
    [run, since],
  )
  return rows.map(({ line, at }) => ({ line: checked(line), at }))
}

export async function readAnswerLines(sql: Sql, run: string, samples: readonly string[]): Promise<SampleLine[]> {
  const { rows } = await sql.query<{ line: SampleLine }>(
    'select line from longtake.answer where run = $1 and sample = any ($2)',
    [run, samples],
  )
  return rows.map(({ line }) => checked(line))
}

// As it was written: the order of its keys is part of the files of a run.
function checked(line: SampleLine): SampleLine {
  parseRow(SampleLine, line, 'an answer of a run')
  return line
}

export async function savePart(sql: Sql, run: string, sample: string, ask: AskRecord): Promise<void> {
  await sql.query(
    'insert into longtake.part (run, sample, ask, record) values ($1, $2, $3, $4) on conflict do nothing',
    [run, sample, ask.name, JSON.stringify(ask)],
  )
}

export async function readAskRecords(
  sql: Sql,
  run: string,
  samples: readonly string[],
): Promise<Map<string, AskRecord[]>> {
  const { rows } = await sql.query<{ sample: string; record: AskRecord }>(
    'select sample, record from longtake.part where run = $1 and sample = any ($2)',
    [run, samples],
  )
  for (const { record } of rows) parseRow(AskRecord, record, 'a reply of a run')
  const bySample = groupBy(rows, ({ sample }) => sample)
  return new Map([...bySample].map(([sample, parts]) => [sample, parts.map(({ record }) => record)]))
}
