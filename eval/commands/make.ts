import type { Call } from '../../src/cli/call.ts'
import type { CommandRun } from '../../src/cli/command.ts'
import { exitCodes } from '../../src/cli/fail.ts'
import { result } from '../../src/cli/output.ts'
import { version } from '../../src/cli/version.ts'
import { UsageError } from '../../src/core/errors.ts'
import { formatTime } from '../../src/core/time.ts'
import { visibleFileName } from '../../src/core/words/visible-text.ts'
import { loadBenchmark } from '../benchmarks/index.ts'
import { makeBenchmark } from '../benchmarks/made-here.ts'
import { type Making, makeSet } from '../make/make-set.ts'
import { type MakeRequest, readMakeRequest } from '../make/request.ts'
import { openMakeQueue } from './queue.ts'

// Renders a benchmark that is rendered here, or makes a set from a person's own videos.
const make: CommandRun = async call => {
  const name = readBenchmarkName(call)
  const isRendered = name !== undefined && (await loadBenchmark(name)).making?.make !== undefined
  return isRendered ? rendered(call, name) : ownSet(call)
}

function readBenchmarkName(call: Call): string | undefined {
  return call.arguments[0] ?? call.text('--recipe')
}

async function rendered(call: Call, name: string): Promise<number> {
  const ofOwnSets = '--from --resume --replay --dry-run --option --until --exclude --licence --copy --queue'
  for (const flag of ofOwnSets.split(' '))
    if (isGiven(call, flag))
      throw new UsageError(`${name} is rendered, so ${flag} has no use.`, { hint: 'Leave it out.' })
  const folder = call.requiredPath('--out', 'Name the folder for the videos.')
  const minutes = call.text('--minutes') ?? '5'
  if (!/^\d+(\.\d+)?$/.test(minutes)) throw new UsageError(`--minutes must be a number, not "${minutes}".`)
  const benchmark = await makeBenchmark(name, {
    folder,
    seed: call.integer('--seed', 0, 999_999_999) ?? 1,
    minutes: Number(minutes),
    videos: call.integer('--videos') ?? 3,
    people: call.has('--people'),
    onProgress: (done, total, name) =>
      call.terminal.draw([`rendering ${name}: ${formatTime(done)} of ${formatTime(total)}`]),
    signal: call.signal,
  })
  call.terminal.draw([])
  const lines = benchmark.videos.map(
    ({ name, seconds, questions }) => `${visibleFileName(name)}: ${formatTime(seconds)}, ${questions} questions`,
  )
  result(call, benchmark, [...lines, `Now: longtake bench run ${name} --data ${visibleFileName(folder)}`])
  return 0
}

function isGiven(call: Call, flag: string): boolean {
  return call.has(flag) || call.text(flag) !== undefined || call.list(flag).length > 0
}

// Exit code 6: the money is spent, the set has no question, or its options, as they are dealt, tell the answers.
async function ownSet(call: Call): Promise<number> {
  const request = await readRequest(call)
  const config = await call.settings()
  const cluster = await openMakeQueue(call, config, request)
  try {
    const makeWorld = { ...(await call.host()), ...cluster.given, config, version: version() }
    return finish(call, request, await makeSet(request, makeWorld))
  } finally {
    await cluster.close()
  }
}

function finish(call: Call, request: MakeRequest, made: Making): number {
  const { set, folder, warnings, isGuessable } = made
  const end = set
    ? [
        `${set.counts.kept} questions of ${set.counts.drafted} drafted, on ${set.counts.videos} videos: ${visibleFileName(folder)}`,
        ...Object.entries(set.counts.rejected).map(([check, count]) => `rejected by ${check}: ${count}`),
        ...set.notRun.map(line => `not run: ${line}`),
        ...warnings,
        ...(set.licence.includes('not stated') ? ['Not to be published: the licence of a video is not stated.'] : []),
        ...nextSteps(set, folder),
      ]
    : [
        request.dryRun
          ? 'A dry run: nothing was asked of a model, and nothing was written.'
          : `Stopped as asked. Resume with: longtake bench make --resume ${visibleFileName(folder)}${call.has('--queue') ? ' --queue' : ''}`,
      ]
  result(call, made, end)
  return isGuessable || set?.counts.kept === 0 ? exitCodes.partial : exitCodes.ok
}

function nextSteps({ recipe, counts, roles }: NonNullable<Making['set']>, folder: string): string[] {
  if (counts.kept > 0) return [`Now: longtake bench run ${recipe} --data ${visibleFileName(folder)}`]
  if (counts.drafted > 0)
    return [`Nothing was kept: made/rejected.jsonl of ${visibleFileName(folder)} says why of each draft.`]
  if (roles.author !== 'rules') return ['Nothing was drafted: no question was found in these videos.']
  return [
    'Nothing was drafted: rules ask about titles that stand on the screen and sentences that were heard well, and found too few.',
    'A model asks about more: --set make.author.backend=openai --set make.author.model=NAME',
  ]
}

async function readRequest(call: Call): Promise<MakeRequest> {
  const common = {
    copy: call.has('--copy'),
    until: call.text('--until'),
    dryRun: call.has('--dry-run'),
    concurrency: call.integer('--concurrency', 1, 64) ?? 1,
  }
  const recipe = readBenchmarkName(call)
  const resume = call.path('--resume')
  if (resume !== undefined) return { wish: await wishIn(resume, recipe), out: resume, ...common }
  const replay = call.path('--replay')
  const out = call.requiredPath('--out', 'Name the folder of the set.')
  if (replay !== undefined) return { wish: await wishIn(replay, recipe), out, replay, ...common }
  if (recipe === undefined)
    throw new UsageError('Which recipe? None is named.', {
      hint: 'As in: longtake bench make cg-bench --from videos --out set',
    })
  const wish = await readMakeRequest({
    recipe,
    cwd: call.world.cwd,
    from: call.list('--from'),
    options: call.list('--option'),
    seed: call.integer('--seed', 0, 999_999_999) ?? 1,
    licence: call.text('--licence'),
    exclude: call.list('--exclude'),
  })
  return { wish, out, ...common }
}

async function wishIn(set: string, recipe: string | undefined): Promise<MakeRequest['wish']> {
  const wish = await readMakeRequest({ set })
  if (recipe === undefined || recipe === wish.recipe) return wish
  throw new UsageError(`${set} is made by the recipe ${wish.recipe}, not ${recipe}.`, { hint: 'Leave the recipe out.' })
}

export const benchMakeCommands = { make }
