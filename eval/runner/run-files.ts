import { join } from 'node:path'
import { z } from 'zod'
import { StorageError, UsageError } from '../../src/core/errors.ts'
import { makeFolder, writeDurably } from '../../src/store/durable.ts'
import { openJsonLines, readJsonLines } from '../../src/store/json-lines.ts'
import { type Lock, tryLock } from '../../src/store/lock.ts'
import { exists, readText } from '../../src/store/read-file.ts'
import type { Redact } from '../../src/store/redact.ts'
import { listRuns, startRun } from '../../src/store/run/run-folder.ts'
import { sweepAbandonedBelow } from '../../src/store/temporary.ts'
import { AskRecord, SampleLine } from './line.ts'

// What a benchmark run is about: environment.json of its folder. The data's records are known by their hash.
export const BenchRun = z.object({
  format: z.literal(1),
  kind: z.literal('bench'),
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
  tasks: z.array(z.string()),
  by: z.enum(['agent', 'model']).default('agent'), // models.vision alone, with the frames of the protocol
  options: z.record(z.string(), z.unknown()), // the benchmark's own settings
  judge: z.string(), // auto, model, words or off, as chosen
  judgedBy: z.string().optional(), // who that is
  wording: z.object({ file: z.string(), sha256: z.string(), released: z.boolean() }).optional(),
  prompt: z.object({ file: z.string(), sha256: z.string() }).optional(), // the questions to a model alone, in one's own wording
  models: z.record(z.string(), z.string()), // role to backend, and model where it has one
  samples: z.number(),
  dataHash: z.string(), // of ids and questions
  settingsHash: z.string(), // of everything that results depend on
  change: z.unknown().optional(), // what a row of an ablation changes beside the settings
  flags: z.object({ profile: z.string().optional(), config: z.string().optional(), set: z.array(z.string()) }),
})
export type BenchRun = z.infer<typeof BenchRun>

// A finished part of a sample that is not finished yet, so that nothing is asked twice when the run is killed in between.
const Part = z.object({ id: z.string(), ask: AskRecord })

// The folder of a benchmark run, opened for writing by one process:
//   environment.json config.json preflight.json  parts.jsonl samples.jsonl  calls/ frames/  scores.json replies.jsonl summary.json
export interface RunFiles {
  folder: string
  run: BenchRun
  lines: Map<string, SampleLine> // the last of each sample
  parts: Map<string, AskRecord[]>
  append(line: SampleLine): Promise<void>
  appendPart(id: string, ask: AskRecord): Promise<void>
  frame(name: string, jpeg: Uint8Array): Promise<string> // its file below the folder
  json(name: string, value: unknown): Promise<void>
  text(name: string, content: string): Promise<void>
  tidy(): Promise<SampleLine[]> // samples.jsonl anew: a line for each sample, in the order of the data
  close(): void
}

export interface NewRun {
  home: string
  out?: string // a folder of one's own instead of one among the runs
  run: Omit<BenchRun, 'format' | 'started'>
  config: unknown
  redact: Redact
}

export async function newRunFiles({ home, out, run, config, redact }: NewRun): Promise<RunFiles> {
  const { name, ...environment } = run
  if (out === undefined) {
    const { folder } = await startRun(home, {
      name,
      config: redact(config),
      environment: redact(environment),
      secrets: [],
    })
    return openRunFiles(folder, redact)
  }
  if (await exists(join(out, 'environment.json')))
    throw new UsageError(`There is a run in ${out} already.`, {
      hint: `Go on with it by --resume ${out}, or name another folder.`,
    })
  await makeFolder(out)
  await writeDurably(join(out, 'config.json'), pretty(redact(config)))
  const started = new Date().toISOString()
  await writeDurably(join(out, 'environment.json'), pretty(redact({ format: 1, started, name, ...environment })))
  return openRunFiles(out, redact)
}

// For one process at a time: a run that is being worked on cannot be resumed.
export async function openRunFiles(folder: string, redact: Redact): Promise<RunFiles> {
  const run = await readBenchRun(folder)
  const lock: Lock | undefined = await tryLock(folder)
  if (!lock)
    throw new UsageError(`Another longtake works on the run in ${folder}.`, { hint: 'Wait for it, or stop it first.' })
  await sweepAbandonedBelow(folder)
  const samplesFile = join(folder, 'samples.jsonl')
  const partsFile = join(folder, 'parts.jsonl')
  const samples = await openJsonLines(samplesFile, 'each-line')
  const parts = await openJsonLines(partsFile, 'each-line')
  const lines = lastLines(await readJsonLines(samplesFile, SampleLine))
  const known = new Map<string, AskRecord[]>()
  for (const { id, ask } of await readJsonLines(partsFile, Part)) known.set(id, [...(known.get(id) ?? []), ask])
  const written = new Set<string>()
  await makeFolder(join(folder, 'frames'))
  return {
    folder,
    run,
    lines,
    parts: known,
    async append(line) {
      await samples.append(redact(line))
      lines.set(line.id, line)
    },
    appendPart: (id, ask) => parts.append(redact({ id, ask })),
    async frame(name, jpeg) {
      const file = `frames/${name}`
      if (!written.has(file) && !(await exists(join(folder, file)))) await writeDurably(join(folder, file), jpeg)
      written.add(file)
      return file
    },
    json: (name, value) => writeDurably(join(folder, name), pretty(redact(value))),
    text: (name, content) => writeDurably(join(folder, name), redact(content)),
    async tidy() {
      const ordered = inOrder(lines)
      await writeDurably(samplesFile, ordered.map(line => `${JSON.stringify(redact(line))}\n`).join(''))
      return ordered
    },
    close: () => lock.release(),
  }
}

export async function readBenchRun(folder: string): Promise<BenchRun> {
  const found = await readJson(join(folder, 'environment.json'))
  const parsed = BenchRun.safeParse(found)
  if (parsed.success) return parsed.data
  const other = found === undefined ? 'no run' : 'no benchmark run'
  throw new UsageError(`${folder} holds ${other}.`, {
    hint: 'See "longtake runs ls"; benchmark runs begin with "bench".',
  })
}

// What a run has so far, without opening it for writing.
export async function readLines(folder: string): Promise<SampleLine[]> {
  return inOrder(lastLines(await readJsonLines(join(folder, 'samples.jsonl'), SampleLine)))
}

export async function readJson(file: string): Promise<unknown> {
  const text = await readText(file)
  if (text === undefined) return undefined
  try {
    return JSON.parse(text)
  } catch (error) {
    throw new StorageError(`${file} is damaged.`, { cause: error })
  }
}

// A run by its folder, its name among the runs, or the beginning of that name.
export async function findRun(given: string, cwd: string, home: string): Promise<string> {
  const { isAbsolute, resolve } = await import('node:path')
  const asFolder = isAbsolute(given) ? given : resolve(cwd, given)
  if (await exists(join(asFolder, 'environment.json'))) return asFolder
  const runs = await listRuns(home)
  const fitting = runs.filter(run => run.id === given)
  const beginning = fitting.length > 0 ? fitting : runs.filter(run => run.id.startsWith(given))
  if (beginning.length === 1) return beginning[0].folder
  if (beginning.length === 0)
    throw new UsageError(`There is no run "${given}", neither as a folder nor among the runs.`, {
      hint: 'See "longtake runs ls".',
    })
  throw new UsageError(`"${given}" is the beginning of ${beginning.length} runs.`, {
    hint: `Write more of it: ${beginning
      .slice(0, 4)
      .map(run => run.id)
      .join(', ')}.`,
  })
}

function lastLines(lines: readonly SampleLine[]): Map<string, SampleLine> {
  return new Map(lines.map(line => [line.id, line]))
}

function inOrder(lines: ReadonlyMap<string, SampleLine>): SampleLine[] {
  return [...lines.values()].sort((a, b) => a.place - b.place)
}

function pretty(value: unknown): string {
  return `${JSON.stringify(value, null, 2)}\n`
}
