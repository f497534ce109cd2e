import { lstat, mkdir, readdir, rename, rm } from 'node:fs/promises'
import { join, relative } from 'node:path'
import { z } from 'zod'
import { Answer } from '../../core/agent.ts'
import { Usage } from '../../core/chat.ts'
import { absentAs, errorCode, StorageError, UsageError } from '../../core/errors.ts'
import { prettyJson, shallowJson } from '../../core/json.ts'
import { readBoundedText } from '../../core/machine/read-bounded.ts'
import { ensureFolder, folderModes, syncFolder, writeDurably } from '../durable.ts'
import { type JsonLines, openJsonLines, readJsonLines } from '../json-lines.ts'
import { exists } from '../read-file.ts'
import { type Redact, redactor } from '../redact.ts'
import { refuseNewer } from '../sealed-record.ts'
import { asStorageError, onDisk } from '../storage-error.ts'
import { isTemporary, sweepAbandoned, sweepAbandonedBelow, temporaryPath } from '../temporary.ts'

// Everything one run does, as plain JSON under <home>/runs/<time>-<slug>/:
//   environment.json { format, started, … }   config.json   turns.json in a conversation   trace.jsonl   calls/   summary.json at the end
export interface RunFolder {
  id: string
  folder: string
  redact: Redact
  trace(event: object): Promise<void> // one line each, with the seconds since the run began as `at`
  json(name: string, value: unknown): Promise<void>
  lines(name: string, sync?: 'each-line' | 'at-flush'): Promise<JsonLines> // samples.jsonl: each row is safe once appended
  finish(summary: unknown): Promise<void>
}

interface RunStart {
  name: string // the slug is made from it: the question, the benchmark
  config: unknown
  environment: Record<string, unknown> // versions; never the process environment
  secrets: readonly (string | undefined)[]
  more?: Record<string, unknown> // other files without which the run cannot be resumed
}

export async function makeRunFolder(home: string, start: RunStart): Promise<RunFolder> {
  const redact = redactor(start.secrets)
  const started = new Date()
  const environment = { format: 1, started: started.toISOString(), name: start.name, ...start.environment }
  const files = { ...start.more, 'config.json': start.config, 'environment.json': environment }
  const { id, folder } = await onDisk(`make a run folder in ${home}`, () =>
    newFolder(join(home, 'runs'), `${stamp(started)}-${slug(redact(start.name))}`, async place => {
      for (const [name, value] of Object.entries(files))
        await writeDurably(join(place, name), prettyJson(redact(value)))
    }),
  )
  return openFolder(id, folder, redact, started)
}

// Goes on with a run that was stopped: its trace and its sample lines are appended to.
export async function resumeRun(home: string, id: string, secrets: RunStart['secrets']): Promise<RunFolder> {
  const { environment, folder } = await readRunRecord(home, id)
  await sweepAbandonedBelow(folder)
  return openFolder(id, folder, redactor(secrets), new Date(environment.started))
}

export interface StoredRun {
  id: string
  folder: string
  name: string
  started: string
  state: RunEnd | 'unfinished' // unfinished: it goes on, or was killed
  kind: 'question' | 'bench' | 'ablate'
  video?: { id: string; name: string } // that a question is about
  usage?: Usage // once it is over
  profile?: string
  outcome?: RunOutcome // of a question that is over
}

type RunEnd = 'finished' | 'cancelled' | 'failed'

export function listRuns(home: string): Promise<StoredRun[]> {
  return runLister(home)()
}

// All runs, the newest first. Asked again, it reads only those that have not ended well and whose folder has changed since: a file
// that is added or replaced changes the folder, the lines that a run appends do not.
export function runLister(home: string): () => Promise<StoredRun[]> {
  const root = join(home, 'runs')
  let knownRuns = new Map<string, KnownRun>()
  const look = async (id: string): Promise<[string, KnownRun]> => {
    const before = knownRuns.get(id)
    if (before?.entry?.state === 'finished') return [id, before]
    const folder = join(root, id)
    const stamp = await lstat(folder).then(({ ino, mtimeMs }) => `${ino} ${mtimeMs}`, absentAs(''))
    return [id, before?.stamp === stamp ? before : { stamp, entry: await readEntry(id, folder) }]
  }
  return async () => {
    const names = await readdir(root).catch(error => {
      if (errorCode(error) === 'ENOENT') return []
      throw asStorageError(error, `read ${root}`)
    })
    knownRuns = new Map(await Promise.all(names.filter(name => !isTemporary(name)).map(look)))
    const runs = [...knownRuns.values()].flatMap(({ entry }) => entry ?? [])
    return runs.sort((a, b) => (a.id < b.id ? 1 : -1))
  }
}

interface KnownRun {
  stamp: string // of its folder
  entry: StoredRun | undefined
}

// A folder without a readable environment.json, or without settings, was killed by an earlier release before it began, and is not
// a run; nor is one that leads elsewhere.
async function readEntry(id: string, folder: string): Promise<StoredRun | undefined> {
  if ((await strayPath(folder)) !== undefined) return undefined
  const environment = Environment.safeParse(await readJson(join(folder, 'environment.json')).catch(() => undefined))
  if (!environment.success || !(await exists(join(folder, 'config.json')))) return undefined
  return { id, folder, ...buildHead(environment.data, await readJson(join(folder, 'summary.json')).catch(() => null)) }
}

function buildHead(
  { name, started, kind, video, profile }: Environment,
  summary: unknown,
): Omit<StoredRun, 'id' | 'folder'> {
  const { usage, spent, answer, steps } = Ended.safeParse(summary).data ?? {}
  return {
    ...{ name, started, state: readState(summary), kind: kind ?? 'question' },
    ...(video && { video: { id: video.id, name: video.name } }),
    ...(profile && { profile: profile.name }),
    ...((usage ?? spent) && { usage: usage ?? spent }),
    ...(answer && { outcome: { ...answer, text: answer.text.slice(0, 300), steps: steps?.length ?? 0 } }),
  }
}

const Outcome = Answer.pick({ text: true, confidence: true, abstained: true, cause: true })

// The usage of a question, of a benchmark; what a question came to.
const Ended = z.object({
  usage: Usage.optional(),
  spent: Usage.optional(),
  answer: Outcome.optional().catch(undefined),
  steps: z.array(z.unknown()).optional().catch(undefined),
})
type RunOutcome = z.infer<typeof Outcome> & { steps: number }

export interface RunRecord extends StoredRun {
  environment: Environment
  config: unknown
  trace: TraceEvent[]
  summary?: unknown
}

const Environment = z.looseObject({
  format: z.number(),
  started: z.string(),
  name: z.string(),
  kind: z.enum(['bench', 'ablate']).optional().catch(undefined),
  video: z.looseObject({ id: z.string(), name: z.string() }).optional().catch(undefined),
  profile: z.looseObject({ name: z.string() }).optional().catch(undefined),
})
type Environment = z.infer<typeof Environment>

const TraceEvent = z.looseObject({ at: z.number() })
export type TraceEvent = z.infer<typeof TraceEvent>

// Runs of strangers are copied here to be looked at: a link in one would lead out of it, and a pipe would never end. The path of the
// first of these in a run folder.
async function strayPath(folder: string): Promise<string | undefined> {
  const stats = await lstat(folder).catch(absentAs(undefined))
  if (stats && !stats.isDirectory()) return folder
  const entries = await readdir(folder, { recursive: true, withFileTypes: true }).catch(absentAs([], 'ENOTDIR'))
  const stray = entries.find(entry => !entry.isFile() && !entry.isDirectory())
  return stray && join(stray.parentPath, stray.name)
}

export async function refuseStray(home: string, id: string): Promise<void> {
  const root = join(home, 'runs')
  const stray = await onDisk(`read ${join(root, id)}`, () => strayPath(join(root, id)))
  if (stray === undefined) return
  throw new UsageError(`In ${root}, ${relative(root, stray)} is a link or no file: the run "${id}" is not read.`, {
    hint: 'Put a copy of the file there if you trust it.',
  })
}

export async function readRunRecord(home: string, id: string): Promise<RunRecord> {
  const folder = join(home, 'runs', id)
  const file = join(folder, 'environment.json')
  const isName = /^\w[\w.-]{0,200}$/.test(id)
  if (isName) await refuseStray(home, id)
  if (!isName || !(await exists(file)))
    throw new UsageError(`There is no run "${id}" in ${join(home, 'runs')}.`, { hint: 'See "longtake runs".' })
  const content = await readJson(file)
  refuseNewer(file, content, 1)
  const { data: environment } = Environment.safeParse(content)
  if (!environment) throw new StorageError(`${file} is damaged.`, { hint: 'The run can no longer be read.' })
  const summary = await readJson(join(folder, 'summary.json'))
  return {
    id,
    folder,
    ...buildHead(environment, summary),
    environment,
    config: await readJson(join(folder, 'config.json')),
    trace: await readJsonLines(join(folder, 'trace.jsonl'), TraceEvent),
    summary,
  }
}

// How a run ended is in its summary; one without a word of it went to its end.
function readState(summary: unknown): StoredRun['state'] {
  if (summary === undefined) return 'unfinished'
  const { status } = z.object({ status: z.string() }).safeParse(summary).data ?? {}
  return status === 'cancelled' || status === 'failed' ? status : 'finished'
}

async function openFolder(id: string, folder: string, redact: Redact, started: Date): Promise<RunFolder> {
  const trace = await openJsonLines(join(folder, 'trace.jsonl'), 'at-flush')
  const json = (name: string, value: unknown) =>
    onDisk(`write ${name} in ${folder}`, () => writeDurably(join(folder, name), prettyJson(redact(value))))
  return {
    id,
    folder,
    redact,
    json,
    trace: event => trace.append(redact({ at: Math.max(0, Date.now() - started.getTime()) / 1000, ...event })),
    async lines(name, sync = 'each-line') {
      const rows = await openJsonLines(join(folder, name), sync)
      return { append: row => rows.append(redact(row)), flush: rows.flush }
    },
    async finish(summary) {
      await trace.flush()
      await json('summary.json', summary)
    },
  }
}

// The folder gets its name only when its first files are in it: a kill leaves a run that can be resumed, or none.
// Two runs may begin in the same second: the second one gets a number.
async function newFolder(
  root: string,
  name: string,
  fill: (folder: string) => Promise<void>,
): Promise<{ id: string; folder: string }> {
  await ensureFolder(root)
  await sweepAbandoned(root) // runs that were killed before they had their name
  const temporary = temporaryPath(root)
  try {
    await mkdir(temporary, { mode: folderModes.private })
    await fill(temporary)
    for (let count = 1; ; count++) {
      const id = count === 1 ? name : `${name}-${count}`
      const folder = join(root, id)
      if (await exists(folder)) continue
      try {
        await rename(temporary, folder)
        await syncFolder(root)
        return { id, folder }
      } catch (error) {
        if (!['EEXIST', 'ENOTEMPTY', 'EPERM'].includes(errorCode(error) ?? '') || !(await exists(folder))) throw error
      }
    }
  } catch (error) {
    await rm(temporary, { recursive: true, force: true }).catch(() => {})
    throw error
  }
}

// "20261121-120328", in universal time: sorts by time, and is a legal file name everywhere.
function stamp(date: Date): string {
  return date.toISOString().replace(/\..*/, '').replaceAll(/[-:]/g, '').replace('T', '-')
}

function slug(name: string): string {
  const plain = name
    .slice(0, 200)
    .normalize('NFKD')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
  return plain.slice(0, 48).replace(/^-+|(?<!-)-+$/g, '') || 'run'
}

const maxRecord = 64e6 // bytes; the run may be a stranger's

async function readJson(file: string): Promise<unknown> {
  try {
    return shallowJson(await readBoundedText(file, maxRecord))
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return undefined
    throw asStorageError(error, `read ${file}`)
  }
}
