import { join, resolve } from 'node:path'
import { z } from 'zod'
import { UsageError } from '../../../src/core/errors.ts'
import { stableJson } from '../../../src/core/json.ts'
import { ensureFolder, writeDurably } from '../../../src/store/durable.ts'
import { openJsonLines, readJsonLines } from '../../../src/store/json-lines.ts'
import { exists } from '../../../src/store/read-file.ts'
import type { Redact } from '../../../src/store/redact.ts'
import { listRuns } from '../../../src/store/run/run-folder.ts'
import { RecordMap } from '../../benchmarks/map/record-map.ts'
import { AskedBy } from '../../data/asked-by.ts'
import { HumanRow } from '../../data/benchmark-json.ts'
import { readJsonFile } from '../../data/read-json-file.ts'
import { AskRecord, SampleLine } from '../../data/sample-line.ts'
import { JudgeWording, judgeModes } from '../../protocols/judge/protocol.ts'
import type { LineStore } from './line-store.ts'
import { environmentFields, type NewFolder, type OpenFolder, openFolder, startFolder } from './run-folder.ts'

const Plain = z.union([z.string(), z.number(), z.boolean(), z.null()])
const Setting = z
  .unknown()
  .refine(
    value => z.union([Plain, z.array(Plain)]).safeParse(value).success,
    'may be a text, a number, true, false, null, or a list of these',
  )

// What a benchmark run is about: environment.json of its folder. The data's records are known by their hash.
export const BenchRun = z.object({
  ...environmentFields('bench'),
  by: AskedBy.default('longtake'),
  options: z.record(z.string(), Setting), // the benchmark's own settings
  judge: z.string(), // auto, model, words or off, as chosen
  judgedBy: z.string().optional(), // who that is
  judgeMode: z.enum(judgeModes).optional(), // where it is not that of the benchmark, or was chosen
  wording: JudgeWording.optional(),
  prompt: z.object({ file: z.string(), sha256: z.string() }).optional(), // the questions to a model alone, in one's own wording
  about: z.string().optional(), // sha256 of the file that says what the videos are, where it is used
  models: z.record(z.string(), z.string()), // role to backend, and model where it has one
  digests: z.record(z.string(), z.string()).optional(), // role to what its models are to the byte, where that was told
  map: RecordMap.optional(), // by which the data were read
  samples: z.number(),
  dataHash: z.string(), // of ids and questions
  fetched: z.object({ dataset: z.string(), commit: z.string(), changed: z.array(z.string()) }).optional(), // by data.lock.json
  made: z.object({ reviewed: z.number(), of: z.number(), people: HumanRow.optional() }).optional(), // of a set made from own videos: what people had seen then
  settingsHash: z.string(), // of everything that results depend on
  epochs: z.number().optional(), // how often every question was to be asked; the others lie in epochs/
  epoch: z.number().optional(), // which of them this is, from 2 on; it is the seed of its requests
  change: z.unknown().optional(), // what a row of an ablation changes beside the settings
  flags: z.object({ profile: z.string().optional(), config: z.string().optional(), set: z.array(z.string()) }),
})
export type BenchRun = z.infer<typeof BenchRun>

// As they were written: a run that was resumed has the same files as one that was not, to the order of the keys.
const WrittenLine = asWritten(SampleLine)

// A finished part of a sample that is not finished yet, so that nothing is asked twice when the run is killed in between.
const PartLine = z.object({ id: z.string(), ask: asWritten(AskRecord) })

// The folder of a benchmark run, opened for writing by one process:
//   environment.json config.json preflight.json  parts.jsonl samples.jsonl  calls/ frames/  scores.json replies.jsonl frames.jsonl summary.json
export interface RunFiles extends OpenFolder, LineStore {
  run: BenchRun
  tidy(): Promise<SampleLine[]> // samples.jsonl anew: a line for each sample, in the order of the data
}

export interface NewRun extends Omit<NewFolder, 'environment' | 'more'> {
  run: Omit<BenchRun, 'format' | 'started'>
}

export async function newRunFiles({ run, ...rest }: NewRun): Promise<RunFiles> {
  return openRunFiles(await startFolder({ ...rest, environment: run }), rest.redact)
}

// For one process at a time: a run that is being worked on cannot be resumed.
export async function openRunFiles(folder: string, redact: Redact): Promise<RunFiles> {
  const run = await readBenchRun(folder)
  const opened = await openFolder(folder, 'run', redact)
  const samplesFile = join(folder, 'samples.jsonl')
  const partsFile = join(folder, 'parts.jsonl')
  const samples = await openJsonLines(samplesFile, 'each-line')
  const parts = await openJsonLines(partsFile, 'each-line')
  const lines = linesById(await readJsonLines(samplesFile, WrittenLine))
  const recordsById = new Map<string, AskRecord[]>()
  for (const { id, ask } of await readJsonLines(partsFile, PartLine))
    recordsById.set(id, [...(recordsById.get(id) ?? []), ask])
  const written = new Set<string>()
  await ensureFolder(join(folder, 'frames'))
  return {
    ...opened,
    run,
    lines,
    parts: recordsById,
    async append(line) {
      await samples.append(redact(line))
      lines.set(line.id, line)
    },
    async appendPart(id, ask) {
      await parts.append(redact({ id, ask }))
      recordsById.set(id, [...(recordsById.get(id) ?? []), ask])
    },
    async frame(name, jpeg) {
      const file = `frames/${name}`
      if (!written.has(file) && !(await exists(join(folder, file)))) await writeDurably(join(folder, file), jpeg)
      written.add(file)
      return file
    },
    async tidy() {
      const ordered = inOrder(lines)
      await writeDurably(samplesFile, ordered.map(line => `${JSON.stringify(redact(line))}\n`).join(''))
      return ordered
    },
  }
}

export async function readBenchRun(folder: string): Promise<BenchRun> {
  const environmentJson = await readJsonFile(join(folder, 'environment.json'))
  const parsed = BenchRun.safeParse(environmentJson)
  if (parsed.success) return parsed.data
  const other = environmentJson === undefined ? 'no run' : 'no benchmark run'
  throw new UsageError(`${folder} holds ${other}.`, {
    hint: 'See "longtake runs ls"; benchmark runs begin with "bench".',
  })
}

// What a run has so far, without opening it for writing.
export async function readLines(folder: string): Promise<SampleLine[]> {
  return inOrder(linesById(await readJsonLines(join(folder, 'samples.jsonl'), SampleLine)))
}

// A run by its folder, its name among the runs, or the beginning of that name.
export async function findRunFolder(given: string, cwd: string, home: string): Promise<string> {
  const asFolder = resolve(cwd, given)
  if (await exists(join(asFolder, 'environment.json'))) return asFolder
  const runs = await listRuns(home)
  const fitting = runs.filter(run => run.id === given)
  const beginning = fitting.length > 0 ? fitting : runs.filter(run => run.id.startsWith(given))
  const [run, ...others] = beginning
  if (run && others.length === 0) return run.folder
  if (!run)
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

function asWritten<T>(shape: z.ZodType<T>): z.ZodType<T> {
  return z.unknown().transform((value, context) => {
    const { data, error } = shape.safeParse(value)
    if (data === undefined) {
      for (const { path, message } of error?.issues ?? []) context.addIssue({ code: 'custom', path, message })
      return z.NEVER
    }
    return stableJson(data) === stableJson(value) ? (value as T) : data
  })
}

export function linesById(lines: readonly SampleLine[]): Map<string, SampleLine> {
  return new Map(lines.map(line => [line.id, line]))
}

function inOrder(lines: ReadonlyMap<string, SampleLine>): SampleLine[] {
  return [...lines.values()].sort((a, b) => a.place - b.place)
}
