import { randomBytes } from 'node:crypto'
import { basename } from 'node:path'
import type { JobRecord } from '../../../../src/core/api/job.ts'
import { Refused } from '../../../../src/core/api/problem.ts'
import { turnFromReport } from '../../../../src/runtime/ask/ask-in-session.ts'
import { reportOfRun } from '../../../../src/runtime/runs/run-record.ts'
import { earlierTurns } from '../../../../src/store/run/run-turns.ts'
import type { SessionStore } from '../../../../src/store/sessions.ts'

// The session in which a question goes on from an answered one: the same where it is the last turn there and will be, else a fork
// that ends with it. A question that was of no session begins one with itself.
export async function sessionAfter(
  sessions: SessionStore,
  home: string,
  job: JobRecord,
  isBusy: (session: string) => boolean, // another question is about to be a turn of it
): Promise<string> {
  const report = job.run === undefined ? undefined : await reportOfRun(home, job.run)
  if (!report) throw new Refused('conflict', 'The response has no answer to go on from.', 'Wait until it is completed.')
  const name = job.session ?? job.id
  const session = await sessions.find(name)
  if (!session) {
    await sessions.create(name, report.video)
    for (const turn of (await earlierTurns(report.run)) ?? []) await sessions.append(name, turn)
    await sessions.append(name, { ...turnFromReport(report), run: report.run })
    return name
  }
  const at = session.turns.findIndex(({ run }) => run !== undefined && basename(run) === job.run)
  if (at === session.turns.length - 1 && !isBusy(name)) return name
  const fork = `${job.id}-${randomBytes(3).toString('hex')}`
  await sessions.fork(name, at + 1, fork)
  return fork
}
