import { dirname, join } from 'node:path'
import { contentHash } from '../../../src/core/json.ts'
import { makeFolder, writeDurably } from '../../../src/store/durable.ts'
import { placeFile } from '../../../src/store/place-file.ts'
import type { DraftItem } from '../item.ts'
import { makeRoles } from '../item.ts'
import type { MadeModels } from '../machine/roles.ts'
import type { ChecksResult, Rejected } from '../machine/run-checks.ts'
import type { MakeRecipe } from '../recipe.ts'
import type { MakeWish } from '../request.ts'
import type { Sources } from '../source/read-source.ts'
import { type MadeSet, madeSplit } from './benchmark-json.ts'
import { cardOf } from './card.ts'

export interface ToSet {
  folder: string
  recipe: MakeRecipe
  wish: MakeWish
  settings: unknown
  sources: Sources
  items: readonly DraftItem[] // kept, with their letters
  drafted: number
  rejected: readonly Pick<Rejected, 'item' | 'video' | 'check' | 'detail'>[]
  checks: Pick<ChecksResult, 'flags' | 'warnings' | 'notRun'>
  models: MadeModels
  copy: boolean
}

// The whole set. benchmark.json comes last: a folder that has it is whole.
export async function writeSet(given: ToSet): Promise<MadeSet> {
  const { folder, recipe, wish, settings, sources, items, rejected, checks, copy } = given
  const put = (path: string, content: string) => writeInto(folder, path, content)
  const canary = canaryOf(wish.seed, sources)
  const videoFiles = new Map(sources.videos.map(({ id, name }) => [id, name]))
  const files = recipe.write({ items, records: sources.records, videoFiles, settings, canary })
  for (const { path, content } of files) await put(path, content)
  for (const { name, path } of sources.videos)
    await placeFile(path, join(folder, recipe.videoFolder, name), copy ? 'copy' : 'link')
  const stated = sources.videos.map(({ name, bytes, sha256, duration }) => ({ name, bytes, sha256, duration }))
  await put('videos.json', `${JSON.stringify(stated, null, 1)}\n`)
  await put('made/rejected.jsonl', rejected.map(line => `${JSON.stringify(line)}\n`).join(''))
  const set = describe(
    given,
    canary,
    files.filter(file => file.annotations).map(({ path }) => path),
  )
  const card = cardOf({ recipe, set, items, records: sources.records, rejected, ...checks, licence: wish.licence })
  await put('README.md', card)
  await put('benchmark.json', `${JSON.stringify(set, null, 1)}\n`)
  return set
}

export async function writeInto(folder: string, path: string, content: string): Promise<void> {
  await makeFolder(dirname(join(folder, path)), 'umask')
  await writeDurably(join(folder, path), content, 'umask')
}

export function canaryOf(seed: number, { videos }: Pick<Sources, 'videos'>): string {
  return `longtake-made ${contentHash([seed, videos.map(({ sha256 }) => sha256)]).slice(0, 32)}`
}

function describe(
  { recipe, wish, sources, items, drafted, rejected, checks, models }: ToSet,
  canary: string,
  annotations: string[],
): MadeSet {
  const by: Record<string, number> = {}
  for (const { check } of rejected) by[check] = (by[check] ?? 0) + 1
  const named = (role: (typeof makeRoles)[number]) => models[role].map(({ id }) => id)
  const author = named('author')[0]
  const licences = new Set(sources.records.map(({ meta }) => meta.licence ?? wish.licence ?? 'not stated'))
  const prompts = author === undefined ? {} : Object.assign({}, ...recipe.stages.map(stage => stage.prompts))
  return {
    ...{
      format: 1,
      recipe: recipe.name,
      recipeVersion: recipe.version,
      annotations,
      split: madeSplit,
      seed: wish.seed,
      canary,
    },
    counts: { videos: sources.records.length, drafted, kept: items.length, rejected: by },
    roles: Object.fromEntries(
      makeRoles.map(role => [
        role,
        role === 'author' ? (author ?? 'rules') : role === 'blind' ? named(role) : (named(role)[0] ?? 'off'),
      ]),
    ),
    notRun: checks.notRun,
    prompts: Object.fromEntries(
      Object.entries(prompts as Record<string, string>).map(([name, text]) => [
        name,
        { sha256: contentHash(text), released: false },
      ]),
    ),
    filters: recipe.checks.map(({ check, thresholds }) => ({ name: check.name, k: check.k, ...thresholds })),
    reviewed: { items: 0 },
    licence: [...licences].sort().join('; '),
  }
}
