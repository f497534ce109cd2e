import { type BenchRequest, type BenchResult, findRun, openBench, readBenchRun } from '../../../eval/bench.ts'
import type { ResolvedConfig } from '../../config/resolve.ts'
import { InterruptedError, UsageError } from '../../core/errors.ts'
import { benchProgress } from '../bench/bench-progress.ts'
import { defaultData } from '../bench/default-data.ts'
import { pathOption } from '../bench/paths.ts'
import { forecastLines, preflightLines } from '../bench/preflight-lines.ts'
import { resumeCommand } from '../bench/resume-command.ts'
import type { Call } from '../call.ts'
import { exitCodes } from '../fail.ts'
import { result } from '../output.ts'
import { fileName } from '../sanitise.ts'
import type { CommandRun } from '../table/types.ts'
import { version } from '../version.ts'
import { scoreLines } from './bench-score.ts'

const benchRun: CommandRun = async call => {
  const { request, config } = await requestOf(call)
  const bench = await openBench(request, {
    config,
    home: await call.home(),
    environment: call.world.environment,
    version: version(),
    say: line => call.remark(line),
    signal: call.signal,
  })
  try {
    call.remark(`Profile ${bench.profile.name}: ${bench.profile.why}.${bench.judge ? ` Judge: ${bench.judge}.` : ''}`)
    const checked = await bench.check((done, total) => call.terminal.draw([`checking ${done} of ${total} videos`]))
    call.terminal.draw([])
    const forecast = await bench.forecast(checked)
    if (call.has('--dry-run')) {
      result(
        call,
        () => ({ preflight: checked, forecast }),
        () => [...preflightLines(checked), '', ...forecastLines(forecast)],
      )
      return checked.askable === checked.samples ? exitCodes.ok : exitCodes.partial
    }
    for (const line of [...preflightLines(checked), ...forecastLines(forecast)]) call.remark(line)
    if (checked.askable === 0)
      throw new UsageError('Not one of the videos can be read.', {
        hint: `Say where they lie with --videos FOLDER; "longtake bench show ${request.benchmark}" says what to download.`,
      })
    const files = await bench.openFiles(checked)
    const progress = await benchProgress(call)
    try {
      call.remark(`Run: ${fileName(files.folder)}`)
      if (call.has('--record')) call.remark(`Every call is recorded in ${fileName(files.folder)}/calls.`)
      const done = await bench.run(files, progress)
      progress.finish()
      return finish(call, done)
    } catch (error) {
      progress.finish()
      throw withResume(error, call, files.folder)
    } finally {
      files.close()
    }
  } finally {
    await bench.close()
  }
}
export default benchRun

function finish(call: Call, { folder, run, lines, scores, failed, unjudged }: BenchResult): number {
  result(
    call,
    () => ({ run: folder, benchmark: run.benchmark, samples: lines.length, failed, unjudged, scores }),
    () => [
      ...scoreLines([scores.strict, scores.official]),
      '',
      ...(failed > 0 ? [`${failed} questions could not be asked; they count as wrong.`] : []),
      ...(unjudged > 0 ? [`${unjudged} answers could not be judged; --resume judges them again.`] : []),
      `More: longtake bench report ${fileName(folder)} --html report.html`,
    ],
  )
  return failed > 0 || unjudged > 0 ? exitCodes.partial : exitCodes.ok
}

// A resumed run takes from its beginning what is not said again.
async function requestOf(call: Call): Promise<{ request: BenchRequest; config: ResolvedConfig }> {
  const home = await call.home()
  const named = call.text('--resume')
  const replayed = call.text('--replay')
  const replay = replayed === undefined ? undefined : await findRun(replayed, call.world.cwd, home)
  const resume = named === undefined ? undefined : await findRun(named, call.world.cwd, home)
  const earlier = resume ?? replay
  const before = earlier === undefined ? undefined : await readBenchRun(earlier)
  const [benchmark] = call.arguments
  if (before && before.benchmark !== benchmark)
    throw new UsageError(`The run in ${earlier} is one of ${before.benchmark}, not of ${benchmark}.`)
  const graph = call.text('--graph')
  const given = {
    profile: call.text('--profile'),
    config: pathOption(call, '--config'),
    set: [...call.list('--set'), ...(graph === undefined ? [] : [`graph=${graph}`])],
  }
  const flags = given.profile || given.config || given.set.length > 0 ? given : (before?.flags ?? given)
  // What "auto" stood for then: whether a server runs now is not a question of a replay.
  const profile = flags.profile ?? (replay === undefined ? undefined : before?.profile.name)
  const tasks = call.list('--task').flatMap(names => names.split(','))
  const options = call.list('--option')
  const request: BenchRequest = {
    benchmark,
    data: pathOption(call, '--data') ?? before?.data ?? (await defaultData(call, benchmark, home)),
    videos: pathOption(call, '--videos') ?? before?.videos,
    split: call.text('--split') ?? before?.split,
    limit: call.wholeNumber('--limit') ?? before?.limit,
    tasks: tasks.length > 0 ? tasks : (before?.tasks ?? []),
    by: (call.text('--by') ?? before?.by ?? 'agent') as BenchRequest['by'],
    options:
      options.length > 0 || !before
        ? options
        : Object.entries(before.options).map(([name, value]) => `${name}=${JSON.stringify(value)}`),
    judge: (call.text('--judge') ?? before?.judge ?? 'auto') as BenchRequest['judge'],
    wording: pathOption(call, '--wording') ?? before?.wording?.file,
    concurrency: call.wholeNumber('--concurrency') ?? 1,
    out: pathOption(call, '--out'),
    resume,
    replay,
    dryRun: call.has('--dry-run'),
    flags,
  }
  const config = await call.resolve(flags.config, {
    set: flags.set,
    named: profile === undefined ? [] : [{ flag: '--profile', path: 'profile', text: profile }],
  })
  return { request, config }
}

function withResume(error: unknown, call: Call, folder: string): unknown {
  const flags = [
    '--data',
    '--videos',
    '--split',
    '--limit',
    '--by',
    '--graph',
    '--profile',
    '--config',
    '--concurrency',
    '--judge',
    '--wording',
  ]
  const given = [
    ...flags.map((flag): [string, string] => [flag, call.text(flag) ?? '']),
    ...['--set', '--task', '--option'].flatMap(flag => call.list(flag).map((value): [string, string] => [flag, value])),
  ].filter(([, value]) => value !== '')
  const command = resumeCommand({ benchmark: call.arguments[0], given, run: folder })
  if (error instanceof InterruptedError)
    return new InterruptedError('Stopped; everything that was answered is kept.', {
      hint: `Go on with: ${command}`,
      cause: error,
    })
  call.remark(`What was answered is kept. Go on with: ${command}`)
  return error
}
