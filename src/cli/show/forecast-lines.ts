import type { IndexForecast } from '../../core/runtime.ts'
import type { StageCost } from '../../core/stage.ts'
import { formatTime } from '../../core/time.ts'
import { stageTitle } from '../../core/words/stage-title.ts'
import { visibleFileName, visibleLine } from '../../core/words/visible-text.ts'
import { alignColumns, formatDuration } from './format.ts'

// What indexing would make of each video and ask of models, then of all of them.
export function forecastLines(forecasts: readonly IndexForecast[]): string[] {
  const [first, second] = forecasts
  const all = second ? ['', ...allLines(forecasts)] : []
  return [
    ...forecasts.flatMap((one, at) => [...(at === 0 ? [] : ['']), ...videoLines(one)]),
    ...all,
    ...footnotes(first),
  ]
}

function videoLines({ video, stages, costs }: IndexForecast): string[] {
  const missing = stages.filter(({ state }) => state === 'missing')
  const there = new Set(stages.filter(({ state }) => state === 'there').map(({ stage }) => stageTitle(stage)))
  const skipped = stages.filter(({ state }) => state === 'skipped')
  const timed = [...new Set(missing.map(({ stage }) => stageTitle(stage)))].map(title => {
    const seconds = missing
      .filter(({ stage }) => stageTitle(stage) === title)
      .map(({ seconds = Number.NaN }) => seconds)
    const sum = seconds.reduce((sum, one) => sum + one, 0)
    return Number.isNaN(sum) ? title : `${title} (about ${formatDuration(sum)})`
  })
  return [
    `${visibleFileName(video.name)}: ${formatTime(video.duration)}`,
    ...(timed.length > 0 ? [`  To make: ${timed.join(', ')}`] : ['  Every stage is there already.']),
    ...(there.size > 0 && timed.length > 0 ? [`  There: ${[...there].join(', ')}`] : []),
    ...skipped.map(({ stage, note }) => `  Left out: ${stageTitle(stage)}${note ? `: ${visibleLine(note)}` : ''}`),
    ...costs.flatMap(({ stage, by, note, densities }) => [
      `  ${[`Model calls of ${stageTitle(stage)}`, by && ` by ${by}`, note && `: ${visibleLine(note)}`].filter(Boolean).join('')}`,
      ...costTable(densities).map(line => `    ${line}`),
    ]),
  ]
}

function allLines(forecasts: readonly IndexForecast[]): string[] {
  const hours = forecasts.reduce((sum, { video }) => sum + video.duration, 0)
  return [
    `All ${forecasts.length} videos: ${formatTime(hours)}`,
    ...totalCosts(forecasts).flatMap(({ stage, densities }) => [
      `  Model calls of ${stageTitle(stage)}`,
      ...costTable(densities).map(line => `    ${line}`),
    ]),
  ]
}

// The sum over all videos, stage by stage and density by density.
export function totalCosts(forecasts: readonly IndexForecast[]): { stage: string; densities: StageCost[] }[] {
  const stages = new Map<string, Map<string, StageCost>>()
  for (const { stage, densities } of forecasts.flatMap(({ costs }) => costs)) {
    const sums = stages.get(stage) ?? new Map<string, StageCost>()
    stages.set(stage, sums)
    for (const cost of densities) {
      const before = sums.get(cost.density)
      sums.set(cost.density, before ? added(before, cost) : cost)
    }
  }
  return [...stages].map(([stage, sums]) => ({ stage, densities: [...sums.values()] }))
}

function added(a: StageCost, b: StageCost): StageCost {
  const { density, isSet } = a
  return {
    ...{ density, isSet, isExact: a.isExact && b.isExact, calls: a.calls + b.calls, frames: a.frames + b.frames },
    ...{ inputTokens: a.inputTokens + b.inputTokens, outputTokens: a.outputTokens + b.outputTokens },
    ...(a.seconds !== undefined && b.seconds !== undefined && { seconds: a.seconds + b.seconds }),
    ...(a.money !== undefined && b.money !== undefined && { money: a.money + b.money }),
  }
}

function costTable(densities: readonly StageCost[]): string[] {
  if (densities.length === 0) return []
  const rows = densities.map(cost => {
    const atMost = cost.isExact ? '' : '≤ '
    const tokens = (count: number) => `${cost.isExact ? '~ ' : '≤ '}${count}`
    return [
      `${cost.density}${cost.isSet ? ' (set)' : ''}`,
      `${atMost}${cost.calls}`,
      tokens(cost.inputTokens),
      tokens(cost.outputTokens),
      `${atMost}${cost.frames}`,
      cost.money === undefined ? '-' : `${atMost}${cost.money.toFixed(2)}`,
      cost.seconds === undefined ? '-' : `${atMost}${formatDuration(cost.seconds)}`,
    ]
  })
  return alignColumns([['density', 'calls', 'tokens in', 'tokens out', 'frames', 'money', 'time'], ...rows])
}

// What the figures do not say by themselves, where any were given.
function footnotes(first: IndexForecast | undefined): string[] {
  const costs = first?.costs.flatMap(({ densities }) => densities) ?? []
  if (costs.length === 0) return []
  return [
    '',
    'Nothing was made and no model was asked.',
    ...(costs.some(({ isExact }) => !isExact)
      ? [
          '≤: a bound. It takes no more than a cut a second of what is not decoded yet, and each request of the overview twice.',
        ]
      : []),
    ...(costs.some(({ seconds }) => seconds === undefined)
      ? ['Time is known once this model has captioned a video here.']
      : []),
    ...(costs.some(({ money }) => money === undefined)
      ? ['Money is known where "prices" has the model: longtake config show prices.']
      : []),
  ]
}
