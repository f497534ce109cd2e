import { join } from 'node:path'
import { z } from 'zod'
import { inOrder } from '../../../src/core/basics/in-order.ts'
import { contentHash, jsonLines } from '../../../src/core/json.ts'
import { writeDurably } from '../../../src/store/durable.ts'
import { readJsonLines } from '../../../src/store/json-lines.ts'
import { type Author, type MadeModels, openAuthor, type UnitResult } from '../../recipes/author.ts'
import type { DraftItem, SourceRecord } from '../../recipes/item.ts'
import { type Before, type MadeUnit, type MakeStage, type MakeUnit, outputsOf } from '../../recipes/recipe.ts'
import { forecastLine, stageForecast } from './forecast.ts'
import type { MadeMedia } from './media.ts'
import type { AskAhead, SentStep } from './workers.ts'

const Line = z.looseObject({ unit: z.string(), key: z.string() })

export interface StageWish {
  stage: MakeStage<unknown, unknown>
  recipe: { name: string; version: string }
  place: number // among the stages of the making
  folder: string // of the set
  records: readonly SourceRecord[]
  before: ReadonlyMap<string, Before> // by video_id
  settings: unknown
  seed: number
  author: Author // whoever fills the role of the stage
  media: MadeMedia
  concurrency: number
  ahead?: AskAhead
  signal: AbortSignal
}

// What the lines of one video depend on.
type LinesWish = Pick<StageWish, 'stage' | 'recipe' | 'settings' | 'seed' | 'author' | 'before' | 'media'>

export interface MakeStageResult {
  made: ReadonlyMap<string, MadeUnit[]> // by video_id, in the order of the records
  drafted: number
  rejected: { item: string; video: string; check: string; detail: string }[]
}

type StageLine = { unit: string; key: string; by: string } & UnitResult<unknown>

// One line for each unit in made/NN-stage.jsonl. A line whose key is the same is not made again.
export async function runMakeStage(wish: StageWish): Promise<MakeStageResult> {
  const { stage, place, folder, records, concurrency, signal } = wish
  const file = join(folder, 'made', stageFile(place, stage.name))
  const before = new Map((await readJsonLines(file, Line)).map(line => [line.key, line as unknown as StageLine]))
  await wish.ahead?.(records.flatMap(record => planStep(wish, record, before)))
  const linesOf = async (record: SourceRecord, inner: AbortSignal) =>
    [record.video_id, await videoLines(wish, record, before, inner)] as const
  const lines = new Map<string, StageLine[]>()
  for await (const [video, own] of inOrder(records, concurrency, signal, linesOf)) lines.set(video, own)
  await writeDurably(file, jsonLines([...lines.values()].flat()), 'umask')
  const rejected = [...lines].flatMap(([video, own]) =>
    own.flatMap(line => ('rejected' in line ? [{ item: line.unit, video, ...line.rejected }] : [])),
  )
  const madeIn = (line: StageLine) => ('output' in line ? [{ unit: line.unit, output: line.output }] : [])
  const madeByVideo = new Map([...lines].map(([video, own]) => [video, own.flatMap(madeIn)]))
  return { made: madeByVideo, drafted: [...madeByVideo.values()].flat().length + rejected.length, rejected }
}

export function stageFile(place: number, name: string): string {
  return `${String(place).padStart(2, '0')}-${name}.jsonl`
}

function givenTo({ settings, seed, author, before }: LinesWish, { video_id }: SourceRecord) {
  const otherVideos = [...before].flatMap(([video, one]) => (video === video_id ? [] : [one]))
  return { settings, seed, author, before: before.get(video_id) ?? {}, others: otherVideos }
}

function keyUnits({ stage, recipe, settings, seed, author }: LinesWish, record: SourceRecord) {
  const source = contentHash(record)
  const stageVersion = [recipe.name, recipe.version, stage.name, stage.version, stage.prompts, settings, seed]
  const by = 'model' in author ? [author.by, author.model.identity] : author.by
  return (unit: MakeUnit, earlier: readonly unknown[]) =>
    contentHash([stageVersion, by, source, unit, earlier]).slice(0, 16)
}

// What is to be asked of a model about one video; nothing if every line is there.
function planStep(wish: LinesWish, record: SourceRecord, before: ReadonlyMap<string, StageLine>): SentStep[] {
  const { stage, author } = wish
  if (!('model' in author)) return []
  const stageInput = givenTo(wish, record)
  const units = stage.units(record, stageInput)
  const keyOf = keyUnits(wish, record)
  const earlier: unknown[] = []
  const isThere = (unit: MakeUnit) => {
    const line = before.get(keyOf(unit, earlier))
    if (line && 'output' in line) earlier.push(line.output)
    return line !== undefined
  }
  if (units.every(isThere) || units.every(unit => stage.calls(unit, author) === 0)) return []
  const authorIdentity = [author.by, author.model.identity]
  return [{ kind: 'stage', name: stage.name, asked: authorIdentity, record, units, before: stageInput.before }]
}

// Also of a machine that makes them only for their calls.
export async function videoLines(
  wish: LinesWish,
  record: SourceRecord,
  before: ReadonlyMap<string, StageLine>,
  signal: AbortSignal,
): Promise<StageLine[]> {
  const { stage, author, media } = wish
  const lines: StageLine[] = []
  const earlier: unknown[] = []
  const keyOf = keyUnits(wish, record)
  const authorInput = { ...givenTo(wish, record), author: 'model' in author ? { ...author, signal } : author }
  for (const unit of stage.units(record, authorInput)) {
    signal.throwIfAborted()
    const key = keyOf(unit, earlier)
    const line = before.get(key) ?? {
      unit: unit.unit,
      key,
      by: author.by,
      calls: [],
      tries: 0,
      ...(await stage.make(unit, {
        ...authorInput,
        record,
        earlier,
        prompts: stage.prompts,
        frames: (times, size) => media.frames(record.video_id, times, size),
        sounds: spans => media.sounds(record.video_id, spans),
      })),
    }
    if ('output' in line) earlier.push(line.output)
    lines.push(line)
  }
  return lines
}

interface StagesWish extends Omit<StageWish, 'stage' | 'before' | 'author'> {
  stages: readonly MakeStage<unknown, unknown>[] // `place` is that of the first
  models: MadeModels
  until?: string // the last one that is run
  say(line: string): void
}

interface StagesResult {
  before: ReadonlyMap<string, Before> // what each made, by video
  items: DraftItem[] // outputs of the last stage
  drafted: number
  rejected: MakeStageResult['rejected']
}

// Every stage is given what those before it made of the same video. Whatever any of them rejects was drafted.
export async function runStages(wish: StagesWish): Promise<StagesResult> {
  const { stages, place, records, models, seed, signal, until, say } = wish
  let before = new Map<string, Before>(records.map(({ video_id }) => [video_id, {}]))
  const rejected: MakeStageResult['rejected'] = []
  let last: MakeStageResult | undefined
  for (const [at, stage] of stages.entries()) {
    if (at > 0) for (const line of stageForecast(stage, { ...wish, before }, true)) say(forecastLine(line))
    const author = openAuthor(stage, models, seed, signal)
    last = await runMakeStage({ ...wish, stage, place: place + at, before, author })
    rejected.push(...last.rejected)
    say(`${stage.name}: ${last.drafted - last.rejected.length} of ${last.drafted} drafted can be used`)
    before = new Map([...last.made].map(([video, units]) => [video, { ...before.get(video), [stage.name]: units }]))
    if (until === stage.name) break
  }
  const items = outputsOf<DraftItem>([...(last?.made.values() ?? [])].flat())
  return { before, items, drafted: items.length + rejected.length, rejected }
}
