import type { Database } from '../../../src/cluster/data/sql.ts'

interface Counts {
  jobs: number
  attempts: number
  doubled: number // jobs that were completed twice, and results with two rows
  left: string[] // what should not be left when nothing is to be done
}

// What the tables say once everything has ended.
export async function countAttempts(database: Database): Promise<Counts> {
  const one = async (text: string) => Number((await database.query<{ n: number }>(text)).rows[0]?.n ?? 0)
  const left = {
    'open requests': await one(`select count(*)::integer as n from longtake.request where state = 'open'`),
    'active jobs': await one(`select count(*)::integer as n from pgboss.job where state = 'active'`),
    failures: await one('select count(*)::integer as n from longtake.failure'),
  }
  return {
    jobs: await one('select count(distinct job)::integer as n from longtake.attempt'),
    attempts: await one('select count(*)::integer as n from longtake.attempt'),
    doubled: await one(
      `select count(*)::integer as n from (
         select job from longtake.attempt where kind = 'completed' group by job having count(*) > 1) twice`,
    ),
    left: Object.entries(left).flatMap(([what, many]) => (many > 0 ? [`${many} ${what}`] : [])),
  }
}
