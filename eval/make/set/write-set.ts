import { readFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { UsageError } from '../../../src/core/errors.ts'
import { contentHash, indentedJson, jsonLines } from '../../../src/core/json.ts'
import { ensureFolder, removeFile, writeDurably } from '../../../src/store/durable.ts'
import { placeFile } from '../../../src/store/place-file.ts'
import { readTextFile } from '../../../src/store/read-file.ts'
import { type Ladder, type MadeSet, madeSplit, readMadeSet } from '../../data/benchmark-json.ts'
import type { MadeModels } from '../../recipes/author.ts'
import { type DraftItem, makeRoles } from '../../recipes/item.ts'
import type { MakeRecipe, MakeStage, ToWrite } from '../../recipes/recipe.ts'
import type { ChecksResult, Rejected } from '../machine/run-checks.ts'
import type { MakingRequest } from '../request.ts'
import type { SourceSet } from '../source/read-source.ts'
import { type ToCard, writeSetCard } from './card.ts'
import { cutClips, placeClips } from './clue-clips.ts'
import { cardWith, withLadder } from './ladder.ts'

// What people review: the questions as they left the checks, with their letters, and what is to be seen first.
export const keptFile = 'made/kept.json'
export const recordsFile = 'made/records.jsonl' // what they rest on, as described
export const rejectedFile = 'made/rejected.jsonl'

interface ToSet extends SetItems {
  folder: string
  recipe: MakeRecipe
  wish: MakingRequest
  settings: unknown
  sources: SourceSet
  models: MadeModels
  author?: 'people' | 'rules' // who wrote where no model did; rules where left out
  copy: boolean
  signal: AbortSignal
}

// The questions of a set, and what became of the others.
interface SetItems {
  items: readonly DraftItem[] // kept, with their letters
  drafted: number
  rejected: readonly Pick<Rejected, 'item' | 'video' | 'check' | 'detail'>[]
  checks: Pick<ChecksResult, 'flags' | 'warnings' | 'notRun' | 'accuracy'>
}

// The whole set. benchmark.json comes last: a folder that has it is whole.
export async function writeSet(given: ToSet): Promise<MadeSet> {
  const { folder, recipe, wish, settings, sources, items, rejected, checks, copy, signal } = given
  const canary = makeCanary(wish.seed, sources)
  for (const { name, path } of sources.videos)
    await placeFile(path, join(folder, recipe.videoFolder, name), copy ? 'copy' : 'link')
  const stated = sources.videos.map(({ name, bytes, sha256, duration }) => ({ name, bytes, sha256, duration }))
  await writeInto(folder, 'videos.json', indentedJson(stated))
  const keptContent = { items, flags: checks.flags, warnings: checks.warnings }
  await writeInto(folder, keptFile, `${JSON.stringify(keptContent)}\n`)
  await writeInto(folder, recordsFile, jsonLines(sources.records))
  const videoFiles = new Map(sources.videos.map(({ id, name }) => [id, name]))
  const content = { items, records: sources.records, videoFiles, settings, canary }
  const about = { ...checks, rejected, licence: wish.licence, signal }
  return writeContent(folder, recipe, content, about, annotations => describe(given, canary, annotations))
}

// What a review changes of a set, too: the benchmark's own files, what was rejected, the card and benchmark.json.
export async function writeContent(
  folder: string,
  recipe: MakeRecipe,
  content: ToWrite<unknown>,
  { signal, ...about }: Pick<ToCard, 'flags' | 'warnings' | 'licence'> & Pick<ToSet, 'rejected' | 'signal'>,
  describe: (annotations: string[]) => MadeSet,
): Promise<MadeSet> {
  const { items, records } = content
  const files = recipe.write(content)
  const clips = recipe.clips?.(content)
  const cut = clips && (await cutClips(folder, clips, signal)) // before anything is written: a video may be gone
  const before = await readMadeSet(folder)
  for (const path of before?.annotations ?? []) // of questions that are gone: released tools would read it
    if (!files.some(file => file.path === path)) await removeFile(join(folder, path))
  for (const file of files) await writeInto(folder, file.path, file.content)
  if (cut) await placeClips(join(folder, clips.folder), cut)
  await writeInto(folder, rejectedFile, jsonLines(about.rejected))
  const annotations = files.filter(file => file.annotations)
  const described = describe(annotations.map(({ path }) => path))
  const set = withLadder(
    described,
    before?.ladder,
    annotations.map(file => file.content),
  )
  await writeInto(folder, 'README.md', writeSetCard({ recipe, set, items, records, ...about }))
  await writeSelf(folder, set)
  return set
}

// What a study measured, into benchmark.json and the card.
export async function writeLadder(folder: string, measured: Omit<Ladder, 'annotations' | 'changed'>): Promise<Ladder> {
  const set = await readMadeSet(folder)
  const files = (set?.annotations ?? []).map(path => readFile(join(folder, path), 'utf8'))
  const ladder = { ...measured, annotations: contentHash(await Promise.all(files)) }
  const card = cardWith((await readTextFile(join(folder, 'README.md'))) ?? '', ladder)
  if (!set || card === undefined)
    throw new UsageError(`There is no card with a line "Ladder" in ${folder}.`, {
      hint: 'Name the folder of a made set; "longtake bench make --resume" writes its card anew.',
    })
  await writeInto(folder, 'README.md', card)
  await writeSelf(folder, { ...set, ladder })
  return ladder
}

const writeSelf = (folder: string, set: MadeSet) => writeInto(folder, 'benchmark.json', indentedJson(set))

export async function writeInto(folder: string, path: string, content: string): Promise<void> {
  await ensureFolder(dirname(join(folder, path)), 'umask')
  await writeDurably(join(folder, path), content, 'umask')
}

function makeCanary(seed: number, { videos }: Pick<SourceSet, 'videos'>): string {
  return `longtake-made ${contentHash([seed, videos.map(({ sha256 }) => sha256)]).slice(0, 32)}`
}

function listPrompts({ prompts, own = [] }: MakeStage<unknown, unknown>) {
  return Object.entries(prompts).map(([name, text]) => [name, { text, own: own.includes(name) }] as const)
}

function describePrompt({ text, own }: { text: string; own: boolean }) {
  return { sha256: contentHash(text), released: false, ...(own && { own }) }
}

function describe(
  { recipe, wish, settings, sources, items, drafted, rejected, checks, models, author: others = 'rules' }: ToSet,
  canary: string,
  annotations: string[],
): MadeSet {
  const by: Record<string, number> = {}
  for (const { check } of rejected) by[check] = (by[check] ?? 0) + 1
  const author = models.author[0]?.id
  const licences = new Set(sources.records.map(({ meta }) => meta.licence ?? wish.licence ?? 'not stated'))
  const texts = [...recipe.stages.flatMap(listPrompts), ...Object.entries(recipe.promptsOf?.(settings) ?? {})]
  return {
    format: 1,
    recipe: recipe.name,
    recipeVersion: recipe.version,
    annotations,
    split: madeSplit,
    seed: wish.seed,
    canary,
    counts: { videos: sources.records.length, drafted, kept: items.length, rejected: by },
    roles: {
      ...Object.fromEntries(
        makeRoles.map(role => {
          const ids = models[role].map(({ id }) => id)
          return [role, role === 'blind' ? ids : (ids[0] ?? (role === 'author' ? others : 'off'))]
        }),
      ),
      ...sources.records.find(({ sightings }) => sightings)?.sightings?.by,
    },
    notRun: checks.notRun,
    prompts: Object.fromEntries(author === undefined ? [] : texts.map(([name, text]) => [name, describePrompt(text)])),
    filters: recipe.checks.map(({ check: { name, k }, thresholds }) => ({
      name,
      k,
      ...thresholds,
      ...(checks.accuracy[name] && { accuracy: checks.accuracy[name] }),
    })),
    reviewed: { items: 0 },
    licence: [...licences].sort().join('; '),
  }
}
