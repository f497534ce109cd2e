import { join } from 'node:path'
import { createRuntime, type OpenRuntime } from '../../src/app/runtime.ts'
import { UsageError, unknownName } from '../../src/core/errors.ts'
import { makeFolder } from '../../src/store/durable.ts'
import { exists, jsonOf, readText } from '../../src/store/read-file.ts'
import { sweepAbandonedBelow } from '../../src/store/temporary.ts'
import { applyReview } from '../review/apply-review.ts'
import { readOptions } from '../runner/options.ts'
import { sentMaking } from '../sent/sent-making.ts'
import type { DraftItem, SourceRecord } from './item.ts'
import { loadRecipe, underSettings } from './load-recipe.ts'
import { checkForecast, forecastLine, laterForecasts, type StageForecast } from './machine/forecast.ts'
import { framesOf } from './machine/frames.ts'
import { keptCalls } from './machine/kept-calls.ts'
import { withOwnPrompts } from './machine/own-prompts.ts'
import type { OpenRoles } from './machine/roles.ts'
import { rolesOf } from './machine/roles-of-set.ts'
import { checkGiven, runChecks } from './machine/run-checks.ts'
import { authorOf, runStages, stagesForecast } from './machine/run-stages.ts'
import { type AskAhead, aheadOf } from './machine/workers.ts'
import { isSet } from './read-wish.ts'
import type { MakeRecipe } from './recipe.ts'
import { type MakeRequest, MakeWish, type MakeWorld } from './request.ts'
import type { MadeSet } from './set/benchmark-json.ts'
import { byPlace, dealLetters } from './set/deal-letters.ts'
import { writeInto, writeSet } from './set/write-set.ts'
import { adoptSet, withAdopted } from './source/adopt-set.ts'
import { described, describingStages } from './source/describe.ts'
import { videoIds } from './source/inputs.ts'
import { readSources, type Sources } from './source/read-source.ts'
import { replayedSources } from './source/replay-source.ts'

export interface Making {
  folder: string
  set?: MadeSet // undefined: it stopped before the end, as was asked
  forecast: StageForecast[]
  spent: OpenRoles['spent']
  warnings: string[]
  isGuessable: boolean // by one who sees the options alone
}

// Makes a set, goes on with one that was stopped, or makes one again from its recorded calls: the same steps, the same files. A dry
// run writes nothing.
export async function makeSet(request: MakeRequest, world: MakeWorld): Promise<Making> {
  const loaded = await loadRecipe(request.wish.recipe)
  const { prompts, ...options } = readOptions(loaded, request.wish.options)
  const settings = ((await loaded.prepare?.(options)) ?? options) as Record<string, unknown>
  const told = loaded.describes ? describingStages : []
  const stages = await withOwnPrompts([...told, ...loaded.stages], prompts)
  const recipe = underSettings({ ...loaded, stages: stages.slice(told.length) }, settings)
  checkUntil(request.until, recipe.name, stages)
  const runtime = await createRuntime(world)
  const folder = request.out
  try {
    await refuseOther(folder, request.wish)
    if (!request.dryRun) {
      await makeFolder(join(folder, 'made'), 'umask')
      await sweepAbandonedBelow(folder)
      await writeInto(folder, 'made/request.json', `${JSON.stringify(request.wish, null, 1)}\n`)
    }
    const sources = await sourcesOf(request, recipe, settings, runtime, world)
    const { workers } = world
    const others = workers && aheadOf(workers, runtime.settings.budget.money, world.say)
    const roles = await rolesOf(request, runtime, world, others?.answer)
    try {
      if (!request.dryRun)
        await workers?.open({
          sent: sentMaking({ recipe, stages, settings, wish: request.wish }),
          ...{ folder, runtime, videos: new Map(sources.videos.map(({ id, path }) => [id, path])) },
          calls: await keptCalls(join(folder, 'made', 'calls'), roles.models),
        })
      const telling = stages.slice(0, told.length)
      const made = await make({ request, recipe, telling, settings, sources, roles, world, ahead: others?.ahead })
      if (!request.dryRun) await workers?.end(made.set !== undefined)
      return made
    } finally {
      others?.tell()
      await roles.close()
    }
  } finally {
    await runtime.close()
  }
}

interface Work {
  request: MakeRequest
  recipe: MakeRecipe
  telling: MakeRecipe['stages'] // of the source records
  settings: Record<string, unknown>
  sources: Sources
  roles: OpenRoles
  world: MakeWorld
  ahead?: AskAhead
}

async function make(work: Work): Promise<Making> {
  const { request, recipe, settings, sources, roles, world, ahead } = work
  const { wish, out: folder, until, dryRun, concurrency } = request
  const { models, spent } = roles
  const { signal, say } = world
  const describing = models.author.length > 0 ? work.telling : []
  const given = { ...{ settings, models, signal, say, recipe, folder, concurrency, until, ahead }, seed: wish.seed }
  const all = { ...given, stages: [...describing, ...recipe.stages], records: sources.records }
  const dryChecks = checksWish(work, sources.records)
  const author = authorOf({}, models, wish.seed, signal)
  const later = laterForecasts(recipe, { ...all, author }, sources.adopted ?? [], check => checkGiven(dryChecks, check))
  const forecast = [...stagesForecast(all.stages, all), ...later]
  for (const line of forecast.map(forecastLine)) say(line)
  const stopped = { folder, forecast, spent, warnings: [], isGuessable: false }
  if (dryRun || until === 'source') return stopped
  const { frames } = dryChecks
  const told = await runStages({ ...all, stages: describing, place: 2, frames })
  if (describing.some(({ name }) => name === until)) return stopped
  const records = describing.length > 0 ? sources.records.map(one => described(one, told.before)) : sources.records
  const drafts = await runStages({ ...all, stages: recipe.stages, place: 2 + describing.length, records, frames })
  if (until !== undefined) return stopped
  const adopted = sources.adopted ?? []
  const notRun = recipe.stages.flatMap(({ name, role, lacks }) => [
    ...(role && models[role].length === 0 ? [`${name}: make.${role} is off`] : []),
    ...new Set(records.flatMap(record => lacks?.(record) ?? []).map(why => `${name}: ${why}`)),
  ])
  const checks = await runChecks(checksWish(work, records, describing.length), byPlace([...drafts.items, ...adopted]))
  const items = checks.kept
  const rejected = [...drafts.rejected, ...checks.rejected]
  const drafted = drafts.drafted + adopted.length
  if (told.rejected.length > 0)
    checks.warnings.push(`${told.rejected.length} stretches could not be described by a model and stay as they were.`)
  const set = await writeSet({
    recipe: { ...recipe, stages: all.stages },
    ...{ folder, wish, settings, items, drafted, rejected, models, copy: request.copy, signal },
    checks: { ...checks, notRun: [...notRun, ...checks.notRun] },
    sources: { ...sources, records },
  })
  const { warnings, isGuessable } = checks
  return { folder, set: (await applyReview(folder, signal)) ?? set, forecast, spent, warnings, isGuessable }
}

function checksWish(work: Work, records: readonly SourceRecord[], described = 0) {
  const { recipe, roles, request, sources, world, ahead } = work
  const paths = new Map(sources.videos.map(({ id, path }) => [id, path]))
  return {
    ...{ recipe, checks: recipe.checks },
    rules: { ...recipe.rules, excluded: request.wish.exclude },
    place: recipe.stages.length + described + 2,
    folder: request.out,
    ...{ records, models: roles.models, seed: request.wish.seed, signal: world.signal, ahead },
    deal: (items: readonly DraftItem[]) => dealLetters(items, request.wish.seed),
    frames: framesOf(name => paths.get(name) ?? notThere(name), world.signal),
    async before(check: MakeRecipe['checks'][number], items: readonly DraftItem[]) {
      const wish = checksWish(work, records)
      const lines = checkForecast(check, items, checkGiven(wish, check), true, roles.models)
      for (const line of lines.map(forecastLine)) world.say(line)
    },
  }
}

function notThere(name: string): never {
  throw new UsageError(`The video ${name} is not there to look at.`, {
    hint: 'Name it in --from, or put it into the folder of its set.',
  })
}

async function sourcesOf(
  request: MakeRequest,
  recipe: MakeRecipe,
  settings: Record<string, unknown>,
  runtime: OpenRuntime,
  { say, signal, workers }: MakeWorld,
): Promise<Sources> {
  const { wish, replay, out: folder } = request
  if (replay !== undefined) return replayedSources(replay, folder, recipe)
  const sets = wish.from.filter(isSet)
  const adopted = await Promise.all(sets.map(set => adoptSet(set, recipe, settings, wish.exclude, signal)))
  const absent = adopted.flatMap(({ records }) => records.filter(one => one.absent).map(({ video }) => video))
  const few = absent.length > 5 ? [...absent.slice(0, 5), '...'] : absent
  if (absent.length > 0) say(`videos that are not there: ${absent.length} (${few.join(', ')})`)
  const videos = wish.from.filter(path => !isSet(path))
  const ids = new Map([...videoIds(videos)].filter(([id, path]) => !isExcluded(wish.exclude, id, path)))
  const form = settings.segments === 'as released' ? ('as released' as const) : ('covering' as const)
  const kept = request.dryRun ? undefined : folder
  await workers?.index([...ids.values()], runtime)
  const about = { minutes: recipe.minutes(settings), form, sightings: recipe.sightings?.(settings) }
  const own = await readSources({ runtime, folder: kept, ids, ...about, say, signal })
  return withAdopted(own, adopted, kept)
}

function isExcluded(exclude: readonly string[], id: string, path: string): boolean {
  return exclude.some(one => one === id || path.endsWith(`/${one}`))
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

function checkUntil(until: string | undefined, recipe: string, stages: MakeRecipe['stages']): void {
  const names = ['source', ...stages.map(({ name }) => name)]
  if (until !== undefined && !names.includes(until)) throw unknownName(`stage of ${recipe}`, until, names)
}
