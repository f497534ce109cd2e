import { join } from 'node:path'
import { z } from 'zod'
import { UsageError } from '../../../src/core/errors.ts'
import { readJsonLines } from '../../../src/store/json-lines.ts'
import { exists, listNames, parseStoredJson, readTextFile } from '../../../src/store/read-file.ts'
import { type MadeSet, readMadeSet } from '../../data/benchmark-json.ts'
import type { DraftItem, SourceRecord } from '../../recipes/item.ts'
import type { MakeRecipe } from '../../recipes/recipe.ts'
import { readOptions } from '../../runner/options.ts'
import { loadRecipe, withThresholds } from '../load-recipe.ts'
import { type MakingRequest, readMakeRequest } from '../request.ts'
import { byPlace } from '../set/deal-letters.ts'
import { keptFile, recordsFile } from '../set/write-set.ts'
import { readWritten } from './people/written.ts'
import { collectReviews, type Reviews } from './queue.ts'
import { itemHash, ReviewLine } from './verdict.ts'

const Flag = z.object({ item: z.string(), video: z.string(), check: z.string(), k: z.number(), detail: z.string() })
const SourceRecords = z.custom<SourceRecord>(value => typeof (value as SourceRecord)?.video_id === 'string')
const KeptFile = z.object({
  items: z.array(z.custom<DraftItem>(value => typeof (value as DraftItem)?.id === 'string')),
  flags: z.array(Flag),
  warnings: z.array(z.string()),
})

// A made set as its making left it, with the questions that people wrote; what people say changes none of this.
export interface ReviewSet extends z.infer<typeof KeptFile> {
  folder: string
  set: MadeSet
  wish: MakingRequest
  recipe: MakeRecipe
  settings: Record<string, unknown> // of the recipe, as the set was made with
  records: SourceRecord[]
  hashes: ReadonlyMap<string, string> // of the items, by id
  pending?: readonly ReviewLine[] // that are to be said, and are not on the disk yet
}

export async function readReviewSet(folder: string): Promise<ReviewSet> {
  const set = await readMadeSet(folder)
  if (!set)
    throw new UsageError(`${folder} holds no whole made set, and only such a set can be reviewed.`, {
      hint: 'Make one, or resume one that was stopped: longtake bench make --resume.',
    })
  const keptContent = KeptFile.safeParse(parseStoredJson(await readTextFile(join(folder, keptFile))))
  if (!keptContent.success || !(await exists(join(folder, recordsFile))))
    throw new UsageError(
      `${keptFile} or ${recordsFile} of ${folder} is not there or damaged: they say what is to be reviewed.`,
      {
        hint: 'Write it again, from what is recorded: longtake bench make --resume.',
      },
    )
  const [wish, loaded, records, written] = await Promise.all([
    readMakeRequest({ set: folder }),
    loadRecipe(set.recipe),
    readJsonLines(join(folder, recordsFile), SourceRecords),
    readWritten(folder),
  ])
  const settings = readOptions(loaded, wish.options)
  const recipe = withThresholds(loaded, settings)
  const { warnings } = keptContent.data
  const items = byPlace([...keptContent.data.items, ...written.items])
  const hashes = new Map(items.map(item => [item.id, itemHash(item)]))
  const flags = [...keptContent.data.flags, ...written.flags]
  return { folder, set, wish, recipe, settings, records, hashes, items, flags, warnings }
}

// What people are to see first, and why: what a check flagged, and the types that go wrong most.
export function listFlags({ flags, recipe }: Pick<ReviewSet, 'flags' | 'recipe'>, { id, kind }: DraftItem): string[] {
  const isRisky = recipe.rules.lookFirst?.includes(kind)
  const flagTexts = flags.filter(({ item }) => item === id).map(({ check, detail }) => `${check}: ${detail}`)
  return isRisky ? [...flagTexts, `questions of the type "${kind}" go wrong most`] : flagTexts
}

export const flaggedItems = (set: ReviewSet): ReadonlySet<string> =>
  new Set(set.items.filter(item => listFlags(set, item).length > 0).map(({ id }) => id))

export const reviewFolder = join('made', 'review') // locks, and who looks at what
export const verdictFolder = (folder: string) => join(folder, 'verdicts')
export const verdictFile = (folder: string, reviewer: string) => join(verdictFolder(folder), `${reviewer}.jsonl`)

const maxReviewers = 50 // each pair of them is compared

export async function readReviews({
  folder,
  hashes,
  pending = [],
}: ReviewSet): Promise<{ reviews: Reviews; lines: ReviewLine[] }> {
  const names = (await listNames(verdictFolder(folder))).filter(name => name.endsWith('.jsonl')).sort()
  const files = await Promise.all(names.map(name => readJsonLines(join(verdictFolder(folder), name), ReviewLine)))
  const lines = [...files.flat(), ...pending]
  const people = new Set(lines.map(({ reviewer }) => reviewer)).size
  if (people > maxReviewers)
    throw new UsageError(`These are verdicts of ${people} reviewers; ${maxReviewers} are the most that a set takes.`, {
      hint: `Leave out some of them: each has a file in ${verdictFolder(folder)}.`,
    })
  return { reviews: collectReviews(lines, hashes), lines }
}
