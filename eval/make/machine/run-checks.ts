import { join } from 'node:path'
import { z } from 'zod'
import { groupBy } from '../../../src/core/basics/group-by.ts'
import { contentHash, jsonLines } from '../../../src/core/json.ts'
import { writeDurably } from '../../../src/store/durable.ts'
import { readJsonLines } from '../../../src/store/json-lines.ts'
import type { MadeModels } from '../../recipes/author.ts'
import type { CheckGiven, CheckVerdict, DraftItem, ItemCheck, RecipeRules, SourceRecord } from '../../recipes/item.ts'
import type { RecipeCheck } from '../../recipes/recipe.ts'
import { stageFile } from './run-stage.ts'
import type { AskAhead, SentStep } from './workers.ts'

const Line = z.looseObject({ item: z.string(), key: z.string(), outcome: z.enum(['pass', 'reject', 'again', 'flag']) })

export interface ChecksWish {
  checks: readonly RecipeCheck[]
  recipe: { name: string; version: string }
  rules: RecipeRules
  place: number // of the first among the stages
  folder: string
  records: readonly SourceRecord[]
  models: MadeModels
  frames: CheckGiven['frames']
  seed: number
  ahead?: AskAhead
  signal: AbortSignal
  before(check: RecipeCheck, items: readonly DraftItem[], given: CheckGiven): void | Promise<void> // says what it will cost
  deal(items: readonly DraftItem[]): DraftItem[] // the places of the right options
}

// What one check is given.
type CheckingWish = Pick<ChecksWish, 'rules' | 'records' | 'models' | 'frames' | 'seed' | 'signal'>

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
  isGuessable: boolean // by one who sees only the options
  notRun: string[] // "blind: make.blind is off"
  accuracy: Record<string, Record<string, Accuracy>> // of those that ask without pictures: by check and kind
}

// In per cent, of what a filter asked and of what all filters left of that.
interface Accuracy {
  asked: number
  before: number
  kept: number
  after: number | null // null: nothing was left
}

// Every check sees what those before it left.
export async function runChecks(wish: ChecksWish, drafts: readonly DraftItem[]): Promise<ChecksResult> {
  const result: ChecksResult = {
    kept: [...drafts],
    rejected: [],
    flags: [],
    warnings: [],
    notRun: [],
    isGuessable: false,
    accuracy: {},
  }
  const isSetCheck = ({ check }: RecipeCheck) => check.scope === 'set'
  const filters = wish.checks.filter(one => !isSetCheck(one))
  const askedChecks: { name: string; items: readonly DraftItem[]; verdicts: ReadonlyMap<string, CheckVerdict> }[] = []
  for (const [at, one] of [...filters, ...wish.checks.filter(isSetCheck)].entries()) {
    if (at === filters.length) result.kept = wish.deal(result.kept)
    const { check } = one
    const idle = whyIdle(one, wish.models, result.kept)
    if (idle !== undefined) {
      result.notRun.push(`${check.name}: ${idle}`)
      continue
    }
    const heldItems = result.kept.filter(item => isAbout(one, item))
    const checkInput = checkGiven(wish, one)
    await wish.before(one, heldItems, checkInput)
    const verdicts = await readVerdicts(wish, one, wish.place + at, heldItems, checkInput)
    const notPassed = heldItems.flatMap(({ id, video }) => {
      const { outcome = 'pass', detail = '' } = verdicts.get(id) ?? {}
      return outcome === 'pass' ? [] : [{ outcome, line: { item: id, video, check: check.name, k: check.k, detail } }]
    })
    const faulty = notPassed.filter(({ outcome }) => outcome !== 'flag').map(({ line }) => line)
    result.flags.push(...notPassed.filter(({ outcome }) => outcome === 'flag').map(({ line }) => line))
    const gone = [...faulty, ...goneWith(faulty, result.kept, wish.rules)]
    result.rejected.push(...gone)
    const ids = new Set(gone.map(({ item }) => item))
    askedChecks.push({ name: check.name, items: heldItems, verdicts })
    result.kept = result.kept.filter(({ id }) => !ids.has(id))
    const warnings = check.warnings?.(result.kept, checkInput) ?? []
    result.warnings.push(...warnings)
    if (check.warnsOfGuessing && warnings.length > 0) result.isGuessable = true
  }
  if (filters.length === wish.checks.length) result.kept = wish.deal(result.kept)
  const keptIds = new Set(result.kept.map(({ id }) => id))
  for (const { name, items, verdicts } of askedChecks) {
    const accuracy = compareAccuracy(items, verdicts, keptIds)
    if (Object.keys(accuracy).length > 0) result.accuracy[name] = accuracy
  }
  return result
}

function whyIdle({ check: { role }, ofOwn }: RecipeCheck, models: MadeModels, items: readonly DraftItem[]) {
  if (role && models[role].length === 0) return `make.${role} is off`
  if (ofOwn && items.length > 0 && items.every(isAdopted)) return 'questions of another set pass it by'
}

const isAdopted = ({ extra }: DraftItem) => extra.adopted !== undefined

// Whether a check looks at this item at all.
export function isAbout({ ofOwn, holds }: RecipeCheck, item: DraftItem): boolean {
  return !(ofOwn && isAdopted(item)) && (holds?.(item) ?? true)
}

function compareAccuracy(
  items: readonly DraftItem[],
  verdicts: ReadonlyMap<string, CheckVerdict>,
  left: ReadonlySet<string>,
): Record<string, Accuracy> {
  const askedItems = items.filter(({ id }) => verdicts.get(id)?.right !== undefined)
  const percent = (of: readonly DraftItem[]) =>
    (100 * of.reduce((sum, { id }) => sum + (verdicts.get(id)?.right ?? 0), 0)) / of.length
  const accuracy: Record<string, Accuracy> = {}
  for (const [kind, of] of groupBy(askedItems, item => item.kind)) {
    const keptItems = of.filter(({ id }) => left.has(id))
    const after = keptItems.length > 0 ? percent(keptItems) : null
    accuracy[kind] = { asked: of.length, before: percent(of), kept: keptItems.length, after }
  }
  return accuracy
}

// The others of a conversation of which one turn is gone.
export function goneWith(
  gone: readonly Rejected[],
  items: readonly DraftItem[],
  { together }: RecipeRules,
): Rejected[] {
  if (together === undefined) return []
  const groupOf = ({ extra }: DraftItem) => extra[together]
  const ids = new Map(gone.map(one => [one.item, one]))
  const groups = new Map(items.flatMap(item => (ids.has(item.id) ? [[groupOf(item), ids.get(item.id)]] : [])))
  return items.flatMap((item): Rejected[] => {
    const first = groupOf(item) === undefined ? undefined : groups.get(groupOf(item))
    if (!first || ids.has(item.id)) return []
    return [{ ...first, item: item.id, detail: `${first.item} of its ${together} is gone` }]
  })
}

export function checkGiven(
  { rules, records, models, frames, seed, signal }: CheckingWish,
  { thresholds = {} }: RecipeCheck,
): CheckGiven {
  return {
    seed,
    rules,
    thresholds,
    record: finderIn(records),
    frames,
    signal,
    models: role => models[role].map(({ chat }) => chat),
  }
}

export function finderIn(records: readonly SourceRecord[]): CheckGiven['record'] {
  const byId = new Map(records.map(record => [record.video_id, record]))
  return video => {
    const sourceRecord = byId.get(video)
    if (sourceRecord) return sourceRecord
    throw new RangeError(`There is no source record of ${video}.`)
  }
}

// Kept in made/NN-check.jsonl under one key for all that the verdicts depend on.
async function readVerdicts(
  { folder, recipe, rules, records, models, seed, ahead }: ChecksWish,
  { check, thresholds = {} }: RecipeCheck,
  place: number,
  items: readonly DraftItem[],
  given: CheckGiven,
): Promise<Map<string, CheckVerdict>> {
  const checkVersion = [recipe.name, recipe.version, check.k, check.name]
  const role = check.role ?? check.optionalRole
  const roles = [...(role ? [role] : []), ...(check.judged ? (['judge'] as const) : [])]
  const modelIdentities = roles.flatMap(one => models[one].map(({ id, identity }) => [id, identity]))
  const key = contentHash([checkVersion, thresholds, rules, seed, items, records, modelIdentities]).slice(0, 16)
  const file = join(folder, 'made', stageFile(place, check.name))
  const before = (await readJsonLines(file, Line)).filter(line => line.key === key)
  if (before.length === items.length) return byItem(before as unknown as CheckVerdict[])
  await ahead?.(planSteps(check, items, given, modelIdentities))
  const verdictByItem = byItem(await check.run(items, given))
  const missing = items.find(({ id }) => !verdictByItem.has(id))
  if (missing) throw new Error(`The check ${check.name} says nothing of ${missing.id}.`)
  const lines = items.map(({ id }) => ({ ...verdictByItem.get(id), key }))
  await writeDurably(file, jsonLines(lines), 'umask')
  return verdictByItem
}

// What a check asks, by video: none that asks looks beyond one.
function planSteps(check: ItemCheck, items: readonly DraftItem[], given: CheckGiven, asked: unknown[]): SentStep[] {
  if (asked.length === 0) return []
  return [...groupBy(items, ({ video }) => video)].flatMap(([video, own]): SentStep[] => {
    if ((check.calls?.(own, given) ?? 0) + (check.judged?.(own, given) ?? 0) === 0) return []
    const { name } = check
    return [{ kind: 'check', name, asked, record: given.record(video), thresholds: given.thresholds, items: own }]
  })
}

function byItem(verdicts: readonly CheckVerdict[]): Map<string, CheckVerdict> {
  return new Map(verdicts.map(verdict => [verdict.item, verdict]))
}
