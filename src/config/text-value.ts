import { outlineAt } from './outline.ts'
import type { Path } from './tree.ts'

// A value typed by a person: JSON where it reads as JSON, else the text itself. What is declared as text stays text, and
// "on" and "off" are switches only where a switch is due: as a backend, "off" is a name.
export function readValue(text: string, path: Path): unknown {
  const due = outlineAt(path)
  if (due?.type === 'string') return text
  const switches = due && [due, ...(due.anyOf ?? [])].some(kind => [kind.type].flat().includes('boolean'))
  const word = text.toLowerCase()
  if (switches && Object.hasOwn(words, word)) return words[word]
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}

const words: Record<string, boolean> = { on: true, yes: true, off: false, no: false }
