import { join } from 'node:path'
import { UsageError, unknownName } from '../../src/core/errors.ts'
import { indentedJson } from '../../src/core/json.ts'
import { createRuntime, type LocalRuntime } from '../../src/runtime/runtime.ts'
import { ensureFolder } from '../../src/store/durable.ts'
import { exists, parseStoredJson, readTextFile } from '../../src/store/read-file.ts'
import { sweepAbandonedBelow } from '../../src/store/temporary.ts'
import type { MadeSet } from '../data/benchmark-json.ts'
import { withDescriptions } from '../recipes/describe.ts'
import { type MakeRecipe, VideoSettings } from '../recipes/recipe.ts'
import { readOptions } from '../runner/options.ts'
import { loadRecipe, withOwnPrompts, withThresholds } from './load-recipe.ts'
import { checkForecast, forecastLine, laterForecasts, type StageForecast, stageForecast } from './machine/forecast.ts'
import { keptCalls } from './machine/kept-calls.ts'
import { type MadeMedia, openMedia } from './machine/media.ts'
import type { OpenRoles } from './machine/roles.ts'
import { type ChecksWish, checkGiven, runChecks } from './machine/run-checks.ts'
import { runStages } from './machine/run-stage.ts'
import { type AskAhead, sentMaking, startAhead } from './machine/workers.ts'
import { isSet, type MakeRequest, type MakeWorld, MakingRequest } from './request.ts'
import { applyReview } from './review/apply-review.ts'
import { byPlace, dealLetters } from './set/deal-letters.ts'
import { chooseSetRoles } from './set/roles-of-set.ts'
import { writeInto, writeSet } from './set/write-set.ts'
import { adoptSet, withAdopted } from './source/adopt-set.ts'
import { videoIds } from './source/inputs.ts'
import { readSources, type SourceSet } from './source/read-source.ts'
import { replayedSources } from './source/replay-source.ts'

export interface Making {
  folder: string
  set?: MadeSet // undefined: it stopped before the end, as was asked
  forecast: StageForecast[]
  spent: OpenRoles['spent']
  warnings: string[]
  isGuessable: boolean // by one who sees only the options
}

// Makes a set, resumes one that was stopped, or makes one again from its recorded calls: the same steps, the same files. A dry
// run writes nothing.
export async function makeSet(request: MakeRequest, world: MakeWorld): Promise<Making> {
  const loaded = await loadRecipe(request.wish.recipe)
  const { prompts, ...options } = readOptions(loaded, request.wish.options)
  const settings = ((await loaded.prepare?.(options)) ?? options) as Record<string, unknown>
  const recipe = withThresholds(await withOwnPrompts(loaded, prompts), settings)
  const stages = [...(recipe.telling ?? []), ...recipe.stages]
  const names = ['source', ...stages.map(({ name }) => name)]
  if (request.until !== undefined && !names.includes(request.until))
    throw unknownName(`stage of ${recipe.name}`, request.until, names)
  const runtime = await createRuntime(world)
  const folder = request.out
  try {
    await refuseOther(folder, request.wish)
    if (!request.dryRun) {
      await ensureFolder(join(folder, 'made'), 'umask')
      await sweepAbandonedBelow(folder)
      await writeInto(folder, 'made/request.json', indentedJson(request.wish))
    }
    const { workers } = world
    const otherWorkers = workers && startAhead(workers, runtime.settings.budget.money, world.say)
    // Before hours of indexing: a model that is unfit for its role is refused here.
    const roles = await chooseSetRoles(request, runtime, world, otherWorkers?.answer)
    try {
      const sources = await openSources(request, recipe, settings, runtime, world)
      const paths = new Map(sources.videos.map(({ id, path }) => [id, path]))
      if (!request.dryRun)
        await workers?.open({
          sent: sentMaking(recipe, settings, request.wish),
          folder,
          runtime,
          videos: paths,
          calls: await keptCalls(join(folder, 'made', 'calls'), roles.models),
        })
      const media = openMedia(name => paths.get(name) ?? notThere(name), world.signal)
      const { ahead } = otherWorkers ?? {}
      const result = await make({ request, recipe, settings, sources, roles, world, ahead, media })
      if (!request.dryRun) await workers?.end(result.set !== undefined)
      return result
    } finally {
      otherWorkers?.tell()
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
  sources: SourceSet
  roles: OpenRoles
  media: MadeMedia
  world: MakeWorld
  ahead?: AskAhead
}

async function make(work: Work): Promise<Making> {
  const { request, recipe, settings, sources, roles, media, world, ahead } = work
  const { wish, out: folder, until, dryRun, concurrency, copy } = request
  const { models, spent } = roles
  const { signal, say } = world
  const { seed } = wish
  const { adopted = [] } = sources
  const telling = models.author.length > 0 ? (recipe.telling ?? []) : []
  const stageInput = {
    recipe,
    settings,
    seed,
    folder,
    models,
    media,
    frames: media.frames,
    concurrency,
    until,
    ahead,
    signal,
    say,
    records: sources.records,
    rules: { ...recipe.rules, excluded: wish.exclude },
  }
  const stages = [...telling, ...recipe.stages]
  const forecast = [
    ...stages.flatMap((stage, at) => stageForecast(stage, stageInput, at === 0)),
    ...laterForecasts(recipe, stageInput, adopted, check => checkGiven(stageInput, check)),
  ]
  const tell = (all: readonly StageForecast[]) => {
    for (const line of all.map(forecastLine)) say(line)
  }
  tell(forecast)
  const stopped = { folder, forecast, spent, warnings: [], isGuessable: false }
  if (dryRun || until === 'source') return stopped
  const tellingResult = await runStages({ ...stageInput, stages: telling, place: 2 })
  if (telling.some(({ name }) => name === until)) return stopped
  const records =
    telling.length > 0 ? sources.records.map(one => withDescriptions(one, tellingResult.before)) : sources.records
  const drafts = await runStages({ ...stageInput, stages: recipe.stages, place: 2 + telling.length, records })
  if (until !== undefined) return stopped
  const notRun = stages.flatMap(({ name, role, lacks }) => [
    ...(role && models[role].length === 0 ? [`${name}: make.${role} is off`] : []),
    ...new Set(records.flatMap(record => lacks?.(record) ?? []).map(why => `${name}: ${why}`)),
  ])
  const checking: ChecksWish = {
    ...stageInput,
    records,
    checks: recipe.checks,
    place: 2 + stages.length,
    before: (check, items, its) => tell(checkForecast(check, items, its, true, models)),
    deal: items => dealLetters(items, seed),
  }
  const checks = await runChecks(checking, byPlace([...drafts.items, ...adopted]))
  if (tellingResult.rejected.length > 0)
    checks.warnings.push(
      `${tellingResult.rejected.length} stretches could not be described by a model and stay as they were.`,
    )
  const set = await writeSet({
    recipe: { ...recipe, stages },
    folder,
    wish,
    settings,
    items: checks.kept,
    drafted: drafts.drafted + adopted.length,
    models,
    copy,
    signal,
    rejected: [...drafts.rejected, ...checks.rejected],
    checks: { ...checks, notRun: [...notRun, ...checks.notRun] },
    sources: { ...sources, records },
  })
  const { warnings, isGuessable } = checks
  return { folder, set: (await applyReview(folder, signal)) ?? set, forecast, spent, warnings, isGuessable }
}

function notThere(name: string): never {
  throw new UsageError(`The video ${name} is not there to look at.`, {
    hint: 'Name it in --from, or put it into the folder of its set.',
  })
}

async function openSources(
  request: MakeRequest,
  recipe: MakeRecipe,
  settings: Record<string, unknown>,
  runtime: LocalRuntime,
  { say, signal, workers }: MakeWorld,
): Promise<SourceSet> {
  const { wish, replay, out: folder } = request
  if (replay !== undefined) return replayedSources(replay, folder, recipe)
  const sets = wish.from.filter(isSet)
  const adopted = await Promise.all(sets.map(set => adoptSet(set, recipe, settings, wish.exclude, signal)))
  const absent = adopted.flatMap(({ records }) => records.filter(one => one.absent).map(({ video }) => video))
  const few = absent.length > 5 ? [...absent.slice(0, 5), '...'] : absent
  if (absent.length > 0) say(`videos that are not there: ${absent.length} (${few.join(', ')})`)
  const isExcluded = (id: string, path: string) => wish.exclude.some(one => one === id || path.endsWith(`/${one}`))
  const videos = wish.from.filter(path => !isSet(path))
  const ids = new Map([...videoIds(videos)].filter(([id, path]) => !isExcluded(id, path)))
  const sourceFolder = request.dryRun ? undefined : folder
  await workers?.index([...ids.values()], runtime)
  const { minMinutes: minutes, segments: form } = VideoSettings.parse(settings)
  const about = { minutes, form, sightings: recipe.sightings?.(settings) }
  const ownSources = await readSources({ runtime, folder: sourceFolder, ids, ...about, say, signal })
  return withAdopted(ownSources, adopted, sourceFolder)
}

// A folder holds one making: another wish goes into another folder.
async function refuseOther(folder: string, wish: MakingRequest): Promise<void> {
  const there = await readTextFile(join(folder, 'made', 'request.json'))
  if (there === undefined) {
    if (await exists(join(folder, 'benchmark.json')))
      throw new UsageError(`${folder} holds another set.`, { hint: 'Name another folder with --out.' })
    return
  }
  const before = MakingRequest.safeParse(parseStoredJson(there))
  if (before.success && JSON.stringify(before.data) === JSON.stringify(wish)) return
  throw new UsageError(`${folder} holds a set that was made with another wish.`, {
    hint: 'Name another folder with --out, or resume that one with --resume.',
  })
}
