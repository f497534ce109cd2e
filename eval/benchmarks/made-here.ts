import { stat } from 'node:fs/promises'
import { join } from 'node:path'
import { absentAs, UsageError } from '../../src/core/errors.ts'
import type { MadeFolder, MakeWork, Recipe } from './benchmark.ts'
import { loadBenchmark } from './index.ts'

// Renders the videos of a benchmark that is made here.
export async function makeBenchmark(name: string, work: MakeWork): Promise<MadeFolder> {
  const make = (await loadBenchmark(name)).making?.make
  if (make) return make.make(work)
  throw new UsageError(`${name} is not made here; its data are fetched.`, {
    hint: `"longtake bench show ${name}" says what to fetch.`,
  })
}

export function bundledName(
  benchmark: string,
  { bundled: { seed, minutes, videos } }: Pick<Recipe, 'bundled'>,
): string {
  return `${benchmark}-${seed}-${minutes}min-${videos}`
}

// The data of a benchmark that everybody has, made when they are not there yet.
export async function bundledFolder(
  name: string,
  home: string,
  work: Pick<MakeWork, 'onProgress' | 'signal'>,
): Promise<string> {
  const make = (await loadBenchmark(name)).making?.make
  if (!make)
    throw new UsageError('--data is missing.', {
      hint: `Name the folder of the annotations; "longtake bench show ${name}" says what to download.`,
    })
  const folder = join(home, 'benchmarks', bundledName(name, make))
  const whole = await stat(join(folder, make.lastFile)).catch(absentAs(undefined))
  if (!whole) await make.make({ ...make.bundled, ...work, folder, access: 'private' })
  return folder
}
