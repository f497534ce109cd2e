import { join } from 'node:path'
import type { Call } from '../../src/cli/call.ts'
import type { ResolvedConfig } from '../../src/config/resolve.ts'
import type { Config } from '../../src/config/schema.ts'
import { UsageError } from '../../src/core/errors.ts'
import { parseStoredJson, readTextFile } from '../../src/store/read-file.ts'
import { bundledFolder } from '../benchmarks/made-here.ts'
import type { RecordMap } from '../benchmarks/map/record-map.ts'
import { readMap } from '../benchmarks/map/with-map.ts'
import { typedOrHarmless } from '../data/asked-by.ts'
import type { BenchRequest } from '../runner/bench-request.ts'
import { findRunFolder, readBenchRun } from '../runner/files/run-files.ts'
import { withPath } from '../runner/options.ts'
import { resumedFolder } from './queue.ts'

// A resumed run takes from its beginning what is not said again.
export async function benchRequest(call: Call): Promise<{ request: BenchRequest; config: ResolvedConfig }> {
  const home = await call.home()
  const named = call.text('--resume')
  const replayed = call.text('--replay')
  const replay = replayed === undefined ? undefined : await findRunFolder(replayed, call.world.cwd, home)
  const resume =
    named === undefined ? undefined : await resumedFolder(call, named, () => findRunFolder(named, call.world.cwd, home))
  const earlier = resume ?? replay
  const before = earlier === undefined ? undefined : await readBenchRun(earlier)
  const benchmark = call.argument()
  if (before && before.benchmark !== benchmark)
    throw new UsageError(`The run in ${earlier} is one of ${before.benchmark}, not of ${benchmark}.`)
  const chosenOptions = typedFlags(call)
  const flags =
    chosenOptions.profile || chosenOptions.config || chosenOptions.set.length > 0
      ? chosenOptions
      : (before?.flags ?? chosenOptions)
  // What "auto" stood for then: whether a server runs now is not a question of a replay.
  const profile = flags.profile ?? (replay === undefined ? undefined : before?.profile.name)
  const tasks = call.list('--task').flatMap(names => names.split(','))
  const variant = call.text('--variant')
  const options = [
    ...call.list('--option').map(one => withPath(one, call.world.cwd)),
    ...(variant === undefined ? [] : [`variant=${variant}`]),
  ]
  const request: BenchRequest = {
    benchmark,
    data: call.path('--data') ?? before?.data ?? (await defaultData(call, benchmark)),
    videos: call.path('--videos') ?? before?.videos,
    split: call.text('--split') ?? before?.split,
    map: (await readMapOption(call)) ?? before?.map,
    limit: call.integer('--limit') ?? before?.limit,
    tasks: tasks.length > 0 ? tasks : (before?.tasks ?? []),
    by: typedOrHarmless(call.text('--by'), before?.by),
    options:
      options.length > 0 || !before
        ? options
        : Object.entries(before.options).map(([name, value]) => `${name}=${JSON.stringify(value)}`),
    judge: (call.text('--judge') ?? before?.judge ?? 'auto') as BenchRequest['judge'],
    judgeMode: (call.text('--judge-mode') ?? before?.judgeMode) as BenchRequest['judgeMode'],
    wording: call.path('--wording') ?? before?.wording?.file,
    concurrency: call.integer('--concurrency') ?? 1,
    epochs: call.integer('--epochs') ?? before?.epochs,
    out: call.path('--out'),
    resume,
    replay,
    dryRun: call.has('--dry-run'),
    flags,
  }
  const config = await call.resolve(flags.config, {
    set: [
      ...flags.set,
      ...(earlier !== undefined && flags !== chosenOptions ? await foundModels(earlier, flags.profile) : []),
    ],
    named: profile === undefined ? [] : [{ flag: '--profile', path: 'profile', text: profile }],
  })
  return { request, config }
}

// What was typed about settings.
export function typedFlags(call: Call): BenchRequest['flags'] {
  const graph = call.text('--graph')
  const model = call.text('--model')
  return {
    profile: call.text('--profile'),
    config: call.path('--config'),
    set: [
      ...(model === undefined ? [] : [`model=${model}`]),
      ...call.list('--set'),
      ...(graph === undefined ? [] : [`graph=${graph}`]),
    ],
  }
}

// The map by which data of another layout are read.
export async function readMapOption(call: Call): Promise<RecordMap | undefined> {
  const file = call.path('--map')
  return file === undefined ? undefined : readMap(file)
}

// What was found out for the roles when a run began: what runs on this machine now does not matter to its second half.
async function foundModels(run: string, wanted = 'auto'): Promise<string[]> {
  const recorded = (parseStoredJson(await readTextFile(join(run, 'config.json'))) ?? {}) as Partial<Config>
  const { profile, model, server, models } = recorded
  if (!models || (wanted !== 'auto' && model === undefined && server === undefined)) return []
  return [`profile=${profile}`, ...(model === undefined ? [] : [`model=${model}`]), `models=${JSON.stringify(models)}`]
}

// The data of a benchmark that brings its own, where --data is left out.
export async function defaultData(call: Call, benchmark: string): Promise<string> {
  return bundledFolder(benchmark, await call.home(), {
    onProgress: (done, total, name) =>
      call.terminal.draw([`rendering ${name}: ${Math.round(done)} of ${Math.round(total)} s`]),
    signal: call.signal,
  })
}

const single = [
  '--data',
  '--map',
  '--videos',
  '--split',
  '--limit',
  '--by',
  '--variant',
  '--graph',
  '--profile',
  '--model',
  '--config',
  '--concurrency',
  '--epochs',
]
const judging = ['--judge', '--judge-mode', '--wording']
const repeated = ['--set', '--task', '--option']

// What to type to resume a run: the same words with --resume.
export function resumeCommand(call: Call, run: string, command: readonly string[] = ['run', call.argument()]): string {
  const flags = [
    ...[...single, ...judging].map(flag => [flag, call.text(flag) ?? '']),
    ...repeated.flatMap(flag => call.list(flag).map(value => [flag, value])),
  ].filter(([, value]) => value !== '')
  const queue = call.has('--queue') ? ['--queue'] : []
  return ['longtake bench', ...[...command, ...flags.flat(), ...queue, '--resume', run].map(quoteArgument)].join(' ')
}

export function quoteArgument(word: string): string {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`
}
