import { join } from 'node:path'
import { z } from 'zod'
import { contentHash } from '../../../src/core/json.ts'
import { writeDurably } from '../../../src/store/durable.ts'
import { readJsonLines } from '../../../src/store/json-lines.ts'
import type { CheckGiven, DraftItem, MakeRole, RecipeRules, SourceRecord, Verdict } from '../item.ts'
import type { RecipeCheck } from '../recipe.ts'
import type { MadeModels } from './roles.ts'
import { stageFile } from './run-stage.ts'

const Line = z.looseObject({ item: z.string(), key: z.string(), outcome: z.enum(['pass', 'reject', 'again', 'flag']) })

export interface ChecksWish {
  checks: readonly RecipeCheck[]
  rules: RecipeRules
  place: number // of the first among the stages
  folder: string
  records: readonly SourceRecord[]
  models: MadeModels
  frames: CheckGiven['frames']
  seed: number
  signal: AbortSignal
  before(check: RecipeCheck, items: readonly DraftItem[]): Promise<void> // what it will cost is said first
}

export interface Rejected {
  item: string
  video: string
  check: string
  k: number
  detail: string
}

export interface ChecksResult {
  kept: DraftItem[]
  rejected: Rejected[]
  flags: Rejected[]
  warnings: string[]
  notRun: string[] // "blind: make.blind is off"
}

// Every check sees what those before it left.
export async function runChecks(wish: ChecksWish, drafts: readonly DraftItem[]): Promise<ChecksResult> {
  const result: ChecksResult = { kept: [...drafts], rejected: [], flags: [], warnings: [], notRun: [] }
  for (const [at, one] of wish.checks.entries()) {
    const { check } = one
    if (check.role && wish.models[check.role].length === 0) {
      result.notRun.push(`${check.name}: make.${check.role} is off`)
      continue
    }
    await wish.before(one, result.kept)
    const given = checkGiven(wish, one)
    const verdicts = await verdictsOf(wish, one, wish.place + at, result.kept, given)
    const listed = (outcomes: string[]) =>
      result.kept.flatMap(({ id, video }): Rejected[] => {
        const verdict = verdicts.get(id)
        if (!verdict || !outcomes.includes(verdict.outcome)) return []
        return [{ item: id, video, check: check.name, k: check.k, detail: verdict.detail ?? '' }]
      })
    result.flags.push(...listed(['flag']))
    const gone = listed(['reject', 'again'])
    result.rejected.push(...gone)
    const ids = new Set(gone.map(({ item }) => item))
    result.kept = result.kept.filter(({ id }) => !ids.has(id))
    result.warnings.push(...(check.warnings?.(result.kept, given) ?? []))
  }
  return result
}

export function checkGiven(
  {
    rules,
    records,
    models,
    frames,
    seed,
    signal,
  }: Pick<ChecksWish, 'rules' | 'records' | 'models' | 'frames' | 'seed' | 'signal'>,
  { thresholds = {} }: RecipeCheck,
): CheckGiven {
  const byId = new Map(records.map(record => [record.video_id, record]))
  return {
    seed,
    rules,
    thresholds,
    record(video) {
      const found = byId.get(video)
      if (!found) throw new RangeError(`There is no source record of ${video}.`)
      return found
    },
    models: (role: MakeRole) => models[role].map(({ chat }) => chat),
    frames,
    signal,
  }
}

// Kept in made/NN-check.jsonl under one key for all that the verdicts depend on.
async function verdictsOf(
  { folder, rules, records, models, seed }: ChecksWish,
  { check, thresholds = {} }: RecipeCheck,
  place: number,
  items: readonly DraftItem[],
  given: CheckGiven,
): Promise<Map<string, Verdict>> {
  const role = check.role ?? check.mayAsk
  const asked = role ? models[role].map(({ id, identity }) => [id, identity]) : []
  const key = contentHash([check.k, check.name, thresholds, rules, seed, items, records, asked]).slice(0, 16)
  const file = join(folder, 'made', stageFile(place, check.name))
  const before = (await readJsonLines(file, Line)).filter(line => line.key === key)
  if (before.length === items.length) return byItem(before as unknown as Verdict[])
  const found = byItem(await check.run(items, given))
  const missing = items.find(({ id }) => !found.has(id))
  if (missing) throw new Error(`The check ${check.name} says nothing of ${missing.id}.`)
  const lines = items.map(({ id }) => ({ ...found.get(id), key }))
  await writeDurably(file, lines.map(line => `${JSON.stringify(line)}\n`).join(''), 'umask')
  return found
}

function byItem(verdicts: readonly Verdict[]): Map<string, Verdict> {
  return new Map(verdicts.map(verdict => [verdict.item, verdict]))
}
