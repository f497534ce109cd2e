import { isStopWord, stem, type Token, tokens } from '../core/words.ts'

// Words are cut, cleaned and number-folded by the rules of src/core/words.ts, so that search and the agent see the same
// words; SQLite then takes off accents and endings.
export const tokenizer = `porter unicode61 remove_diacritics 2 tokenchars ''.,:''`

// A row's text as it goes into the index, and how many words it has.
export function indexedText(text: string): { words: string; length: number } {
  const words = tokens(text).flatMap(token => pieces(indexedForm(token.text)))
  return { words: [...words, ...hyphenated(text)].join(' '), length: words.length }
}

export interface QueryWord {
  text: string // as the caller knows it, lower case
  form: string // as it is looked up
}

// The words of a query that count. Stop words do not, unless there is nothing else.
export function queryWords(query: string): QueryWord[] {
  const all = tokens(query)
  const telling = all.filter(token => !isStopWord(token.text))
  const words = (telling.length > 0 ? telling : all).flatMap(token =>
    pieces(indexedForm(token.text)).map(form => ({ text: pieces(token.text).length > 1 ? form : token.text, form })),
  )
  return words.filter((word, at) => words.findIndex(other => other.form === word.form) === at)
}

// "data base" for "database": what two neighbours of the query make when they are written as one.
export function neighbourPairs(query: string): Map<string, string[]> {
  const all: Token[] = tokens(query)
  const pairs = new Map<string, string[]>()
  for (let at = 1; at < all.length; at++) {
    const joined = all[at - 1].text + all[at].text
    for (const { text } of [all[at - 1], all[at]]) pairs.set(text, [...(pairs.get(text) ?? []), joined])
  }
  return pairs
}

// "said" is looked up as "say": endings are left to SQLite's stemmer, which knows no irregular forms.
function indexedForm(word: string): string {
  const head = stem(word)
  return word.startsWith(head) && !/^(n|ne|en|t|ren|es)$/.test(word.slice(head.length)) ? word : head
}

// Scripts without spaces are indexed by the letter: a run of them would be one endless word.
function pieces(word: string): string[] {
  if (!unspaced.test(word)) return [word]
  return (
    word.match(
      /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]|[^\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]+/gu,
    ) ?? [word]
  )
}

const unspaced = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]/u

// "e-mail" is found as "email" too.
function hyphenated(text: string): string[] {
  return (text.match(/\p{L}+(?:-\p{L}+)+/gu) ?? []).map(word => indexedForm(word.replaceAll('-', '').toLowerCase()))
}
