import { letterShape, nearWords, type SearchVocabulary } from '../../../src/search/near-words.ts'
import { type LookedUp, lookUp, stemmer } from '../../../src/search/query-lookup.ts'
import { computeRarity } from '../../../src/search/text-index.ts'
import { openMemory } from '../../../src/store/sqlite.ts'
import { phoneticCode } from '../../../src/text/word-similarity.ts'
import type { Sql } from '../data/sql.ts'
import { tsquery } from './lexemes.ts'

export interface AskedWords {
  words: SearchedWord[]
  size: number // lines of the library
}

export interface SearchedWord extends Omit<LookedUp, 'variants'> {
  isOwn: boolean // the first variant is the word itself
  variants: { terms: string[]; weight: number; rows: number }[] // `terms`: all of them must be in the line
}

// The words of a query with all that may stand for them in the library, by the rules that hold in one video. These ask for a word at a
// time and do not wait; so what they ask for is noted, fetched together, and they are asked again.
export async function askedWords(sql: Sql, query: string): Promise<AskedWords> {
  const { rows } = await sql.query<{ size: number }>(
    'select coalesce(sum(lines), 0)::integer as size from longtake.filled',
  )
  const size = rows[0]?.size ?? 0
  const memory = await openMemory()
  try {
    const stemsOf = stemmer(memory)
    const wordCache = new WordCache()
    for (;;) {
      const looked = lookUp(query, wordCache.vocabulary, stemsOf, held => computeRarity(held, size))
      if (await wordCache.fetch(sql)) continue
      const words: SearchedWord[] = []
      for (const word of looked) words.push(await counted(sql, withTerms(word, stemsOf), size))
      return { size, words }
    }
  } finally {
    memory.close()
  }
}

// In how many lines a word stands, as a look into every video counts them: in one that does not hold it, what is nearest stands for it.
async function counted(sql: Sql, word: SearchedWord, size: number): Promise<SearchedWord> {
  const [own, ...near] = word.variants
  const rows = word.variants.reduce((sum, variant) => sum + variant.rows, 0)
  if (!own || near.length === 0 || rows > fewLines) return word
  const queries = word.variants.map(({ terms }) => tsquery([terms]))
  const counts = queries.map((_, at) => `count(*) filter (where ts @@ $${at + 2}::tsquery)`)
  const ownFirst = word.isOwn
    ? `case when ${counts[0]} > 0 then ${counts[0]} else greatest(${counts.join(', ')}) end`
    : `greatest(${counts.join(', ')})`
  const lineCount = await sql.query<{ lines: number }>(
    `select coalesce(sum(lines), 0)::integer as lines from (
      select ${ownFirst} as lines from longtake.line where ts @@ $1::tsquery group by video
    ) videos`,
    [tsquery(word.variants.map(({ terms }) => terms)), ...queries],
  )
  const lines = lineCount.rows[0]?.lines ?? word.rows
  return { ...word, rows: lines, rarity: computeRarity(lines, size) }
}

function withTerms({ variants, ...word }: LookedUp, stemsOf: (words: string[]) => string[]): SearchedWord {
  return {
    ...word,
    isOwn: variants[0]?.weight === 1,
    variants: variants.map(({ stem, weight, rows, parts }) => ({
      terms: parts ? stemsOf(parts) : [stem],
      weight,
      rows,
    })),
  }
}

// A word in no more lines is counted and looked through in no time, however large the library.
export const fewLines = 5000

interface Near {
  shape: string[]
  like: string[]
}

class WordCache {
  readonly #rows = new Map<string, number>()
  readonly #near = new Map<string, Near>()
  readonly #wanted = { rows: new Set<string>(), near: new Set<string>() }

  readonly vocabulary: SearchVocabulary = {
    rows: stem => this.#held(stem),
    near: stem => {
      const cachedNear = this.#near.get(stem)
      if (!cachedNear) this.#wanted.near.add(stem)
      if (!cachedNear) return []
      // As in a video that does not hold the word: in the others what is near it counts for less, or not at all.
      return nearWords(stem, 0, other => this.#held(other), { ...cachedNear, like: () => cachedNear.like }, maxVariants)
    },
  }

  #held(stem: string): number {
    const cachedRows = this.#rows.get(stem)
    if (cachedRows === undefined) this.#wanted.rows.add(stem)
    return cachedRows ?? 0
  }

  // Whether something new is known.
  async fetch(sql: Sql): Promise<boolean> {
    const [stems, near] = [[...this.#wanted.rows], [...this.#wanted.near]]
    this.#wanted.rows.clear()
    this.#wanted.near.clear()
    if (stems.length > 0) {
      for (const stem of stems) this.#rows.set(stem, 0)
      const { rows } = await sql.query<{ word: string; lines: number }>(
        'select word, lines from longtake.word where word = any($1)',
        [stems],
      )
      for (const { word, lines } of rows) this.#rows.set(word, lines)
    }
    for (const stem of near) this.#near.set(stem, await readNearWords(sql, stem))
    return stems.length + near.length > 0
  }
}

const maxNear = 200
const maxVariants = 32 // a video has up to 6, and each its own

async function readNearWords(sql: Sql, stem: string): Promise<Near> {
  const words = async (where: string, value: string) => {
    const { rows } = await sql.query<{ word: string }>(
      `select word from longtake.word where ${where} limit ${maxNear}`,
      [value],
    )
    return rows.map(({ word }) => word)
  }
  const misspelled = (await hasTrigrams(sql)) ? await words('word % $1 order by word <-> $1', stem) : []
  return {
    shape: await words('shape = $1', letterShape(stem)),
    like: [...new Set([...(await words('sound = $1', phoneticCode(stem))), ...misspelled])],
  }
}

async function hasTrigrams(sql: Sql): Promise<boolean> {
  const { rowCount } = await sql.query("select 1 from pg_extension where extname = 'pg_trgm'")
  return rowCount > 0
}
