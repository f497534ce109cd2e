// How words stand in a line's tsvector and are asked for. A star is in no word.
export function timesLexeme(term: string, times: number): string {
  return `${times}*${term}`
}

export function isRepeated(lexeme: string): boolean {
  return lexeme.includes('*')
}

// Any of the lists, of each all words.
export function tsquery(any: readonly (readonly string[])[]): string {
  return any.map(all => `(${all.map(quoted).join(' & ')})`).join(' | ')
}

function quoted(term: string): string {
  return `'${term.replaceAll('\\', '\\\\').replaceAll("'", "''")}'`
}
