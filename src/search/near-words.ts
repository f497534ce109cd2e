import { breather } from '../core/basics/signals.ts'
import type { Sqlite } from '../store/sqlite.ts'
import { phoneticCode, wordSimilarity } from '../text/word-similarity.ts'
import type { Token } from '../text/words.ts'

// One stem of the vocabulary to look for, and how surely it is the word that was asked for.
export interface WordVariant {
  stem: string
  weight: number // 1 for the word itself
  rows: number // how many rows hold it
}

export interface SearchVocabulary {
  rows(stem: string): number
  near(stem: string): WordVariant[]
}

// A word that fewer rows hold than this may be a reading fault itself, so words near it are looked for as well.
const rare = 3

// How many near words stand in for one: more would blur the search and slow it.
const maxVariants = 6

// Writes down every stem of the index with how it sounds and how it looks, so that near words are found without a scan.
export async function buildVocabulary(database: Sqlite, signal?: AbortSignal): Promise<void> {
  database.exec(`
    CREATE VIRTUAL TABLE stems USING fts5vocab(words, row);
    CREATE TABLE vocabulary(stem TEXT PRIMARY KEY, rows INTEGER, letters INTEGER, sound TEXT, shape TEXT) WITHOUT ROWID`)
  const insert = database.run('INSERT INTO vocabulary VALUES (?, ?, ?, ?, ?)')
  const breathe = breather(signal)
  for (const [term, doc] of database.rows<[string, number]>('SELECT term, doc FROM stems')()) {
    const pause = breathe()
    if (pause) await pause
    insert(term, doc, term.length, phoneticCode(term), letterShape(term))
  }
  database.exec(`
    DROP TABLE stems;
    CREATE INDEX by_sound ON vocabulary(sound, stem, rows);
    CREATE INDEX by_shape ON vocabulary(shape, stem, rows);
    CREATE INDEX by_letters ON vocabulary(letters, stem)`)
}

export function openVocabulary(database: Sqlite): SearchVocabulary {
  const rowsOf = database.value<number>('SELECT rows FROM vocabulary WHERE stem = ?')
  const bySound = database.values<string>('SELECT stem FROM vocabulary WHERE sound = ? LIMIT 200')
  const byShape = database.values<string>('SELECT stem FROM vocabulary WHERE shape = ? LIMIT 200')
  const byLetters = database.value<string | null>("SELECT group_concat(stem, ' ') FROM vocabulary WHERE letters = ?")
  const remembered = new Map<string, WordVariant[]>()
  const buckets = new Map<number, { stems: string[]; letters: Uint32Array }>()

  const rows = (stem: string) => rowsOf(stem) ?? 0

  // All stems of one length, with the letters each holds as bits: most are ruled out by these alone.
  const bucket = (length: number) => {
    let bucket = buckets.get(length)
    if (!bucket) {
      const stems = byLetters(length)?.split(' ') ?? []
      bucket = { stems, letters: Uint32Array.from(stems, collectLetters) }
      buckets.set(length, bucket)
    }
    return bucket
  }

  const spelledAlike = (stem: string): string[] => {
    const edits = stem.length >= 8 ? 2 : stem.length >= 4 ? 1 : 0
    const stemLetters = collectLetters(stem)
    const close: string[] = []
    for (let length = stem.length - edits; length <= stem.length + edits; length++) {
      const { stems, letters } = bucket(length)
      for (let i = 0; i < stems.length; i++) if (bitCount(letters[i]! ^ stemLetters) <= 2 * edits) close.push(stems[i]!)
    }
    return close
  }

  const near = (stem: string): WordVariant[] =>
    nearWords(stem, rows(stem), rows, {
      shape: byShape(letterShape(stem)),
      like: () => [...bySound(phoneticCode(stem)), ...spelledAlike(stem)],
    })

  return {
    rows,
    near(stem) {
      const variants = remembered.get(stem) ?? near(stem)
      remembered.set(stem, variants)
      return variants
    },
  }
}

// What may stand in the index for a word: those that look the same to a reader of texts, and where few rows hold the word, those that
// sound or are spelled like it.
export function nearWords(
  stem: string,
  held: number,
  rows: (stem: string) => number,
  others: { shape: readonly string[]; like(): readonly string[] },
  max = maxVariants,
): WordVariant[] {
  const weights = new Map<string, number>()
  const add = (other: string, weight: number) => {
    if (other !== stem && weight > (weights.get(other) ?? 0)) weights.set(other, weight)
  }
  // A word with digits among its letters is not a word: "m0del" can only be "model" misread.
  for (const other of others.shape) {
    if (isMixed(other) !== isMixed(stem)) add(other, 0.8)
    else if (held < rare) add(other, 0.7)
  }
  if (held < rare && !/\d/.test(stem)) {
    const doubt = held === 0 ? 0.8 : 0.5
    for (const other of others.like()) {
      const likeness = wordSimilarity(token(stem), token(other))
      if (likeness >= 0.75 ? soundsSo(stem, other) : likeness >= 0.6 && isSlip(stem, other))
        add(other, likeness * doubt)
    }
  }
  return [...weights]
    .map(([other, weight]) => ({ stem: other, weight, rows: rows(other) }))
    .sort((a, b) => b.weight - a.weight || b.rows - a.rows || (a.stem < b.stem ? -1 : 1))
    .slice(0, max)
}

// A key of how a word looks: letters that text recognition takes for each other are one.
export function letterShape(word: string): string {
  return word
    .replace(/rn/g, 'm')
    .replace(/vv/g, 'w')
    .replace(/cl/g, 'd')
    .replace(/[o0q]/g, '0')
    .replace(/[il1|]/g, '1')
    .replace(/[s5]/g, '5')
    .replace(/[b8]/g, '8')
    .replace(/[z2]/g, '2')
    .replace(/[g9]/g, '9')
}

// In a short word a vowel makes another word, as of "ship" a "shop"; in a long one it is most often a slip.
function soundsSo(a: string, b: string): boolean {
  const vowels = (word: string) =>
    word
      .replaceAll('y', 'i')
      .replace(/[^aeiou]/g, '')
      .replace(/(.)\1+/g, '$1')
  return Math.max(a.length, b.length) > 5 || vowels(a) === vowels(b)
}

// A letter too many, one too few or two swapped: slips of a hand. One letter for another is mostly another word: "house", "horse".
function isSlip(a: string, b: string): boolean {
  return a.length !== b.length || [...a].sort().join('') === [...b].sort().join('')
}

function isMixed(word: string): boolean {
  return /\d/.test(word) && /\p{L}/u.test(word)
}

function token(stem: string): Token {
  return { text: stem, stem, start: 0, end: 0 }
}

function collectLetters(word: string): number {
  let bits = 0
  for (let i = 0; i < word.length; i++) bits |= 1 << (word.charCodeAt(i) & 31)
  return bits >>> 0
}

function bitCount(bits: number): number {
  let bitCounts = bits - ((bits >>> 1) & 0x55555555)
  bitCounts = (bitCounts & 0x33333333) + ((bitCounts >>> 2) & 0x33333333)
  return (((bitCounts + (bitCounts >>> 4)) & 0x0f0f0f0f) * 0x01010101) >>> 24
}
