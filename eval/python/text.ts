// Text as Python sees it, for the rules of released scorers that are written in it.

const space = '\\t\\n\\v\\f\\r \\x1c-\\x1f\\x85\\xa0\\u1680\\u2000-\\u200a\\u2028\\u2029\\u202f\\u205f\\u3000'

// What `\s` and str.strip() take for blank: unlike JavaScript's, with the separators 1c-1f and 85, without the byte order mark.
export const blank = `[${space}]`

// What `\w` takes for a letter of a word: letters and numbers of every script, and the underscore.
export const wordLetter = '[\\p{L}\\p{N}_]'

const leading = new RegExp(`^${blank}+`, 'u')
const trailing = new RegExp(`${blank}+$`, 'u')
const blanks = new RegExp(`${blank}+`, 'u')

export function strip(text: string): string {
  return text.replace(leading, '').replace(trailing, '')
}

// str.split() without arguments: no empty words.
export function pythonWords(text: string): string[] {
  return text.split(blanks).filter(word => word !== '')
}

// The letters that a pattern of single letters finds standing alone, `\b` taken over every script.
export function standingAlone(letters: string): RegExp {
  return new RegExp(`(?<!${wordLetter})[${letters}](?!${wordLetter})`, 'gu')
}

// Every numeral of the text as float(...) would read it: digits of any script count.
export function pythonNumbers(text: string): number[] {
  return [...text.matchAll(/-?\p{Nd}+\.?\p{Nd}*/gu)].map(match => Number(match[0].replace(/\p{Nd}/gu, digitValue)))
}

// Decimal digits lie in runs of ten, zero first; several runs may touch.
function digitValue(digit: string): string {
  const code = digit.codePointAt(0) as number
  if (code < 128) return digit
  let start = code
  while (/\p{Nd}/u.test(String.fromCodePoint(start - 1))) start--
  return String((code - start) % 10)
}
