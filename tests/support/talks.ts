import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { type Evidence, stamp } from '../../src/core/evidence.ts'
import type { TextEncoder } from '../../src/core/services.ts'
import type { Video } from '../../src/core/video.ts'
import { evidenceList } from '../../src/search/evidence-list.ts'
import { foundByMeaning } from '../../src/search/search-lists.ts'
import { buildTextIndex } from '../../src/search/text-index.ts'
import { vectorIndexes } from '../../src/search/vectors/index.ts'
import { openVideoIndex, type VideoIndexParts } from '../../src/search/video-index.ts'

// A talk, line by line, and queries that each mean one line.
export interface Talk {
  name: string
  rows: Evidence[]
  queries: TalkQuery[]
}

export interface TalkQuery {
  kind: string
  text: string
  wanted: string // id of the row
}

const kinds: Record<string, string> = {
  p: 'paraphrases',
  w: 'exact words',
  n: 'names',
  e: 'paraphrases in English',
  q: 'questions',
}
const seconds = 4 // of a line

export async function readTalks(
  folder = fileURLToPath(new URL('../fixtures/talks', import.meta.url)),
): Promise<Talk[]> {
  const files = (await readdir(folder)).filter(file => file.endsWith('.txt')).sort()
  return Promise.all(files.map(async file => parseTalk(file.slice(0, -4), await readFile(join(folder, file), 'utf8'))))
}

// A line of the talk begins its line; below it stand the queries that mean it, indented, each with the letter of its kind.
function parseTalk(name: string, text: string): Talk {
  const talk: Talk = { name, rows: [], queries: [] }
  for (const line of text.split('\n').filter(line => line.trim() !== '')) {
    const query = /^ {2}(\w): (.+)$/.exec(line)
    if (!query) {
      const start = talk.rows.length * seconds
      talk.rows.push(stamp({ span: { start, end: start + seconds }, track: 'speech', text: line }, name, 'test/talk'))
      continue
    }
    const [, letter = '', words = ''] = query
    const wanted = talk.rows.at(-1)?.id ?? ''
    talk.queries.push({ kind: kinds[letter] ?? letter, text: words, wanted })
    if (letter === 'w')
      talk.queries.push({
        kind: 'exact words in a question',
        text: `When does the speaker talk about ${words}?`,
        wanted,
      })
    if (letter === 'n') talk.queries.push({ kind: 'names in a question', text: `What is said about ${words}?`, wanted })
  }
  return talk
}

type Way = 'words' | 'meaning' | 'both'
interface Recall {
  first: number // queries whose line comes first
  five: number // whose line is among the first five
  misses: string[] // queries whose line does not come first
}

export interface KindRecall {
  kind: string
  queries: TalkQuery[]
  found: Record<Way, Recall>
}

// How many lines of a talk are found by words alone, by meaning alone and by both, kind of query by kind.
export async function measureRecall(talk: Talk, encoder: TextEncoder, signal: AbortSignal): Promise<KindRecall[]> {
  const folder = await mkdtemp(join(tmpdir(), 'longtake-talk-'))
  const textIndexFile = join(folder, 'words.sqlite')
  await buildTextIndex(textIndexFile, talk.rows)
  const vectors = await vectorIndexes.exact.create(encoder.dimensions, talk.rows.length)
  for (const [key, vector] of (
    await encoder.passages(
      talk.rows.map(row => row.text),
      signal,
    )
  ).entries())
    vectors.add(key, vector)
  const texts = talk.queries.map(query => query.text)
  const queryVectors = await encoder.queries(texts, signal)
  const asked = new Map(texts.map((text, at) => [text, queryVectors[at]]))
  const meaning: VideoIndexParts['meaning'] = {
    by: 'embed-text',
    index: async () => vectors,
    ids: async () => talk.rows.map(row => row.id),
    encode: async query => asked.get(query),
  }
  const parts = indexParts(talk, textIndexFile)
  const both = openVideoIndex({ ...parts, meaning })
  const words = openVideoIndex(parts)
  const list = evidenceList(talk.rows)
  const ids = (hits: readonly { evidence: Evidence }[]) => hits.map(({ evidence }) => evidence.id)
  const search: Record<Way, (query: string) => Promise<string[]>> = {
    words: async query => ids(await words.search({ query, k: 5 })),
    both: async query => ids(await both.search({ query, k: 5 })),
    meaning: async query => ids((await foundByMeaning({ query }, 5, list, meaning))?.items ?? []),
  }
  try {
    const kinds = [...new Set(talk.queries.map(query => query.kind))]
    return await Promise.all(
      kinds.map(async kind => {
        const queries = talk.queries.filter(query => query.kind === kind)
        const recall = async (way: Way): Promise<Recall> => {
          const places = await Promise.all(
            queries.map(async query => (await search[way](query.text)).indexOf(query.wanted)),
          )
          return {
            first: places.filter(place => place === 0).length,
            five: places.filter(place => place >= 0).length,
            misses: queries.filter((_, at) => places[at] !== 0).map(query => query.text),
          }
        }
        const found = { words: await recall('words'), meaning: await recall('meaning'), both: await recall('both') }
        return { kind, queries, found }
      }),
    )
  } finally {
    await Promise.all([both.close(), words.close()])
    await rm(folder, { recursive: true })
  }
}

function indexParts({ name, rows }: Talk, textIndexFile: string): VideoIndexParts {
  const duration = rows.length * seconds
  const video: Video = {
    ...{ id: name, path: `/${name}.mp4`, name: `${name}.mp4`, bytes: 1, container: 'mov', start: 0, duration },
    ...{ otherSounds: [], subtitles: [], sidecars: [], notes: [] },
  }
  const indexed = { state: 'indexed' as const, spans: [{ start: 0, end: duration }], items: rows.length }
  return {
    video,
    coverage: { duration, picture: indexed, speech: indexed, sound: indexed, text: indexed, notes: [] },
    overview: { duration, shots: 1, speakers: [], chapters: [], notIndexed: [] },
    ...{ shots: [], stills: [], evidence: rows, textIndexFile },
    still: async () => new Uint8Array(),
    audio: async () => undefined,
  }
}
