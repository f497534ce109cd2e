import { randomBytes } from 'node:crypto'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { z } from 'zod'
import { JobPhase, JobRecord } from '../../core/api/job.ts'
import { isOver } from '../../core/api/job-state.ts'
import { UsageError } from '../../core/errors.ts'
import { ensureFolder, writeDurably } from '../durable.ts'
import { type JsonLines, openJsonLines } from '../json-lines.ts'
import { type Lock, tryLock } from '../lock.ts'
import { exists, listNames } from '../read-file.ts'
import { readRecord, saveRecord } from '../sealed-record.ts'
import { onDisk } from '../storage-error.ts'
import { sweepAbandonedBelow } from '../temporary.ts'

// What servers were asked to do, one folder a job under <home>/jobs/: job.json (what, how far and by whom), trace.jsonl (what
// happened while it was indexing; a question's events are in its run), settings.json (that an indexing was made with), cancel
// (another process asks for its end). Each process that runs jobs holds a lock under <home>/jobs/owners/ while it lives.
export interface JobStore {
  read(isSettled?: (id: string) => boolean): Promise<KeptJob[]> // in order of time, damaged and settled ones left out
  save(job: JobRecord, phase: JobPhase): Promise<void>
  traceFile(id: string): string
  trace(id: string): Promise<JsonLines>
  settings(id: string, settings: object): Promise<string> // the path of the file
  remove(id: string): Promise<void>
  askToCancel(id: string): Promise<void> // a job that another process runs
  isCancelAsked(id: string): Promise<boolean>
  close(): Promise<void>
}

export interface KeptJob {
  record: JobRecord
  phase: JobPhase
  at: 'here' | 'elsewhere' | 'nowhere' // nowhere: the process that ran it has ended, however it did
}

const Stored = JobRecord.extend({ format: z.literal(1), owner: z.string().optional(), phase: JobPhase.optional() })

// `alone`: refused where another one is open that wants to be alone too.
export async function openJobStore(home: string, { alone }: { alone: boolean }): Promise<JobStore> {
  const root = join(home, 'jobs')
  const folderOf = (id: string) => join(root, id)
  const readStored = (id: string) => readRecord(join(folderOf(id), 'job.json'), Stored)
  const ownerFolder = (owner: string) => join(root, 'owners', owner)
  const single = alone ? await onlyOne(root, home) : undefined
  if (alone) await onDisk('sweep the jobs', () => sweepAbandonedBelow(root)) // half-written records of servers that were killed
  const self = randomBytes(8).toString('hex')
  const ownLock = await tryLock(ownerFolder(self))

  // The operating system gives the lock of a process back when it ends: who can take it knows that nobody is there.
  const lives = async (owner: string): Promise<boolean> => {
    if (owner === self) return true
    const lock = await tryLock(ownerFolder(owner))
    if (!lock) return true
    lock.release()
    await rm(ownerFolder(owner), { recursive: true, force: true })
    return false
  }
  const whereabouts = () => {
    const liveness = new Map<string, Promise<boolean>>()
    return async ({ state, owner }: z.infer<typeof Stored>): Promise<KeptJob['at']> => {
      if (owner === self) return 'here'
      if (isOver(state)) return 'elsewhere'
      if (owner === undefined) return 'nowhere'
      const answer = liveness.get(owner) ?? lives(owner)
      liveness.set(owner, answer)
      return (await answer) ? 'elsewhere' : 'nowhere'
    }
  }

  return {
    async read(isSettled = () => false) {
      const names = (await listNames(root)).filter(name => isJobId(name) && !isSettled(name)).sort()
      const at = whereabouts()
      const storedJobs = await Promise.all(
        names.map(async name => {
          const stored = await readStored(name)
          if (typeof stored === 'string') return []
          const where = await at(stored)
          const last = where === 'nowhere' ? await readStored(name) : stored // what it may have written before it ended
          if (typeof last === 'string') return []
          const { format: _, owner: __, phase = 'waiting', ...record } = last
          return [{ record, phase, at: where }]
        }),
      )
      return storedJobs.flat()
    },
    save: (job, phase) =>
      onDisk(`save the job ${job.id}`, async () => {
        await ensureFolder(folderOf(job.id))
        const stored: z.input<typeof Stored> = { format: 1, owner: self, phase, ...job }
        await saveRecord(join(folderOf(job.id), 'job.json'), stored)
      }),
    traceFile: id => join(folderOf(id), 'trace.jsonl'),
    trace: id => openJsonLines(join(folderOf(id), 'trace.jsonl'), 'at-flush'),
    async settings(id, settings) {
      const file = join(folderOf(id), 'settings.json')
      await onDisk(`write ${file}`, () => writeDurably(file, `${JSON.stringify(settings, null, 2)}\n`))
      return file
    },
    remove: id => onDisk(`remove the job ${id}`, () => rm(folderOf(id), { recursive: true, force: true })),
    askToCancel: id => onDisk(`cancel the job ${id}`, () => writeDurably(join(folderOf(id), 'cancel'), '')),
    isCancelAsked: id => exists(join(folderOf(id), 'cancel')),
    async close() {
      ownLock?.release()
      single?.release()
      await rm(ownerFolder(self), { recursive: true, force: true }).catch(() => {}) // a folder that is left holds nothing
    },
  }
}

// A server keeps uploads and pieces of videos within bounds, which two would not.
async function onlyOne(root: string, home: string): Promise<Lock> {
  const lock = await tryLock(root)
  if (lock) return lock
  throw new UsageError(`Another "longtake serve" uses the data folder ${home}.`, {
    hint: 'Open its page, stop it, or set LONGTAKE_HOME to another folder.',
  })
}

function isJobId(name: string): boolean {
  return /^j[0-9a-z]+$/.test(name)
}
