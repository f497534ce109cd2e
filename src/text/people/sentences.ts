import { givenNames } from './given-names.ts'
import { inNameCase } from './name-form.ts'

// Sentences of a line with what ends each; a point after "Dr" ends none.
export function splitSentences(text: string): string[] {
  const parts = text.split(/(?<=[.!?…])(?<!\b(?:Dr|Mr|Mrs|Ms|Prof|St|\p{Lu})\.)\s+/u)
  return parts.map(part => part.trim()).filter(part => part !== '')
}

// A recogniser or subtitles that write all letters alike give capitals no meaning: then only names that are nothing else get one.
export function withCapitals(text: string): string {
  const letters = text.replace(/\bI\b(?:['’]\w+)?/g, '')
  const isFlat = !/\p{Lu}/u.test(letters) || !/\p{Ll}/u.test(letters)
  if (!isFlat) return text
  return text.toLowerCase().replace(/[\p{L}-]+/gu, word => {
    if (word === 'i') return 'I'
    return givenNames.has(word) || places.has(word) || direction.test(word) ? inNameCase(word) : word
  })
}

const direction = /^(?:new|north|south|west|east|san|los)$/

const places = new Set(
  `jersey york carolina dakota mexico zealand angeles diego francisco alabama alaska arizona arkansas california colorado connecticut delaware
  hawaii idaho illinois indiana iowa kansas kentucky louisiana maine maryland massachusetts michigan minnesota mississippi missouri montana
  nebraska nevada ohio oklahoma oregon pennsylvania tennessee texas utah vermont wisconsin wyoming boston chicago seattle denver houston dallas
  atlanta miami detroit philadelphia baltimore london manchester glasgow edinburgh dublin berlin hamburg munich vienna zurich rome madrid
  barcelona lisbon athens oslo stockholm helsinki moscow tokyo delhi mumbai toronto montreal vancouver england scotland ireland wales germany
  italy spain portugal greece norway sweden finland denmark poland russia japan canada brazil argentina kenya nigeria egypt`.split(
    /\s+/,
  ),
)
