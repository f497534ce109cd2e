import { stat } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { z } from 'zod'
import { absentAs, UsageError } from '../../src/core/errors.ts'
import { filesBelow } from '../../src/store/files-below.ts'
import { parseStoredJson, readTextFile } from '../../src/store/read-file.ts'
import { benchmarkNames, loadBenchmark } from '../benchmarks/index.ts'
import type { RecordMap } from '../benchmarks/map/record-map.ts'
import { withMap } from '../benchmarks/map/with-map.ts'
import { allSamples, nameSamples, readSplit } from '../benchmarks/read-split.ts'
import { maxSetFile } from '../data/benchmark-json.ts'
import { findDataFaults } from '../data/data-faults.ts'
import type { Sample } from '../data/sample.ts'
import { rightOption } from '../metrics/choice/options.ts'
import { checks } from '../recipes/checks/index.ts'
import { type ShallowScore, shallowScores } from '../recipes/checks/shallow.ts'
import { measureSpread, type Spread } from '../recipes/checks/spread.ts'
import type { CheckGiven, CheckVerdict, DraftItem, ItemCheck, SourceRecord } from '../recipes/item.ts'

export interface SetCheck {
  benchmark: string
  split?: string
  questions: number
  videos: number
  faults: string[] // of the data
  checks: CheckedLine[]
  shallow: ShallowScore[]
  spread: Spread
}

interface CheckedLine {
  k: number
  name: string
  notRun?: string // why
  questions?: number // that it looked at
  found?: CheckVerdict[]
  warnings?: string[]
}

// The checks of a making, as far as annotations without a video can be held to them.
export async function checkSet(
  wish: { path: string; benchmark?: string; split?: string; map?: RecordMap },
  signal: AbortSignal,
): Promise<SetCheck> {
  const benchmark = withMap(await loadBenchmark(wish.benchmark ?? (await guessBenchmark(wish.path))), wish.map)
  const { records, split } = await readSplit(benchmark, wish.path, wish.split)
  const samples = nameSamples(allSamples(benchmark, records))
  const { items, given, lacks } = readItems(samples, signal)
  const lines: CheckedLine[] = []
  for (const check of checks) lines.push(await checked(check, items, given, lacks[check.name]))
  return {
    benchmark: benchmark.name,
    split,
    questions: items.length,
    videos: new Set(items.map(item => item.video)).size,
    faults: findDataFaults(samples),
    checks: lines,
    shallow: shallowScores(items),
    spread: measureSpread(items, given.record),
  }
}

async function checked(
  check: ItemCheck,
  items: readonly DraftItem[],
  given: CheckGiven,
  lack?: string,
): Promise<CheckedLine> {
  const { k, name } = check
  if (lack !== undefined) return { k, name, notRun: lack }
  const failures = (await check.run(items, given)).filter(({ outcome }) => outcome !== 'pass')
  return { k, name, questions: items.length, found: failures, warnings: check.warnings?.(items, given) ?? [] }
}

function readItems(samples: readonly Sample[], signal: AbortSignal) {
  const items = samples.map(toItem)
  const stated = new Map(samples.map(({ video, stated = 0 }) => [video, stated]))
  const isPlaced = samples.every(sample => sample.clues !== undefined && sample.stated !== undefined)
  const isChoice = items.some(item => item.options !== undefined)
  const rows = 'the data hold no rows of the index'
  const sight = 'only a making asks models'
  const choice = 'there are no options'
  const checkInput: CheckGiven = {
    seed: 1,
    thresholds: { rows: 0, minIntervals: 0 },
    signal,
    rules: { timed: [...new Set(items.map(({ kind }) => kind))] },
    record: video => emptyRecord(video, stated.get(video) ?? 0),
    models: () => [],
    frames: async () => [],
  }
  // By name of a check: what these data do not have.
  const lacks: Partial<Record<string, string>> = {
    grounded: rows,
    'one right': rows,
    clue: rows,
    blind: sight,
    glance: sight,
    'subtitles only': sight,
    'metadata only': sight,
    rubric: 'rubrics are checked while they are made',
    'held out': 'nothing is held out from data that are there',
    ...(!isPlaced && {
      evidence: 'the data name no clues, or no lengths of videos',
      spread: 'the data name no clues',
    }),
    ...(!isChoice && { options: choice, letters: choice, shallow: choice }),
  }
  return { items, given: checkInput, lacks }
}

function toItem({ id, video, question, reference, choice, clues = [], groups }: Sample): DraftItem {
  const options = question.options?.map((option, at) => withoutOwnLetter(option, at, question.options ?? []))
  const right = rightOption(choice, options)
  return {
    id,
    video,
    question: question.text,
    rows: [],
    extra: {},
    kind: Object.values(groups)[0] ?? '',
    answer: options && right !== undefined ? (options[right] ?? '') : (reference ?? ''),
    clues: clues.map(({ start, end }) => [start, end]),
    ...(options && right !== undefined && { options, right }),
  }
}

// "B. red" is "red" where every option begins with its own letter.
function withoutOwnLetter(option: string, at: number, all: readonly string[]): string {
  const letter = (place: number) => new RegExp(`^\\s*\\(?${String.fromCharCode(65 + place)}[.):]\\s*`)
  return all.every((one, place) => letter(place).test(one)) ? option.replace(letter(at), '') : option
}

function emptyRecord(video: string, duration: number): SourceRecord {
  const statistics = { segments: 0, duration, fps: 0, frames: 0, rows: 0 }
  return { video_id: video, video, segments: [], statistics, meta: {}, rows: [] }
}

const MadeCard = z.looseObject({ recipe: z.string() })

// Which benchmark's data these are: as the card of a made set says, else by the names of the files. Where several fit, none is preferred.
async function guessBenchmark(path: string): Promise<string> {
  const kind = await stat(path).catch(absentAs(undefined))
  if (!kind)
    throw new UsageError(`There is nothing at ${path}.`, { hint: 'Name the folder of a set, or its annotation file.' })
  const card = kind.isFile() ? undefined : await readTextFile(join(path, 'benchmark.json'), maxSetFile)
  const madeCard = MadeCard.safeParse(parseStoredJson(card)).data
  if (madeCard) return madeCard.recipe
  const names = (kind.isFile() ? [path] : await filesBelow(path, 2)).map(file => basename(file))
  const fitting: string[] = []
  for (const name of benchmarkNames) {
    const { isFile } = (await loadBenchmark(name)).data.annotations
    // A benchmark whose makers name no file takes any; nothing is told by that.
    if (!isFile('any-name-at-all.json') && names.some(isFile)) fitting.push(name)
  }
  const [only] = fitting
  if (only !== undefined && fitting.length === 1) return only
  throw new UsageError(
    fitting.length > 1
      ? `${path} may hold ${fitting.join(' or ')}.`
      : `The names of the files at ${path} do not tell which benchmark they are of.`,
    { hint: `Say which: --benchmark ${fitting[0] ?? 'NAME'}. There are: ${benchmarkNames.join(', ')}.` },
  )
}
