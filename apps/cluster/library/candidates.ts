import type { Evidence } from '../../../src/core/evidence.ts'
import type { SearchQuery } from '../../../src/core/video.ts'
import { fuse, listWeights, wordsWeight } from '../../../src/search/fuse.ts'
import { computeRarity, saturation } from '../../../src/search/text-index.ts'
import type { Sql } from '../data/sql.ts'
import { type AskedWords, askedWords, fewLines, type SearchedWord } from './asked-words.ts'
import { timesLexeme, tsquery } from './lexemes.ts'
import { nearestShots } from './shot-table.ts'

export interface Candidates {
  lines: Candidate[] // the best first
  videos: string[] // of lines and shots, the best first
  asked: AskedWords
}

interface Candidate {
  evidence: Evidence
  score: number
  terms: string[]
  coverage: number
}

interface CandidateQuery extends Pick<SearchQuery, 'query' | 'tracks' | 'after' | 'before'> {
  limit: number
  only?: readonly string[] // videos
  picture?: { space: string; vector: ArrayLike<number> }
}

// A word in more than this share of the lines ranks, and never selects; in a library where so many are looked through in no time, it does.
const common = 0.02

// Lines by their words, each weighed by how rare it is in the library, and shots by their likeness. In one transaction.
export async function findCandidates(sql: Sql, given: CandidateQuery): Promise<Candidates> {
  const queryWords = await askedWords(sql, given.query)
  const lines = await findLines(sql, queryWords, given)
  const { picture, limit, only, tracks } = given
  const shots =
    picture && (!tracks || tracks.includes('picture'))
      ? await nearestShots(sql, picture.space, picture.vector, { limit, ...(only && { only }) })
      : []
  const covered = Math.max(0, ...lines.map(({ coverage }) => coverage))
  const videos = fuse<{ video: string; id: string }>(
    [
      {
        weight: wordsWeight(covered),
        items: lines.map(({ evidence: { video, id } }) => ({ video, id })),
      },
      {
        weight: listWeights.picture,
        items: shots.map(({ video, shot }) => ({ video, id: `shot ${shot}` })),
      },
    ],
    ({ video, id }) => `${video} ${id}`,
  )
  return { lines, videos: [...new Set(videos.map(({ item }) => item.video))], asked: queryWords }
}

async function findLines(sql: Sql, { words, size }: AskedWords, given: CandidateQuery): Promise<Candidate[]> {
  const foundWords = words.filter(({ variants }) => variants.length > 0)
  if (foundWords.length === 0) return []
  const values: unknown[] = []
  const value = (one: unknown) => `$${values.push(one)}`
  const rare = foundWords.filter(({ rows }) => rows <= Math.max(fewLines, common * size))
  const rarest = [...foundWords].sort((a, b) => a.rows - b.rows).slice(0, 1)
  const selecting = tsquery(
    (rare.length > 0 ? rare : rarest).flatMap(({ variants }) => variants.map(({ terms }) => terms)),
  )
  const where = [`ts @@ ${value(selecting)}::tsquery`]
  if (given.tracks) where.push(`track = any(${value(given.tracks)})`)
  if (given.after !== undefined) where.push(`start >= ${value(given.after)}`)
  if (given.before !== undefined) where.push(`start < ${value(given.before)}`)
  if (given.only) where.push(`video = any(${value(given.only)})`)
  const worths = foundWords.map(
    word => `greatest(${word.variants.map(one => variantWorth(one, word, size, value)).join(', ')})`,
  )
  // The same sum as in the text index of a video, for a line that holds no word more than three times.
  const sums = worths.map((worth, at) => `${worth} as w${at}`).join(', ')
  const total = worths.map((_, at) => `w${at}`).join(' + ')
  const { rows } = await sql.query<LineRow>(
    `select found.*, filled.name from (
      select video, "row" as id, track, start, stop, text, by, speaker, frame, ${sums}
      from longtake.line where ${where.join(' and ')}
    ) found join longtake.filled on filled.video = found.video
    order by (${total}) desc, filled.name, found.video, found.start, found.id limit ${value(given.limit)}`,
    values,
  )
  const whole = words.reduce((sum, { rarity }) => sum + rarity, 0)
  return rows.map(row => asCandidate(row, foundWords, whole))
}

// What a variant of a word is worth in a line that holds it.
function variantWorth(
  { terms, weight, rows }: SearchedWord['variants'][number],
  { rarity }: SearchedWord,
  size: number,
  value: (one: unknown) => string,
): string {
  const worth = weight * Math.min(computeRarity(rows, size), rarity)
  const [only, ...others] = terms
  const times =
    only === undefined || others.length > 0 || weight < 1
      ? []
      : [3, 2].map(count => ({ count, held: timesLexeme(only, count) }))
  const cases = [...times.map(({ count, held }) => ({ count, all: [held] })), { count: 1, all: terms }].map(
    ({ count, all }) => `when ts @@ ${value(tsquery([all]))}::tsquery then ${count} / (${count} + damping)`,
  )
  return `${value(worth * (saturation + 1))}::float8 * case ${cases.join(' ')} else 0 end`
}

interface LineRow {
  [word: `w${number}`]: number
  video: string
  id: string
  track: string
  start: number
  stop: number
  text: string
  by: string
  speaker: string | null
  frame: number | null
}

function asCandidate(row: LineRow, words: readonly SearchedWord[], whole: number): Candidate {
  const heldWords = words.flatMap((word, at) => ((row[`w${at}`] ?? 0) > 0 ? [word] : []))
  const { id, video, track, start, stop, text, by, speaker, frame } = row
  return {
    evidence: {
      id,
      video,
      track: track as Evidence['track'],
      span: { start, end: stop },
      text,
      by,
      ...(speaker !== null && { speaker }),
      ...(frame !== null && { frame }),
    },
    score: words.reduce((sum, _, at) => sum + (row[`w${at}`] ?? 0), 0),
    terms: heldWords.map(({ text }) => text),
    coverage: whole > 0 ? heldWords.reduce((sum, { rarity }) => sum + rarity, 0) / whole : 0,
  }
}
