import { join } from 'node:path'
import { z } from 'zod'
import { UsageError } from '../../../../src/core/errors.ts'
import { readJsonLines } from '../../../../src/store/json-lines.ts'
import { listNames } from '../../../../src/store/read-file.ts'
import type { DraftItem } from '../../../recipes/item.ts'
import type { PeopleForm, RecipeCheck } from '../../../recipes/recipe.ts'
import type { Rejected } from '../../machine/run-checks.ts'

// Questions that people wrote themselves, one line each in made/people/REVIEWER.jsonl; a later line may take one back.

const Line = z.looseObject({
  item: z.custom<DraftItem>(value => typeof (value as DraftItem)?.id === 'string').optional(),
  takenBack: z.string().optional(), // id
  doubts: z.array(z.object({ check: z.string(), k: z.number(), detail: z.string() })).default([]),
  by: z.string(),
  at: z.string(), // ISO date
  seconds: z.number().default(0),
})
export type WrittenLine = z.input<typeof Line>

export const writtenFolder = (set: string) => join(set, 'made', 'people')
export const writtenFile = (set: string, by: string) => join(writtenFolder(set), `${by}.jsonl`)

// `flags` are doubts: a second person sees these questions first.
export async function readWritten(set: string): Promise<{ items: DraftItem[]; flags: Rejected[] }> {
  const names = (await listNames(writtenFolder(set))).filter(name => name.endsWith('.jsonl')).sort()
  const files = await Promise.all(names.map(name => readJsonLines(join(writtenFolder(set), name), Line)))
  const lines = files.flat()
  const gone = new Set(lines.flatMap(({ takenBack }) => takenBack ?? []))
  const keptItems = lines.flatMap(({ item, doubts }) => (item && !gone.has(item.id) ? [{ item, doubts }] : []))
  return {
    items: keptItems.map(({ item }) => item),
    flags: keptItems.flatMap(({ item: { id, video }, doubts }) => doubts.map(doubt => ({ item: id, video, ...doubt }))),
  }
}

// How many this person has written of a video, with those taken back: an id is given once.
export async function numberWritten(set: string, by: string, video: string): Promise<number> {
  const lines = await readJsonLines(writtenFile(set, by), Line)
  return lines.filter(({ item }) => item?.video === video).length
}

// Who wrote a question; undefined if its making did.
export function readWriter({ extra }: DraftItem): string | undefined {
  return typeof extra.writtenBy === 'string' ? extra.writtenBy : undefined
}

// What a person saw may stand in no row: of what they wrote these checks only raise a doubt.
const byRows = ['grounded', 'clue']
export const isDoubtOnly = (check: string, item: DraftItem) => readWriter(item) !== undefined && byRows.includes(check)

// The check as it holds of this item: a clue where nothing is read or said has no rows.
export function heldTo(one: RecipeCheck, item: DraftItem): RecipeCheck {
  const bySight = one.check.name === 'evidence' && readWriter(item) !== undefined
  return bySight ? { ...one, thresholds: { ...one.thresholds, rows: 0 } } : one
}

export function requireForm(recipe: { name: string; people?: PeopleForm }): PeopleForm {
  if (recipe.people) return recipe.people
  throw new UsageError(`Questions of people can be written only for cg-bench, and this is a set of ${recipe.name}.`, {
    hint: 'Leave out --people, or make a set of cg-bench.',
  })
}
