import { basename, join, resolve } from 'node:path'
import { z } from 'zod'
import { errorText, UsageError } from '../../src/core/errors.ts'
import { sha256 } from '../../src/core/json.ts'
import { readTextFile } from '../../src/store/read-file.ts'
import { findVideoRoot } from '../data/find-videos.ts'
import type { Sample, SampleAbout, SampleSource } from '../data/sample.ts'

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
  asked: SampleSource,
  { metadata, titles }: Record<string, unknown>,
  data: string,
): Promise<SampleSource> {
  if (!isAsked(metadata)) return asked
  const { file, mayBeAbsent } = await titlesFile(titles, data)
  const titleOf = await readTitles(file, mayBeAbsent)
  const sampleAbout = (record: unknown, place: number) =>
    asked.samples(record, place).map(sample => ({ ...sample, about: titleOf(sample) ?? sample.about }))
  return {
    samples: (record, place) => sampleAbout(record, place).filter(({ about }) => about !== undefined),
    leftOut: (record, place) => [
      ...(asked.leftOut?.(record, place) ?? []),
      ...sampleAbout(record, place).flatMap(({ id, longId = id, about }) =>
        about === undefined ? [{ id: longId, reason: 'neither title nor another word about its video is known' }] : [],
      ),
    ],
  }
}

// The hash of the file that says what the videos are: with another one it is another run.
export async function aboutHash(options: Record<string, unknown>, data: string): Promise<string | undefined> {
  if (!isAsked(options.metadata)) return undefined
  const text = await readTextFile((await titlesFile(options.titles, data)).file)
  return text === undefined ? undefined : sha256(text)
}

function isAsked(metadata: unknown): boolean {
  return metadata === 'also' || metadata === 'only'
}

async function titlesFile(titles: unknown, data: string): Promise<{ file: string; mayBeAbsent: boolean }> {
  if (typeof titles === 'string') return { file: resolve(titles), mayBeAbsent: false }
  return { file: join(await findVideoRoot(data), 'about.json'), mayBeAbsent: true }
}

async function readTitles(file: string, mayBeAbsent: boolean): Promise<(sample: Sample) => SampleAbout | undefined> {
  const text = await readTextFile(file)
  if (text === undefined && mayBeAbsent) return () => undefined
  if (text === undefined)
    throw new UsageError(`There is no file at ${file}.`, { hint: 'Name it with --option titles=FILE.' })
  const parsedTitles = parsed(text, file)
  const byName = new Map(Object.entries(parsedTitles))
  return ({ video }) => listVideoNames(video).flatMap(name => byName.get(name) ?? [])[0]
}

// A video may be named by its path, its file name, that without its ending, or its folder as films by number are.
function listVideoNames(video: string): string[] {
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

export function aboutText(about: SampleAbout): string {
  return `About the video: ${Object.entries(about)
    .flatMap(([name, value]) => (value === undefined ? [] : [`${name} ${value}`]))
    .join('; ')}.`
}
