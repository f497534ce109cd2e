import { join } from 'node:path'
import { secretsOf } from '../../src/app/ask/recorded-run.ts'
import { createRuntime, type OpenRuntime } from '../../src/app/runtime.ts'
import { UsageError, unknownName } from '../../src/core/errors.ts'
import { framesAt } from '../../src/media/frames.ts'
import { encodeJpeg } from '../../src/media/image.ts'
import { probe } from '../../src/media/probe/probe.ts'
import { makeFolder } from '../../src/store/durable.ts'
import { openJsonLines } from '../../src/store/json-lines.ts'
import { copyFolder } from '../../src/store/place-file.ts'
import { exists, jsonOf, readText } from '../../src/store/read-file.ts'
import { redactor } from '../../src/store/redact.ts'
import { readOptions } from '../runner/options.ts'
import type { DraftItem, SourceRecord } from './item.ts'
import { loadRecipe } from './load-recipe.ts'
import type { Author } from './machine/author.ts'
import { checkForecast, forecastLine, type StageForecast, stageForecasts } from './machine/forecast.ts'
import { type OpenRoles, openRoles, type RecordedRole } from './machine/roles.ts'
import { checkGiven, runChecks } from './machine/run-checks.ts'
import { runStage, type StageResult } from './machine/run-stage.ts'
import { isSet } from './read-wish.ts'
import type { MakeRecipe } from './recipe.ts'
import { type MakeRequest, MakeWish, type MakeWorld } from './request.ts'
import type { MadeSet } from './set/benchmark-json.ts'
import { dealLetters } from './set/deal-letters.ts'
import { writeInto, writeSet } from './set/write-set.ts'
import { videoIds } from './source/inputs.ts'
import { readSources, type Sources } from './source/read-source.ts'
import { replayedSources } from './source/replay-source.ts'

export interface Making {
  folder: string
  set?: MadeSet // undefined: it stopped before the end, as was asked
  forecast: StageForecast[]
  spent: OpenRoles['spent']
  warnings: string[]
}

// Makes a set, goes on with one that was stopped, or makes one again from its recorded calls: the same steps, the same files.
export async function makeSet(request: MakeRequest, world: MakeWorld): Promise<Making> {
  const recipe = await loadRecipe(request.wish.recipe)
  const settings = readOptions(recipe, request.wish.options)
  checkUntil(request.until, recipe)
  const runtime = await createRuntime(world)
  const folder = request.out
  try {
    await makeFolder(join(folder, 'made'), 'umask')
    await refuseOther(folder, request.wish)
    await writeInto(folder, 'made/request.json', `${JSON.stringify(request.wish, null, 1)}\n`)
    const sources = await sourcesOf(request, recipe, settings, runtime, world)
    const roles = await rolesOf(request, runtime, world)
    try {
      return await make({ request, recipe, settings, sources, roles, world })
    } finally {
      await roles.close()
    }
  } finally {
    await runtime.close()
  }
}

interface Work {
  request: MakeRequest
  recipe: MakeRecipe
  settings: Record<string, unknown>
  sources: Sources
  roles: OpenRoles
  world: MakeWorld
}

async function make(work: Work): Promise<Making> {
  const { request, recipe, settings, sources, roles, world } = work
  const { wish, out: folder, until, dryRun, concurrency } = request
  const { models, spent } = roles
  const { records } = sources
  const [model] = models.author
  const author: Author = model ? { by: model.id, model, seed: wish.seed, signal: world.signal } : { by: 'rules' }
  const given = { records, settings, seed: wish.seed, author, models }
  const forecast = [...stageForecasts(recipe, given), ...laterChecks(work, given)]
  for (const line of forecast.map(forecastLine)) world.say(line)
  const stopped = { folder, forecast, spent, warnings: [] }
  if (dryRun || until === 'source') return stopped
  let drafts: StageResult = { items: [], drafted: 0, rejected: [], none: 0 }
  for (const [at, stage] of recipe.stages.entries()) {
    const wished = { stage, recipe, place: at + 2, folder, concurrency, signal: world.signal, ...given }
    drafts = await runStage(wished)
    world.say(`${stage.name}: ${drafts.items.length} of ${drafts.drafted} drafted can be used`)
    if (until === stage.name) return stopped
  }
  const adopted = sources.adopted ?? []
  const all = byPlace([...drafts.items, ...adopted])
  const checks = await runChecks(checksWish(work, records), all)
  const items = dealLetters(checks.kept, wish.seed)
  const rejected = [...drafts.rejected, ...checks.rejected]
  const drafted = drafts.drafted + adopted.length
  const set = await writeSet({
    folder,
    recipe,
    wish,
    settings,
    sources,
    items,
    drafted,
    rejected,
    checks,
    models,
    copy: request.copy,
  })
  const { warnings } = checks
  return { folder, set, forecast, spent, warnings }
}

function byPlace(items: readonly DraftItem[]): DraftItem[] {
  return [...items].sort((a, b) => (a.video === b.video ? 0 : a.video < b.video ? -1 : 1))
}

function checksWish({ recipe, roles, request, sources, world }: Work, records: readonly SourceRecord[]) {
  const paths = new Map(sources.videos.map(({ id, path }) => [id, path]))
  return {
    checks: recipe.checks,
    rules: { ...recipe.rules, excluded: request.wish.exclude },
    place: recipe.stages.length + 2,
    folder: request.out,
    ...{ records, models: roles.models, seed: request.wish.seed, signal: world.signal },
    async frames(video: string, times: readonly number[]) {
      const path = paths.get(video)
      if (path === undefined)
        throw new UsageError(`The video ${video} is not there to look at.`, { hint: 'Name it in --from.' })
      const found = await framesAt(await probe(path), [...times], {}, world.signal)
      return Promise.all(found.map(frame => encodeJpeg(frame)))
    },
    async before(check: MakeRecipe['checks'][number], items: readonly DraftItem[]) {
      const wish = checksWish({ recipe, roles, request, sources, world } as Work, records)
      const lines = checkForecast(check, items, checkGiven(wish, check), true, roles.models)
      for (const line of lines.map(forecastLine)) world.say(line)
    },
  }
}

// What the filters may cost, as if every draft reached each of them.
function laterChecks(work: Work, given: Parameters<typeof stageForecasts>[1]): StageForecast[] {
  const { recipe, sources, settings, request, roles } = work
  const last = recipe.stages.at(-1)
  const drafts = sources.records.flatMap(record =>
    (last?.units(record, { settings, seed: request.wish.seed }) ?? []).map(({ unit }) => unseen(unit, record.video_id)),
  )
  const wish = checksWish(work, given.records)
  const items = [...drafts, ...(sources.adopted ?? [])]
  return recipe.checks.flatMap(check => checkForecast(check, items, checkGiven(wish, check), false, roles.models))
}

// A draft that is not written yet, with as many options as there can be the fewest of: they need the most orders.
function unseen(id: string, video: string): DraftItem {
  const options = ['one', 'two', 'three', 'four']
  return { id, video, kind: '', question: '', answer: 'one', options, right: 0, clues: [], rows: [], extra: {} }
}

async function sourcesOf(
  request: MakeRequest,
  recipe: MakeRecipe,
  settings: Record<string, unknown>,
  runtime: OpenRuntime,
  { say, signal }: MakeWorld,
): Promise<Sources> {
  const { wish, replay, out: folder } = request
  if (replay !== undefined) return replayedSources(replay, folder, recipe)
  const adopted = wish.from.find(isSet)
  if (adopted !== undefined)
    throw new UsageError(`${adopted} is a benchmark's data, and ${wish.recipe} is made from videos alone so far.`, {
      hint: 'Name videos or folders of videos with --from.',
    })
  const videos = wish.from
  const ids = new Map([...videoIds(videos)].filter(([id, path]) => !isExcluded(wish.exclude, id, path)))
  const form = settings.segments === 'as released' ? ('as released' as const) : ('covering' as const)
  return readSources({ runtime, folder, ids, minutes: recipe.minutes(settings), form, say, signal })
}

function isExcluded(exclude: readonly string[], id: string, path: string): boolean {
  return exclude.some(one => one === id || path.endsWith(`/${one}`))
}

const rolesFile = 'made/roles.json'

async function rolesOf(request: MakeRequest, runtime: OpenRuntime, { environment }: MakeWorld): Promise<OpenRoles> {
  const { out: folder, replay } = request
  const log = await openJsonLines(join(folder, 'made', 'log.jsonl'), 'at-flush')
  if (replay !== undefined) await copyFolder(join(replay, 'made', 'calls'), join(folder, 'made', 'calls'))
  const recorded = replay === undefined ? undefined : jsonOf(await readText(join(replay, rolesFile)))
  if (replay !== undefined && recorded === undefined)
    throw new UsageError(`${join(replay, rolesFile)} is not there or damaged, so it is not known who was asked.`, {
      hint: 'Replay a whole set; make the set again without --replay.',
    })
  const opened = await openRoles({
    runtime,
    folder: join(folder, 'made', 'calls'),
    ...(recorded !== undefined && { recorded: recorded as Record<string, RecordedRole[]> }),
    redact: redactor(secretsOf(environment)),
    onCall: call => void log.append(call),
  })
  const known = Object.entries(opened.models).map(([role, models]) => [
    role,
    models.map(({ id, identity }) => ({ id, identity })),
  ])
  await writeInto(folder, rolesFile, `${JSON.stringify(Object.fromEntries(known), null, 1)}\n`)
  return opened
}

// A folder holds one making: another wish goes into another folder.
async function refuseOther(folder: string, wish: MakeWish): Promise<void> {
  const there = await readText(join(folder, 'made', 'request.json'))
  if (there === undefined) {
    if (await exists(join(folder, 'benchmark.json')))
      throw new UsageError(`${folder} holds another set.`, { hint: 'Name another folder with --out.' })
    return
  }
  const before = MakeWish.safeParse(jsonOf(there))
  if (before.success && JSON.stringify(before.data) === JSON.stringify(wish)) return
  throw new UsageError(`${folder} holds a set that was made with another wish.`, {
    hint: 'Name another folder with --out, or go on with that one: --resume.',
  })
}

function checkUntil(until: string | undefined, recipe: MakeRecipe): void {
  const names = ['source', ...recipe.stages.map(({ name }) => name)]
  if (until !== undefined && !names.includes(until)) throw unknownName(`stage of ${recipe.name}`, until, names)
}
