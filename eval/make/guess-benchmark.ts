import { readFile, stat } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { z } from 'zod'
import { absentAs, UsageError } from '../../src/core/errors.ts'
import { filesBelow } from '../../src/store/files-below.ts'
import { benchmarkNames, loadBenchmark } from '../benchmarks/index.ts'

const MadeCard = z.looseObject({ recipe: z.string() })

// Which benchmark's data these are: as the card of a made set says, else by the names of the files. Where several fit, none is preferred.
export async function guessBenchmark(path: string): Promise<string> {
  const kind = await stat(path).catch(absentAs(undefined))
  if (!kind)
    throw new UsageError(`There is nothing at ${path}.`, { hint: 'Name the folder of a set, or its annotation file.' })
  const card = kind.isFile()
    ? undefined
    : await readFile(join(path, 'benchmark.json'), 'utf8').catch(absentAs(undefined))
  const madeCard = card === undefined ? undefined : MadeCard.safeParse(jsonIn(card)).data
  if (madeCard) return madeCard.recipe
  const names = (kind.isFile() ? [path] : await filesBelow(path, 2)).map(file => basename(file))
  const fitting: string[] = []
  for (const name of benchmarkNames) {
    const { isFile } = (await loadBenchmark(name)).data.annotations
    // A benchmark whose makers name no file takes any; nothing is told by that.
    if (!isFile('any-name-at-all.json') && names.some(isFile)) fitting.push(name)
  }
  const [only] = fitting
  if (only !== undefined && fitting.length === 1) return only
  throw new UsageError(
    fitting.length > 1
      ? `${path} may hold ${fitting.join(' or ')}.`
      : `The names of the files at ${path} do not tell which benchmark they are of.`,
    { hint: `Say which: --benchmark ${fitting[0] ?? 'NAME'}. There are: ${benchmarkNames.join(', ')}.` },
  )
}

function jsonIn(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
