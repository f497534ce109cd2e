import { join } from 'node:path'
import { UsageError } from '../../src/core/errors.ts'
import { exists } from '../../src/store/read-file.ts'
import type { MadeFolder, MakeWork, Recipe } from './benchmark.ts'
import { loadBenchmark } from './index.ts'

// Renders the videos of a benchmark that is made here.
export async function makeBenchmark(name: string, work: MakeWork): Promise<MadeFolder> {
  const recipe = (await loadBenchmark(name)).making?.make
  if (recipe) return recipe.make(work)
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
  const recipe = (await loadBenchmark(name)).making?.make
  if (!recipe)
    throw new UsageError('--data is missing.', {
      hint: `Name the folder of the annotations; "longtake bench show ${name}" says what to download.`,
    })
  const folder = join(home, 'benchmarks', bundledName(name, recipe))
  if (!(await exists(join(folder, recipe.lastFile))))
    await recipe.make({ ...recipe.bundled, ...work, folder, access: 'private' })
  return folder
}
