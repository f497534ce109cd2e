import type { Price } from '../../../src/core/chat.ts'
import { makesNoIndex, missingStages } from '../../../src/runtime/index/forecast/planned-stages.ts'
import { rolePrices } from '../../../src/runtime/models/prices.ts'
import { isSelfContained } from '../../../src/runtime/models/role-families.ts'
import { builtIn, listPermissions } from '../../../src/runtime/tools/toolbox.ts'
import type { Sample } from '../../data/sample.ts'
import { needsWork } from '../ask/process-samples.ts'
import { type BenchParts, modelNames } from '../bench-parts.ts'
import { pastQuestions } from '../files/past-runs.ts'
import { readLines } from '../files/run-files.ts'
import { foundPath } from '../find-files.ts'
import { isAskable, type Preflight } from '../preflight.ts'
import { type Forecast, forecast } from './forecast.ts'
import { type ShownCost, shownCost } from './shown-cost.ts'

// What the run would take of time, models and money; asks nothing.
export async function forecastRun(parts: BenchParts, checked: Preflight): Promise<Forecast> {
  const { benchmark, tasks, judge, runtime, settings, world, request } = parts
  const { samples, unjudged } = await samplesLeft(parts)
  return forecast({
    benchmark,
    samples,
    unjudged,
    tasks,
    by: request.by,
    checked,
    judge,
    missingStages: (await makesNoIndex(settings))
      ? async () => []
      : missingStages(runtime.library, runtime.models, settings.index, request.change?.stages),
    past: await pastQuestions(world.home, modelNames(settings)),
    prices: listPrices(parts),
    ...(request.by === 'alone' && {
      shown: await measureShown(
        parts,
        samples.filter(({ id }) => !unjudged.has(id)),
        checked,
      ),
    }),
    ...(request.by === 'longtake' && (await costlyParts(settings))),
    concurrency: request.concurrency,
  })
}

// What a run has settled before costs nothing more.
async function samplesLeft({ collected, request, judge }: BenchParts) {
  const earlierLines = request.resume === undefined ? [] : await readLines(request.resume)
  const lines = new Map(earlierLines.map(line => [line.id, line]))
  const samples = collected.samples.filter(({ id }) => needsWork(lines.get(id), { judge }))
  return { samples, unjudged: new Set(samples.flatMap(({ id }) => (needsWork(lines.get(id), {}) ? [] : [id]))) }
}

// Of the questions that can be asked. Where no video was looked into, pictures are taken to be of the usual shape.
async function measureShown(parts: BenchParts, samples: readonly Sample[], checked: Preflight): Promise<ShownCost> {
  const { benchmark, options, tasks, settings, findSubtitles, looks } = parts
  const askableVideos = new Map(checked.videos.filter(isAskable).map(video => [video.video, video]))
  const { backend, model } = settings.models.vision
  return shownCost({
    benchmark,
    options,
    tasks,
    samples: samples.filter(sample => askableVideos.has(sample.video)),
    model: `${backend}/${String(model ?? '')}`,
    lookOf: name => {
      const { path = '', duration } = askableVideos.get(name) ?? {}
      return { ...(duration !== undefined && { seconds: duration }), ...looks.get(path) }
    },
    subtitlesOf: name => foundPath(findSubtitles(name)),
  })
}

// What bounds a question, and what of the agent asks models more than once for a thing.
async function costlyParts(settings: BenchParts['settings']) {
  const { policy, budget, tools, graph } = settings
  const isRule = async (role: 'planner' | 'writer') => isSelfContained(role, settings.models[role].backend)
  const [rulesPlan, rulesWrite] = await Promise.all([isRule('planner'), isRule('writer')])
  const on = {
    votes: policy.votes && !rulesPlan && !rulesWrite,
    focus: builtIn(tools, listPermissions(settings)).includes('focus') && !rulesPlan,
  }
  const all = ['votes', 'focus'] as const
  const names = all.filter(name => graph === 'investigate' && on[name])
  return { parts: names, ...(policy.budgets && names.length > 0 ? { budget } : {}) }
}

function listPrices({ settings, request }: BenchParts): { asking: Price[]; judging?: Price } {
  const prices = rolePrices(settings)
  const neededRoles =
    request.by === 'alone' ? (['vision'] as const) : (['planner', 'writer', 'verifier', 'vision'] as const)
  return { asking: neededRoles.flatMap(role => prices[role] ?? []), judging: prices.judge }
}
