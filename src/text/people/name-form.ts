import { givenNames, wordyNames } from './given-names.ts'

// What a name of a person looks like. Whatever may be something else is not a name: a person who goes unnamed is better than two taken for one.

const title = String.raw`(?:(?:Dr|Mr|Mrs|Ms|Prof|Professor|Doctor|Captain|Chef|Sir|Judge|Senator)\.?\s+)`
const particle = String.raw`(?:(?:de|van|von|da|del|la|le|bin|al|den|der)\s+){0,2}`
const word = String.raw`(?!I['’])\p{Lu}[\p{L}’'-]*\p{L}`

// One to four capitalised words, for a pattern with the flag "u".
export const capitalised = String.raw`${title}?${word}(?:\s+(?:\p{Lu}\.\s+)?${particle}${word}){0,3}`

// Words beside which no capitalised word is somebody's name.
const noNames = new RegExp(
  `^(?:${[
    'new|north|south|east|west|saint|san|los|las|great|old|upper|lower|team|chapter|part|section|episode|lesson|day|week|scene|act|room|figure|table',
    'street|road|avenue|lane|boulevard|river|lake|sea|ocean|bay|coast|station|beach|harbou?r|airport|port|museum|gallery|park|square|hall|house|palace|castle',
    'college|university|school|academy|church|cathedral|hospital|hotel|bank|island|islands|county|city|town|village|tower|bridge|valley|hill|hills|mountain',
    'awards?|prize|show|news|times|post|weather|report|foundation|institute|company|inc|ltd|corp|cafe|restaurant|bakery|gardens?|theat(?:er|re)|club|centre|center',
    'opening|hours|tickets?|welcome|questions?|answers?|summary|introduction|conclusion|thanks?|overview|agenda|results?|methods?|contents?|credits|end|project|model',
    'monday|tuesday|wednesday|thursday|friday|saturday|sunday|january|february|march|july|september|october|november|december|christmas|easter|halloween',
    'the|a|an|and|or|of|for|to|in|on|at|by|with|from|not|no|yes|so|very|just|your|my|our|his|her|their|this|that|these|those|he|she|it|we|they|you|i|is|are|was',
    'god|batman|legend|groot|king|queen|prince|princess|catholic|christian|muslim|jewish|buddhist|hindu|atheist|protestant|democrat|republican|african|asian',
    'american|german|french|dutch|greek|italian|russian|mexican|canadian|european|roman|indian|brazilian|norwegian|australian|ukrainian|egyptian|belgian|austrian',
    'sorry|done|called|going|looking|coming|getting|doing|trying|having|here|home|back|now|happy|glad|sad|sure|ready|fine|okay|tired|afraid|proud|also|still|too',
    'swiss|thai|arab|czech|slovak|iraqi|israeli|pakistani|texan|yorker|londoner|parisian|latino|latina|native|chief|head|senior|junior|staff|nurse|officer',
  ].join('|')})$|(?:ish|ese|ism)$`,
  'i',
)

interface NameForm {
  name: string
  given: 'known' | 'wordy' | 'unknown'
  words: number // without a title
}

// A name out of capitalised words, or nothing if one of them says that it is none.
export function nameForm(text: string): NameForm | undefined {
  const name = text.trim().replace(/\s+/g, ' ')
  const bare = name.replace(new RegExp(`^${title}`, 'u'), '')
  const parts = bare.split(' ')
  const first = parts[0]?.toLowerCase() ?? ''
  const givenName = givenNames.has(first) ? 'known' : wordyNames.has(first) ? 'wordy' : 'unknown'
  const otherParts = givenName === 'known' ? parts.slice(1) : parts
  if (otherParts.some(part => noNames.test(part)) || parts.some(part => /['’]s$/i.test(part))) return undefined
  return { name, given: givenName, words: parts.length }
}

// "DIANE MILLER" and "diane" as names are written.
export function inNameCase(text: string): string {
  return text.toLowerCase().replace(/(^|[\s'’-])\p{L}/gu, letter => letter.toUpperCase())
}

// Whether both may name one person: the same given name, and no two surnames.
export function areCompatible(one: string, other: string): boolean {
  const [a, b] = [splitPersonName(one), splitPersonName(other)]
  if (a.length === 0 || b.length === 0) return false
  const [short, long] = a.length <= b.length ? [a, b] : [b, a]
  if (short[0] !== long[0]) return short.length === 1 && short[0] === long.at(-1) && isTitled(short === a ? one : other)
  return short.length === 1 || short.at(-1) === long.at(-1)
}

export function fullest(names: readonly string[]): string | undefined {
  return [...names].sort((a, b) => splitPersonName(b).length - splitPersonName(a).length || b.length - a.length)[0]
}

// The words of a name in small letters, without a title.
export function splitPersonName(name: string): string[] {
  const bare = name.replace(new RegExp(`^${title}`, 'iu'), '')
  return bare
    .toLowerCase()
    .split(/\s+/)
    .filter(part => part !== '')
}

function isTitled(name: string): boolean {
  return new RegExp(`^${title}`, 'u').test(name)
}
