// The words of a text without case, marks and punctuation.
export function plainWords(text: string): string[] {
  return text
    .normalize('NFKC')
    .toLowerCase()
    .replace(/['’]/g, '')
    .split(/[^\p{L}\p{N}]+/u)
    .filter(word => word !== '')
}

// Index of the only option whose words the text is, or holds; of two options where one holds the other, the longer.
export function optionByText(text: string, options: readonly string[], how: 'equal' | 'contained'): number | undefined {
  const said = ` ${plainWords(text).join(' ')} `
  const found = options
    .map((option, index) => ({ index, words: ` ${plainWords(option).join(' ')} ` }))
    .filter(({ words }) => words.trim() !== '' && (how === 'equal' ? said === words : said.includes(words)))
  const longest = found.filter(
    ({ words }) => !found.some(other => other.words !== words && other.words.includes(words)),
  )
  return longest.length === 1 ? longest[0].index : undefined
}
