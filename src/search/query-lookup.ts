import type { Sqlite } from '../store/sqlite.ts'
import { findIdeograms } from '../text/unspaced.ts'
import { isFrameWord } from './function-words.ts'
import type { SearchVocabulary, WordVariant } from './near-words.ts'
import { type QueryTerm, queryWords, tokenizer } from './text-words.ts'

// A word of a query with all that may stand for it in the index.
export interface LookedUp {
  text: string
  rows: number // that hold it
  rarity: number
  variants: (WordVariant & { pair?: string; parts?: string[] })[] // `pair`: `parts`, which must stand side by side
}

// As many bits as a row has for the words it holds.
const maxWords = 32

// The telling words of a query; the most telling ones if there are too many.
export function lookUp(
  query: string,
  vocabulary: SearchVocabulary,
  stemsOf: (words: string[]) => string[],
  rarity: (rows: number) => number,
): LookedUp[] {
  const words = queryWords(query)
  const forms = words.flatMap(word => [word.form, ...word.joined])
  const stems = new Map(stemsOf(forms).map((stem, at) => [forms[at], stem]))
  const countVariant = (stem: string, weight: number) => ({ stem, weight, rows: vocabulary.rows(stem) })
  const lookedUp = words.map(word => {
    const stem = stems.get(word.form) ?? word.form
    const exact = countVariant(stem, 1)
    const variants: LookedUp['variants'] = [
      exact,
      ...word.joined.map(form => countVariant(stems.get(form) ?? form, 0.95)),
      ...(exact.rows === 0 ? tornApart(word.form, vocabulary, stemsOf) : []),
      ...lookUpPhrase(word, exact.rows, vocabulary),
      ...vocabulary.near(stem),
    ].filter(variant => variant.rows > 0)
    const rows = exact.rows || Math.max(0, ...variants.map(variant => variant.rows))
    return { text: word.text, rows, rarity: rarity(rows), variants }
  })
  const contentLookups = lookedUp.filter(({ text, rows }) => rows > 0 || !isFrameWord(text))
  return (contentLookups.length > 0 ? contentLookups : lookedUp)
    .sort((a, b) => b.rarity - a.rarity)
    .slice(0, maxWords)
    .sort((a, b) => words.findIndex(w => w.text === a.text) - words.findIndex(w => w.text === b.text))
}

const maxCompound = 32

// "database" as "data base", where the index knows both halves.
function tornApart(
  word: string,
  vocabulary: SearchVocabulary,
  stemsOf: (words: string[]) => string[],
): LookedUp['variants'] {
  if (word.length > maxCompound) return []
  const cuts = Array.from({ length: Math.max(0, word.length - 3) }, (_, at) => at + 2)
  const halves = cuts.flatMap(at => [word.slice(0, at), word.slice(at)])
  const rows = stemsOf(halves).map(vocabulary.rows)
  return cuts.flatMap((at, i) => {
    const pairRows = Math.min(...rows.slice(2 * i, 2 * i + 2))
    const parts = [word.slice(0, at), word.slice(at)]
    const pair = parts.map(quoted).join(' + ')
    return pairRows > 0 ? [{ stem: word, weight: 0.9, rows: Math.min(pairRows, 3), pair, parts }] : []
  })
}

const maxPhrase = 32 // letters

// Ideograms side by side are the word wherever they stand. Letters of Thai and its like are so only where the word was found nowhere:
// short ones lie within many others.
function lookUpPhrase(
  { form, phrase = [] }: QueryTerm,
  held: number,
  vocabulary: SearchVocabulary,
): LookedUp['variants'] {
  if (phrase.length < 2 || phrase.length > maxPhrase) return []
  if (findIdeograms(form).length === 0 && (held > 0 || phrase.length < 3)) return []
  const rarest = Math.min(...phrase.map(vocabulary.rows))
  return rarest > 0
    ? [
        {
          stem: form,
          weight: 0.95,
          rows: held || Math.min(rarest, 3),
          pair: phrase.map(quoted).join(' + '),
          parts: phrase,
        },
      ]
    : []
}

// The only way into MATCH: a string of the query language, in which nothing is an operator.
function quoted(word: string): string {
  return `"${word.replaceAll('"', '""')}"`
}

// Lets SQLite's own tokenizer find the stems, so that a query can never be cut differently from the rows.
export function stemmer(database: Sqlite): (words: string[]) => string[] {
  database.exec(`
    PRAGMA temp_store = MEMORY;
    CREATE VIRTUAL TABLE temp.asked USING fts5(word, tokenize='${tokenizer}');
    CREATE VIRTUAL TABLE temp.asked_stems USING fts5vocab(temp, asked, instance)`)
  const begin = database.run('BEGIN')
  const undo = database.run('ROLLBACK')
  const add = database.run('INSERT INTO temp.asked(rowid, word) VALUES (?, ?)')
  const read = database.rows<[string, number]>('SELECT term, doc FROM temp.asked_stems')
  return words => {
    const stems = [...words]
    begin()
    try {
      for (const [at, word] of words.entries()) add(at, word)
      for (const [term, doc] of read()) stems[doc] = term
    } catch (error) {
      try {
        undo()
      } catch {} // SQLite has undone it by itself
      throw error
    }
    undo()
    return stems
  }
}
