import { foldLetters } from '../text/fold-letters.ts'
import { findIdeograms, unspacedLetters } from '../text/unspaced.ts'
import { stem, tokens } from '../text/words.ts'
import { functionWords } from './function-words.ts'

// Words are cut, cleaned and number-folded by the rules of src/text/words.ts, so that search and the agent see the same
// words; SQLite then takes off accents and English endings. Marks belong to their letters: without them "हिन्दी" is three words.
export const tokenizer = `porter unicode61 remove_diacritics 2 categories ''L* N* M* Co'' tokenchars ''.,:''`

// A row's text as it goes into the index, and how many words it has. If there are no spaces the letters stand one by one in the
// order of the text, so that any run of them is a phrase, and the words that they make follow.
export function indexedText(text: string): { words: string; length: number } {
  const inOrder: string[] = []
  const indexWords: string[] = []
  for (const word of tokens(text).flatMap(token => pieces(token.text))) {
    const letters = unspacedLetters(word)
    inOrder.push(...(letters.length > 0 ? letters : [indexedForm(word)]))
    if (letters.length > 1) indexWords.push(word)
  }
  return { words: [...inOrder, ...indexWords, ...hyphenated(text)].join(' '), length: inOrder.length }
}

export interface QueryTerm {
  text: string // as the caller knows it, lower case
  form: string // as it is looked up
  joined: string[] // "database" for "data base": what it makes with a neighbour that counts too
  phrase?: string[] // letters that must stand one after another, where the row was cut into other words
}

// A question is short. What is longer is a text, and its beginning will do.
const maxQuery = 2000

// The words of a query that count, each once. Stop words do not count, unless there is nothing else.
export function queryWords(query: string): QueryTerm[] {
  const all = tokens(query.slice(0, maxQuery)).flatMap(token => pieces(token.text))
  const isFunctionWord = functionWords(all)
  const telling = all.filter(word => !isFunctionWord(word))
  const counted = new Set(telling.length > 0 ? telling : all)
  const words = new Map<string, QueryTerm>()
  for (const [at, text] of all.entries()) {
    if (!counted.has(text)) continue
    const form = indexedForm(text)
    const letters = unspacedLetters(text)
    const word = words.get(form) ?? { text, form, joined: [], ...(letters.length > 1 ? { phrase: letters } : {}) }
    const [before, after] = [all[at - 1], all[at + 1]]
    if (before && counted.has(before)) word.joined.push(before + text)
    if (after && counted.has(after)) word.joined.push(text + after)
    words.set(form, word)
  }
  for (const letter of all.flatMap(findIdeograms))
    if (!words.has(letter)) words.set(letter, { text: letter, form: letter, joined: [] })
  return [...words.values()]
}

// "said" is looked up as "say": endings are left to SQLite's stemmer, which knows no irregular forms.
function indexedForm(word: string): string {
  const head = stem(word)
  if (!word.startsWith(head)) return head
  const ending = word.slice(head.length)
  return /^(n|ne|en|t|ren)$/.test(ending) || (ending === 'es' && head.length === 2) ? head : word
}

// What is searched on its own within a token: the parts of "example.com"; but "10:30" and "u.s.a" are one.
function pieces(word: string): string[] {
  if (!/[.,:]/.test(word) || !/\p{L}/u.test(word)) return [word]
  const parts = word.split(/[.,:]/)
  return parts.every(part => part.length === 1) ? [parts.join('')] : parts
}

// "e-mail" is found as "email" too.
function hyphenated(text: string): string[] {
  const runs = text.match(/\p{L}[\p{L}\p{M}]*(?:-\p{L}[\p{L}\p{M}]*)*/gu) ?? []
  return runs
    .filter(run => run.includes('-') && run.length <= maxCompound)
    .map(run => indexedForm(foldLetters(run.replaceAll('-', ''))))
}

const maxCompound = 100 // characters
