import { optionWords } from '../../src/text/option.ts'

// The option that a text names at its beginning: by its letter, by its words, by its number. An option that reads "A dog" is not
// the letter A.
export function chosenOption(text: string, options: readonly string[]): number | undefined {
  const said = optionWords(text)
  if (said === '') return undefined
  const same = options.findIndex(option => optionWords(option) === said)
  if (same >= 0) return same
  const lead =
    /^\W*(?:(?:the )?(?:final |correct |best )?(?:answer|option|choice)(?: is)?\s*:?\s*)?\(?([A-J])(?:[).:]|\s*$|\s+(?=[-–—]))/i
  const letter = lead.exec(text)?.[1] ?? /\b(?:answer|option|choice)(?: is)?:?\s*\(?([A-J])\b/i.exec(text)?.[1]
  const at = letter ? letter.toUpperCase().charCodeAt(0) - 65 : Number.NaN
  if (at < options.length) return at
  const named = options.map((option, i) => ({ i, at: said.indexOf(optionWords(option)) })).filter(one => one.at >= 0)
  const [first] = named.sort((a, b) => a.at - b.at)
  if (first) return first.i
  const number = /^\W*(\d{1,2})\W*$/.exec(text)?.[1]
  return number !== undefined && Number(number) < options.length ? Number(number) : undefined
}
