// An option of multiple choice without its letter: "(B) A dog" is "A dog".
export function optionText(option: string): string {
  return option.replace(/^\s*\(?[A-J][).:]\s+/i, '')
}

// Its words alone, to compare options with each other and with what a model says.
export function optionWords(option: string): string {
  return optionText(option)
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim()
}
