import { basename, isAbsolute, join } from 'node:path'
import { z } from 'zod'
import { differingSettings } from '../../../src/config/layers/differing-settings.ts'
import { leavesOf } from '../../../src/config/tree.ts'
import { UsageError } from '../../../src/core/errors.ts'
import { isObject, prettyJson } from '../../../src/core/json.ts'
import { ensureFolder, writeDurably } from '../../../src/store/durable.ts'
import { tryLock } from '../../../src/store/lock.ts'
import { exists } from '../../../src/store/read-file.ts'
import type { Redact } from '../../../src/store/redact.ts'
import { makeRunFolder } from '../../../src/store/run/run-folder.ts'
import { sweepAbandonedBelow } from '../../../src/store/temporary.ts'
import { readJsonFile } from '../../data/read-json-file.ts'
import { OwnName } from '../../data/sample-line.ts'

// How the environment.json of a benchmark run and of a study begins.
export function environmentFields<Kind extends 'bench' | 'ablate'>(kind: Kind) {
  return {
    format: z.literal(1),
    kind: z.literal(kind),
    name: z.string(),
    started: z.string(),
    version: z.string(),
    node: z.string(),
    platform: z.string(),
    profile: z.object({ name: z.string(), why: z.string() }),
    benchmark: z.string(),
    data: z.string(), // absolute
    videos: z.string().optional(), // --videos, absolute
    split: z.string().optional(),
    limit: z.number().optional(),
    tasks: z.array(OwnName),
  }
}

type Subject = Pick<z.infer<z.ZodObject<ReturnType<typeof environmentFields>>>, 'benchmark' | 'split'>

// The same of this process.
export function environmentNow<Kind extends 'bench' | 'ablate'>(
  kind: Kind,
  { benchmark, split }: Subject,
  version: string,
) {
  return {
    kind,
    name: `${kind} ${benchmark}${split ? ` ${split}` : ''}`,
    version,
    node: process.version,
    platform: `${process.platform} ${process.arch}`,
  }
}

export interface NewFolder {
  home: string
  out?: string // a folder of one's own instead of one among the runs
  environment: { name: string } & object
  config: unknown
  redact: Redact
  more?: Record<string, unknown> // other files without which it cannot be resumed
}

export async function startFolder({ home, out, environment, config, redact, more }: NewFolder): Promise<string> {
  const { name, ...rest } = environment
  const files = redact({ ...more, 'config.json': config })
  if (out === undefined) {
    const { 'config.json': settings, ...others } = files
    const start = { name, config: settings, environment: redact(rest), secrets: [], more: others }
    return (await makeRunFolder(home, start)).folder
  }
  if (await exists(join(out, 'environment.json')))
    throw new UsageError(`There is a run in ${out} already.`, {
      hint: `Resume it with --resume ${out}, or name another folder.`,
    })
  await ensureFolder(out)
  const begun = redact({ format: 1, started: new Date().toISOString(), name, ...rest })
  for (const [file, value] of Object.entries({ ...files, 'environment.json': begun }))
    await writeDurably(join(out, file), prettyJson(value))
  return out
}

// A folder that only this process works on.
export interface OpenFolder {
  folder: string
  json(name: string, value: unknown): Promise<void>
  text(name: string, content: string): Promise<void>
  close(): void
}

export async function openFolder(folder: string, what: 'run' | 'study', redact: Redact): Promise<OpenFolder> {
  const lock = await tryLock(folder)
  if (!lock)
    throw new UsageError(`Another longtake works on the ${what} in ${folder}.`, {
      hint: 'Wait for it, or stop it first.',
    })
  await sweepAbandonedBelow(folder)
  return {
    folder,
    json: (name, value) => writeDurably(join(folder, name), prettyJson(redact(value))),
    text: (name, content) => writeDurably(join(folder, name), redact(content)),
    close: () => lock.release(),
  }
}

interface Identity {
  before: object
  now: object
  settings: unknown // of now; those of before are in config.json
}

// Only what is the same is resumed: else the folder is closed again and the differences are named.
export async function refuseOther(
  files: OpenFolder,
  what: 'run' | 'study',
  { before, now, settings }: Identity,
  hint: string,
): Promise<void> {
  const plain = (value: unknown) => JSON.parse(JSON.stringify(value))
  const differences = [
    ...settingsThatDiffer(plain(before), plain(now)),
    ...settingsThatDiffer(await readJsonFile(join(files.folder, 'config.json')), plain(settings)),
  ]
  if (differences.length === 0) return
  files.close()
  throw new UsageError(
    `This is another ${what} than the one in ${files.folder}: ${differences.slice(0, 3).join('; ')}.`,
    {
      hint,
    },
  )
}

// Settings of a server or of the talk with it: they may change while a run is stopped without changing what it measures.
const aside =
  /(?:^|\.)(?:url|baseUrl|host|apiKey|key|token|headers|limits|keepAlive|organization|stream)(?:\.|$)|^(?:output|prices)\./

// The settings that results hang on, by their dotted names, as they may leave this machine: of a file or folder only its name.
export function publicSettings(config: unknown): Record<string, unknown> {
  const leaves = isObject(config) ? [...leavesOf(config)] : []
  return Object.fromEntries(
    leaves.flatMap(({ path, value }) => {
      const name = path.join('.')
      return aside.test(name) || ofMachine.test(name) ? [] : [[name, withoutFolder(value)]]
    }),
  )
}

const ofMachine =
  /^(?:cluster|serve|watch|fetch|limits|tools\.servers)\.|^index\.(?:segments|decoder|trustMtime|maxHours)$/

function withoutFolder(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutFolder)
  return typeof value === 'string' && isAbsolute(value) ? basename(value) : value
}

// What differs between two sets of settings, as "models.planner.model: qwen3:4b, now qwen3:8b"; none if results can be compared.
export function settingsThatDiffer(before: unknown, now: unknown): string[] {
  const text = (value: unknown) => JSON.stringify(value) ?? 'not set'
  return differingSettings(before, now)
    .filter(({ setting }) => !aside.test(setting))
    .map(({ setting, a, b }) => `${setting}: ${text(a)}, now ${text(b)}`)
}
