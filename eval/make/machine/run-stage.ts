import { join } from 'node:path'
import { z } from 'zod'
import { inOrder } from '../../../src/core/in-order.ts'
import { contentHash } from '../../../src/core/json.ts'
import { writeDurably } from '../../../src/store/durable.ts'
import { readJsonLines } from '../../../src/store/json-lines.ts'
import type { DraftItem, SourceRecord } from '../item.ts'
import type { Made, MakeStage } from '../recipe.ts'
import type { Author } from './author.ts'

const Line = z.looseObject({ unit: z.string(), key: z.string() })

export interface StageWish {
  stage: MakeStage
  recipe: { name: string; version: string }
  place: number // among the stages of the making
  folder: string // of the set
  records: readonly SourceRecord[]
  settings: unknown
  seed: number
  author: Author
  concurrency: number
  signal: AbortSignal
}

export interface StageResult {
  items: DraftItem[]
  drafted: number
  rejected: { item: string; video: string; check: string; detail: string }[]
  none: number // units for which the source holds nothing
}

type StageLine = { unit: string; key: string; by: string } & Made

// One line for each unit in made/NN-stage.jsonl. A line whose key is the same is not made again.
export async function runStage(wish: StageWish): Promise<StageResult> {
  const { stage, place, folder, records, concurrency, signal } = wish
  const file = join(folder, 'made', stageFile(place, stage.name))
  const before = new Map((await readJsonLines(file, Line)).map(line => [line.key, line as unknown as StageLine]))
  const lines: (StageLine & { video: string })[] = []
  for await (const made of inOrder(records, concurrency, signal, (record, inner) =>
    videoLines(wish, record, before, inner),
  ))
    lines.push(...made)
  await writeDurably(file, lines.map(({ video: _, ...line }) => `${JSON.stringify(line)}\n`).join(''), 'umask')
  return {
    items: lines.flatMap(line => ('output' in line ? [line.output] : [])),
    drafted: lines.filter(line => !('none' in line)).length,
    rejected: lines.flatMap(line =>
      'rejected' in line ? [{ item: line.unit, video: line.video, ...line.rejected }] : [],
    ),
    none: lines.filter(line => 'none' in line).length,
  }
}

export function stageFile(place: number, name: string): string {
  return `${String(place).padStart(2, '0')}-${name}.jsonl`
}

async function videoLines(
  { stage, recipe, settings, seed, author }: StageWish,
  record: SourceRecord,
  before: ReadonlyMap<string, StageLine>,
  signal: AbortSignal,
): Promise<(StageLine & { video: string })[]> {
  const lines: (StageLine & { video: string })[] = []
  const source = contentHash(record)
  const earlier: DraftItem[] = []
  const who = 'model' in author ? { ...author, signal } : author
  for (const unit of stage.units(record, { settings, seed })) {
    signal.throwIfAborted()
    const made = [recipe.name, recipe.version, stage.name, stage.version, stage.prompts, settings, seed]
    const by = 'model' in author ? [author.by, author.model.identity] : author.by
    const key = contentHash([made, by, source, unit, earlier]).slice(0, 16)
    const line = before.get(key) ?? {
      ...{ unit: unit.unit, key, by: author.by },
      ...(await stage.make(unit, { settings, seed, record, earlier, author: who })),
    }
    if ('output' in line) earlier.push(line.output)
    lines.push({ ...line, video: record.video_id })
  }
  return lines
}
