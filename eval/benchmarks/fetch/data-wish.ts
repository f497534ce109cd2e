import { UsageError } from '../../../src/core/errors.ts'
import type { Benchmark } from '../benchmark.ts'
import { type DataGuide, type DataPart, dataParts } from '../data-guide.ts'

export interface WantedParts {
  guide: DataGuide
  parts: { name: string; patterns: string[] }[] // paths of files, * for any name
  notes: string[]
}

// The files of these parts of a benchmark's data, as its guide names them.
export function wantedParts(
  { name, about: { guide } }: Pick<Benchmark, 'name' | 'about'>,
  parts: readonly DataPart[],
  split?: string,
): WantedParts {
  if (!guide)
    throw new UsageError(`${name} is not fetched.`, {
      hint: `"longtake bench show ${name}" says where its data come from.`,
    })
  const guideParts = parts.map(part => ({ part, ...choosePart(name, guide, part, split) }))
  return {
    guide,
    parts: guideParts.map(({ part, files }) => ({ name: part, patterns: files })),
    notes: guideParts.flatMap(({ part, note }) => (note === undefined ? [] : [`${part}: ${note}.`])),
  }
}

function choosePart(name: string, guide: DataGuide, part: DataPart, split?: string) {
  const guidePart = guide.parts[part]
  if (!guidePart) {
    const there = dataParts.filter(one => guide.parts[one])
    throw new UsageError(`${name} hands out no ${part}: ${guide.videos}.`, {
      hint: `It has ${there.join(', ')}.${part === 'videos' ? ` "longtake bench videos ${name}" lists addresses.` : ''}`,
    })
  }
  const { files, ofSplit = {}, note } = guidePart
  if (split === undefined || (part !== 'annotations' && !guidePart.ofSplit)) return { files, note }
  const chosen = Object.hasOwn(ofSplit, split) ? ofSplit[split] : undefined
  if (chosen) return { files: chosen, note }
  const splits = Object.keys(ofSplit)
  throw new UsageError(`The files of ${name} are not known by a split "${split}".`, {
    hint: splits.length > 0 ? `Known are ${splits.join(', ')}.` : 'Leave --split out.',
  })
}
