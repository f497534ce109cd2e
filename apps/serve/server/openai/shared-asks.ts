import type { Job } from '../../../../src/core/api/job.ts'
import { isOver } from '../../../../src/core/api/job-state.ts'
import type { Jobs } from '../../work/jobs/jobs.ts'

export interface JoinedAsk {
  job: Job
  leave(): Promise<void> // the last one to leave cancels the question
}

export interface SharedAsks {
  join(key: string, begin: () => Promise<Job>, stays?: boolean): Promise<JoinedAsk>
}

const maxLeft = 64

// The same question that is under way is asked once, whoever asks: a client that tries again pays once. Who leaves cancels what
// nobody else waits for; when it comes back with the same question, the run goes on where it was stopped.
export function sharedAsks(jobs: Jobs): SharedAsks {
  const shared = new Map<string, { job: Promise<Job>; users: number; stays: boolean }>()
  const leaving = new Map<string, Promise<unknown>>()
  const cancelledJobs = new Map<string, string>() // the job that was cancelled, by its key

  const cancel = async (key: string, id: string) => {
    const { state } = await jobs.cancel(id)
    if (state !== 'cancelled') return
    cancelledJobs.set(key, id)
    for (const oldest of cancelledJobs.keys()) if (cancelledJobs.size > maxLeft) cancelledJobs.delete(oldest)
  }
  const resumeCancelled = async (key: string): Promise<Job | undefined> => {
    const id = cancelledJobs.get(key)
    cancelledJobs.delete(key)
    const job = id === undefined ? undefined : await jobs.job(id).catch(() => undefined)
    if (job?.run === undefined) return undefined
    return jobs.resume(job.run, job.response).catch(() => undefined) // a run that cannot go on is asked anew
  }
  const forgetWhenOver = async (key: string, { id }: Job) => {
    const never = new AbortController().signal
    for (let job = await jobs.wait(id, 60, never); !isOver(job.state); ) job = await jobs.wait(id, 60, never)
    shared.delete(key)
  }

  return {
    async join(key, begin, stays = false) {
      await leaving.get(key)
      let entry = shared.get(key)
      if (!entry) {
        entry = { job: resumeCancelled(key).then(job => job ?? begin()), users: 0, stays }
        shared.set(key, entry)
        entry.job.catch(() => shared.delete(key))
      }
      entry.users++
      const sharedEntry = entry
      const job = await sharedEntry.job
      if (stays) forgetWhenOver(key, job).catch(() => shared.delete(key))
      let here = true
      return {
        job,
        async leave() {
          if (!here || sharedEntry.stays) return
          here = false
          sharedEntry.users--
          if (sharedEntry.users > 0 || shared.get(key) !== sharedEntry) return
          shared.delete(key)
          const gone = cancel(key, job.id).finally(() => leaving.delete(key))
          leaving.set(key, gone)
          await gone
        },
      }
    },
  }
}
