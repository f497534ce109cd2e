import { isStopWord, stem, tokens } from '../core/words.ts'

// Words are cut, cleaned and number-folded by the rules of src/core/words.ts, so that search and the agent see the same
// words; SQLite then takes off accents and endings.
export const tokenizer = `porter unicode61 remove_diacritics 2 tokenchars ''.,:''`

// A row's text as it goes into the index, and how many words it has.
export function indexedText(text: string): { words: string; length: number } {
  const words = tokens(text)
    .flatMap(token => pieces(token.text))
    .map(indexedForm)
  return { words: [...words, ...hyphenated(text)].join(' '), length: words.length }
}

export interface QueryWord {
  text: string // as the caller knows it, lower case
  form: string // as it is looked up
  joined: string[] // "database" for "data base": what it makes with a neighbour that counts too
}

// A question is short. What is longer is a text, and its beginning will do.
const longestQuery = 2000

// The words of a query that count, each once. Stop words do not count, unless there is nothing else.
export function queryWords(query: string): QueryWord[] {
  const all = tokens(query.slice(0, longestQuery)).flatMap(token => pieces(token.text))
  const telling = all.filter(word => !isStopWord(word))
  const counted = new Set(telling.length > 0 ? telling : all)
  const words = new Map<string, QueryWord>()
  for (const [at, text] of all.entries()) {
    if (!counted.has(text)) continue
    const form = indexedForm(text)
    const word = words.get(form) ?? { text, form, joined: [] }
    if (counted.has(all[at - 1])) word.joined.push(all[at - 1] + text)
    if (counted.has(all[at + 1])) word.joined.push(text + all[at + 1])
    words.set(form, word)
  }
  return [...words.values()]
}

// "said" is looked up as "say": endings are left to SQLite's stemmer, which knows no irregular forms.
function indexedForm(word: string): string {
  const head = stem(word)
  if (!word.startsWith(head)) return head
  const ending = word.slice(head.length)
  return /^(n|ne|en|t|ren)$/.test(ending) || (ending === 'es' && head.length === 2) ? head : word
}

// What is searched on its own within a token: the letters of a script without spaces, where a run of them would be one
// endless word, and the parts of "example.com"; but "10:30" and "u.s.a" are one.
function pieces(word: string): string[] {
  if (unspaced.test(word)) return word.match(letters) ?? [word]
  if (!/[.,:]/.test(word) || !/\p{L}/u.test(word)) return [word]
  const parts = word.split(/[.,:]/)
  return parts.every(part => part.length === 1) ? [parts.join('')] : parts
}

const unspaced = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]/u
const letters = new RegExp(`${unspaced.source}|[^${unspaced.source.slice(1)}+`, 'gu')

// "e-mail" is found as "email" too.
function hyphenated(text: string): string[] {
  return (text.match(/\p{L}+(?:-\p{L}+)+/gu) ?? []).map(word => indexedForm(word.replaceAll('-', '').toLowerCase()))
}
