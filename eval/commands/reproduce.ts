import { resolve } from 'node:path'
import type { Call } from '../../src/cli/call.ts'
import type { CommandRun } from '../../src/cli/command.ts'
import { exitCodes } from '../../src/cli/fail.ts'
import { result } from '../../src/cli/output.ts'
import { alignColumns } from '../../src/cli/show/format.ts'
import type { ResolvedConfig } from '../../src/config/resolve.ts'
import { UsageError } from '../../src/core/errors.ts'
import { visibleFileName, visibleLine } from '../../src/core/words/visible-text.ts'
import { loadBenchmark } from '../benchmarks/index.ts'
import { typedOrHarmless } from '../data/asked-by.ts'
import { type RunCard, readCard } from '../report/export/card.ts'
import { concludeReproduction, harmlessSettings, listDifferences, locateData } from '../report/export/reproduction.ts'
import { loadReport } from '../report/reports.ts'
import type { BenchRequest } from '../runner/bench-request.ts'
import type { BenchResult } from '../runner/conclude.ts'
import { findRunFolder } from '../runner/files/run-files.ts'
import { fileSettings, readOptions, withPath } from '../runner/options.ts'
import { defaultData, typedFlags } from './bench-request.ts'
import { openRunQueue } from './queue.ts'
import { carryOutRun } from './run.ts'

const reproduce: CommandRun = async call => {
  const file = resolve(call.world.cwd, call.argument())
  const card = await readCard(file)
  if (card.change !== undefined)
    throw new UsageError('The card is of a row of an ablation, which changes more than settings.', {
      hint: 'Repeat the study with "longtake bench ablate".',
    })
  const { request, config } = await cardRequest(call, card)
  const cluster = await openRunQueue(call, config.settings)
  try {
    return await carryOutRun(call, cluster, request, config, {
      command: ['reproduce', call.argument()],
      compare: async (bench, checked) => listDifferences(card, await bench.describe(), checked),
      finish: ran => finish(call, card, ran),
    })
  } finally {
    await cluster.close()
  }
}

// What the card asks for, with the user's data, files and settings.
async function cardRequest(call: Call, card: RunCard): Promise<{ request: BenchRequest; config: ResolvedConfig }> {
  const { benchmark, limit, tasks, asked, judging } = card
  const flags = typedFlags(call)
  const profile = flags.profile === undefined ? [] : [{ flag: '--profile', path: 'profile', text: flags.profile }]
  const ownConfig = await call.resolve(flags.config, { set: flags.set, named: profile })
  const set = [...(await harmlessSettings(card, ownConfig.settings)), ...flags.set]
  const named = call.text('--resume')
  const options = [
    ...Object.entries(card.options).flatMap(([name, value]) =>
      fileSettings.includes(name) ? [] : [`${name}=${JSON.stringify(value)}`],
    ),
    ...call.list('--option').map(one => withPath(one, call.world.cwd)),
  ]
  const read = readOptions(await loadBenchmark(benchmark), options)
  const data = call.path('--data') ?? (await defaultData(call, benchmark))
  const request: BenchRequest = {
    benchmark,
    ...(await locateData(card, data, read, call.signal)),
    videos: call.path('--videos'),
    copies: card.data.videos,
    map: card.data.map,
    limit: limit ?? undefined,
    tasks,
    by: typedOrHarmless(undefined, asked),
    options,
    judge: judging.choice,
    judgeMode: judging.mode ?? undefined,
    wording: call.path('--wording'),
    concurrency: call.integer('--concurrency') ?? 1,
    out: call.path('--out'),
    resume: named === undefined ? undefined : await findRunFolder(named, call.world.cwd, await call.home()),
    dryRun: call.has('--dry-run'),
    flags: { ...flags, set },
  }
  return { request, config: await call.resolve(flags.config, { set, named: profile }) }
}

async function finish(call: Call, card: RunCard, { folder, failed, unjudged }: BenchResult): Promise<number> {
  const reproduction = await concludeReproduction(card, await loadReport(folder))
  const { tasks, metrics, isSentAlike } = reproduction
  const points = (value: number | null) => (value === null ? '-' : value.toFixed(2))
  result(call, { run: folder, failed, unjudged, ...reproduction }, [
    ...alignColumns([
      ['task', 'n', 'card', '95 % interval', 'here', ''],
      ...tasks.map(({ task, n, card, low, high, here, isWithin }) => [
        visibleLine(task),
        String(n),
        points(card),
        `${points(low)} to ${points(high)}`,
        points(here),
        isWithin ? 'within' : 'OUTSIDE',
      ]),
    ]),
    '',
    ...alignColumns([
      ['official metric', 'card', 'here'],
      ...metrics.map(({ metric, card, here }) => [visibleLine(metric), points(card), points(here)]),
    ]),
    '',
    card.sent.requests === 0 ? 'No request to a model is recorded in the card.' : sentLine(isSentAlike),
    `Run: ${visibleFileName(folder)}`,
  ])
  return tasks.every(({ isWithin }) => isWithin) && failed === 0 && unjudged === 0 ? exitCodes.ok : exitCodes.partial
}

function sentLine(isAlike: boolean): string {
  return isAlike
    ? 'Every request to a model was the same, prompts and pictures.'
    : 'The requests to models were not all the same.'
}

export const benchReproduceCommands = { reproduce }
