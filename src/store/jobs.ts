import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { z } from 'zod'
import { JobRecord } from '../core/api/job.ts'
import { UsageError } from '../core/errors.ts'
import { makeFolder, writeDurably } from './durable.ts'
import { type JsonLines, openJsonLines } from './json-lines.ts'
import { tryLock } from './lock.ts'
import { namesIn } from './read-file.ts'
import { readRecord, saveRecord } from './sealed-record.ts'
import { onDisk } from './storage-error.ts'

// What a server was asked to do, one folder a job under <home>/jobs/: job.json (what and how far), trace.jsonl (what happened
// while it was indexing; a question's events are in its run), settings.json (that an indexing was made with).
export interface JobStore {
  read(): Promise<JobRecord[]> // in the order in which they were made; a damaged one is passed over
  save(job: JobRecord): Promise<void>
  traceFile(id: string): string
  trace(id: string): Promise<JsonLines>
  settings(id: string, settings: object): Promise<string> // the path of the file
  remove(id: string): Promise<void>
  close(): void
}

const Stored = JobRecord.extend({ format: z.literal(1) })

// One server at a time: what another one is at would look like what was left by a kill.
export async function openJobStore(home: string): Promise<JobStore> {
  const root = join(home, 'jobs')
  const lock = await tryLock(root)
  if (!lock)
    throw new UsageError(`Another "longtake serve" uses the data folder ${home}.`, {
      hint: 'Open its page, stop it, or set LONGTAKE_HOME to another folder.',
    })
  const folderOf = (id: string) => join(root, id)
  return {
    async read() {
      const names = (await namesIn(root)).filter(name => isJobId(name)).sort()
      const found = await Promise.all(names.map(name => readRecord(join(folderOf(name), 'job.json'), Stored)))
      return found.filter(one => typeof one !== 'string').map(({ format: _, ...job }) => job)
    },
    save: job =>
      onDisk(`save the job ${job.id}`, async () => {
        await makeFolder(folderOf(job.id))
        await saveRecord(join(folderOf(job.id), 'job.json'), { format: 1, ...job })
      }),
    traceFile: id => join(folderOf(id), 'trace.jsonl'),
    trace: id => openJsonLines(join(folderOf(id), 'trace.jsonl'), 'at-flush'),
    async settings(id, settings) {
      const file = join(folderOf(id), 'settings.json')
      await onDisk(`write ${file}`, () => writeDurably(file, `${JSON.stringify(settings, null, 2)}\n`))
      return file
    },
    remove: id => onDisk(`remove the job ${id}`, () => rm(folderOf(id), { recursive: true, force: true })),
    close: () => lock.release(),
  }
}

function isJobId(name: string): boolean {
  return /^j[0-9a-z]+$/.test(name)
}
