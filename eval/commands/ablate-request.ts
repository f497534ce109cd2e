import { readFile } from 'node:fs/promises'
import { dirname, resolve } from 'node:path'
import type { Call } from '../../src/cli/call.ts'
import { absentAs, UsageError } from '../../src/core/errors.ts'
import { AblationFile } from '../ablate/matrix/ablation-file.ts'
import { splitAtCommas } from '../ablate/matrix/read-changes.ts'
import { readStudy } from '../ablate/result/study-files.ts'
import type { AblateRequest } from '../ablate/study/study-parts.ts'
import { typedOrHarmless } from '../data/asked-by.ts'
import { findRunFolder } from '../runner/files/run-files.ts'
import { withPath } from '../runner/options.ts'
import { defaultData, readMapOption } from './bench-request.ts'

// What was typed and what the matrix file says, as one request. Flags add to the file; what both name once, the flag decides.
export async function ablateRequest(call: Call): Promise<AblateRequest> {
  const named = call.text('--resume')
  const resume = named === undefined ? undefined : await findRunFolder(named, call.world.cwd, await call.home())
  const before = resume === undefined ? undefined : await readStudy(resume)
  const file = await matrixFile(call)
  const typed = typedMatrix(call, file?.matrix ?? AblationFile.parse({}))
  const study = before?.study
  const matrix = before && !changesIn(typed) ? before.matrix : typed
  const benchmark = call.arguments[0] ?? file?.matrix.benchmark ?? study?.benchmark
  if (benchmark === undefined)
    throw new UsageError('No benchmark is named.', { hint: 'Write it first: longtake bench ablate needle --data ...' })
  if (study && study.benchmark !== benchmark)
    throw new UsageError(`The study in ${resume} is one of ${study.benchmark}, not of ${benchmark}.`)
  const fromFile = (path: string | undefined) =>
    path === undefined || !file ? undefined : resolve(dirname(file.path), path)
  const tasks = call.list('--task').flatMap(names => names.split(','))
  const options = [
    ...Object.entries(file?.matrix.base.option ?? {}).map(([name, value]) =>
      withPath(`${name}=${value}`, dirname(file?.path ?? '')),
    ),
    ...call.list('--base-option').map(one => withPath(one, call.world.cwd)),
  ]
  const profile = call.text('--base') ?? call.text('--profile') ?? file?.matrix.base.profile
  const set = [
    ...Object.entries(file?.matrix.base.set ?? {}).map(([key, value]) => `${key}=${value}`),
    ...(call.text('--model') === undefined ? [] : [`model=${call.text('--model')}`]),
    ...call.list('--base-set'),
  ]
  return {
    benchmark,
    data: call.path('--data') ?? fromFile(file?.matrix.data) ?? study?.data ?? (await defaultData(call, benchmark)),
    videos: call.path('--videos') ?? fromFile(file?.matrix.videos) ?? study?.videos,
    split: call.text('--split') ?? file?.matrix.split ?? study?.split,
    map: (await readMapOption(call)) ?? study?.map,
    limit: call.integer('--limit') ?? file?.matrix.limit ?? study?.limit,
    tasks: [tasks, file?.matrix.tasks ?? [], study?.tasks ?? []].find(list => list.length > 0) ?? [],
    by: typedOrHarmless(call.text('--by') ?? file?.matrix.by, study?.by),
    options: options.length > 0 ? options : (study?.options ?? []),
    judge: (call.text('--judge') ?? study?.judge ?? 'auto') as AblateRequest['judge'],
    judgeMode: (call.text('--base-judge-mode') ??
      file?.matrix.base.judgeMode ??
      study?.judgeMode) as AblateRequest['judgeMode'],
    wording: call.path('--wording') ?? study?.wording,
    concurrency: call.integer('--concurrency') ?? 1,
    matrix,
    base: profile === undefined && set.length === 0 && study ? study.base : { profile, set },
    config: call.path('--config') ?? study?.config,
    dryRun: call.has('--dry-run'),
    out: call.path('--out'),
    resume,
  }
}

async function matrixFile(call: Call): Promise<{ path: string; matrix: AblationFile } | undefined> {
  const path = call.path('--matrix')
  if (path === undefined) return undefined
  const text = await readFile(path, 'utf8').catch(absentAs(undefined))
  if (text === undefined)
    throw new UsageError(`There is no file at ${path}.`, { hint: 'Name the file with the changes.' })
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch (cause) {
    throw new UsageError(`${path} is not valid JSON.`, { cause })
  }
  return { path, matrix: parseMatrix(path, value) }
}

function parseMatrix(from: string, value: unknown): AblationFile {
  const parsed = AblationFile.safeParse(value)
  if (parsed.success) return parsed.data
  const { path: place = [], message = 'is not valid' } = parsed.error.issues[0] ?? {}
  throw new UsageError(`${from}: ${place.length > 0 ? `${place.join('.')}: ` : ''}${message}.`, {
    hint: '"longtake bench ablate --schema" prints what such a file may hold.',
  })
}

function typedMatrix(call: Call, file: AblationFile): AblationFile {
  const commas = (flag: string) => call.list(flag).flatMap(splitAtCommas)
  const swap: Record<string, string[]> = { ...file.swap }
  const set: AblationFile['set'] = { ...file.set }
  const option: AblationFile['option'] = { ...file.option }
  for (const [flag, into] of [
    ['--swap', swap],
    ['--set', set],
    ['--option', option],
  ] as const)
    for (const text of call.list(flag)) {
      const at = text.indexOf('=')
      const values = at > 0 ? splitAtCommas(text.slice(at + 1)) : []
      const key = text.slice(0, at).trim()
      if (values.length === 0 || key in {})
        throw new UsageError(`${flag} "${text}" names nothing to compare.`, { hint: `Write it as ${flag} name=a,b.` })
      into[key] = [...((into[key] ?? []) as string[]), ...values]
    }
  const fromStep = call.integer('--from-step', 0)
  const seed = call.integer('--seed', 0)
  return parseMatrix('the changes', {
    ...file,
    without: [...file.without, ...commas('--without')],
    swap,
    set,
    option,
    graph: [...file.graph, ...commas('--graph')],
    judgeMode: [...file.judgeMode, ...commas('--judge-mode')],
    oracle: [...file.oracle, ...commas('--oracle')],
    fault: [...file.fault, ...call.list('--fault')],
    ...(call.has('--full') && { design: 'full' }),
    ...(call.has('--one-at-a-time') && { design: 'one-at-a-time' }),
    ...(seed !== undefined && { seed }),
    ...(fromStep !== undefined && { fromStep }),
  })
}

function changesIn({ without, swap, set, option, graph, judgeMode, oracle, fault, rows }: AblationFile): boolean {
  const lists = [
    without,
    graph,
    judgeMode,
    oracle,
    fault,
    rows,
    Object.keys(swap),
    Object.keys(set),
    Object.keys(option),
  ]
  return lists.some(list => list.length > 0)
}
