import { readFile } from 'node:fs/promises'
import { basename, join, resolve } from 'node:path'
import { z } from 'zod'
import { absentAs, errorText, UsageError } from '../../src/core/errors.ts'
import type { Benchmark } from '../benchmarks/benchmark.ts'
import type { About, Sample } from '../benchmarks/sample.ts'
import { rootOf } from '../data/find-videos.ts'

const Facts = z.strictObject({
  title: z.string().optional(),
  genre: z.string().optional(),
  year: z.number().int().optional(),
  season: z.number().int().optional(),
  episode: z.number().int().optional(),
})
const Titles = z.record(z.string(), Facts)
type Titles = z.infer<typeof Titles>

// Samples with what is known about their video, from the data, or from about.json beside them or the file that is named. Nothing is
// asked about a video of which nothing is known.
export async function withAbout(
  asked: Pick<Benchmark, 'samples' | 'leftOut'>,
  { metadata, titles }: Record<string, unknown>,
  data: string,
): Promise<Pick<Benchmark, 'samples' | 'leftOut'>> {
  if (metadata !== 'also' && metadata !== 'only') return asked
  const named = typeof titles === 'string' ? resolve(titles) : undefined
  const known = await readTitles(named ?? join(await rootOf(data), 'about.json'), named === undefined)
  const told = (record: unknown, place: number) =>
    asked.samples(record, place).map(sample => ({ ...sample, about: known(sample) ?? sample.about }))
  return {
    samples: (record, place) => told(record, place).filter(({ about }) => about !== undefined),
    leftOut: (record, place) => [
      ...(asked.leftOut?.(record, place) ?? []),
      ...told(record, place).flatMap(({ id, longId = id, about }) =>
        about === undefined ? [{ id: longId, reason: 'neither title nor another word about its video is known' }] : [],
      ),
    ],
  }
}

async function readTitles(file: string, mayBeAbsent: boolean): Promise<(sample: Sample) => About | undefined> {
  const text = await readFile(file, 'utf8').catch(absentAs(undefined))
  if (text === undefined && mayBeAbsent) return () => undefined
  const found = parsed(text ?? '', file)
  const byName = new Map(Object.entries(found))
  return ({ video }) => namesOf(video).flatMap(name => byName.get(name) ?? [])[0]
}

// A video may be named by its path, its file name, that without its ending, or its folder as films by number are.
function namesOf(video: string): string[] {
  const name = basename(video)
  return [video, name, name.replace(/\.[^.]+$/, ''), ...video.split('/').slice(0, -1).reverse()]
}

function parsed(text: string, file: string): Titles {
  const hint =
    'It holds {"video": {"title": "...", "genre": "...", "year": 1999, "season": 1, "episode": 2}}, each word optional.'
  try {
    return Titles.parse(JSON.parse(text))
  } catch (cause) {
    throw new UsageError(`${file} does not say what the videos are: ${errorText(cause)}`, { hint, cause })
  }
}

export function aboutText(about: About): string {
  return `About the video: ${Object.entries(about)
    .flatMap(([name, value]) => (value === undefined ? [] : [`${name} ${value}`]))
    .join('; ')}.`
}
