import type { Draft } from '../../../../src/core/brief.ts'
import { areCompatible } from '../../../../src/text/people/name-form.ts'
import type { ParsedQuestion } from '../../../../src/text/question/parsed-question.ts'
import { findWord } from '../../../../src/text/word-similarity.ts'
import { type Token, tellingWords, tokens } from '../../../../src/text/words.ts'
import { namesAsked, namesSaid } from '../action.ts'
import { asksHeld, garmentKinds, type Looks, looksIn, partAsked, person } from '../people/looks.ts'
import { findNamedPeople, type NamedPerson, personNamed, whoIs } from '../people/namings.ts'
import { isSameSex, type ObservationBrief, type PersonSighting, sightingsIn } from '../people/sightings.ts'
import { isInSpan } from '../question-parts.ts'
import { before } from './reason.ts'
import { doesAll, largestGroup, quoteSighting } from './who.ts'

// What somebody wears or holds, who is known by a deed, by clothes or by a name: from what captions and looks describe.
export function answerLooks(asked: ParsedQuestion, brief: ObservationBrief): Draft | undefined {
  const garment = partAsked(asked.text)
  if (!garment && !asksHeld(asked.text)) return undefined
  const sightings = sightingsIn(brief, asked.text)
  const people = findNamedPeople(brief.evidence, sightings)
  const name = nameAsked(asked, brief)
  const namedPerson = name === undefined ? undefined : personNamed(name, people)
  if (name !== undefined && !namedPerson) return undefined
  const [best] = largestGroup(
    sightings
      .filter(sighting => isMeant(asked, sighting, people, namedPerson))
      .flatMap(sighting => {
        const value = garment ? sighting.looks[garment] : heldIn(sighting.text)
        return value ? [{ key: value, known: namedPerson, sighting }] : []
      }),
  )
  return best && { sentences: [quoteSighting(best.key, best.sighting, best.known)], confidence: 0.6 }
}

// The first name of the question, or of the line that it tells: "the person who takes the flag because the team has won".
function nameAsked({ text }: ParsedQuestion, { evidence }: ObservationBrief): string | undefined {
  const deed = /\bwho (.+\bbecause\b.+)$/i.exec(text)?.[1]
  if (!deed) return namesAsked(text)[0]
  const words = tellingWords(deed)
  const share = (line: readonly Token[]) =>
    words.filter(word => findWord(word, line).score >= 0.6).length / words.length
  const names = evidence
    .filter(row => row.track === 'speech' && share(tokens(row.text)) >= 0.7)
    .flatMap(row => namesSaid(before(row.text) ?? row.text).slice(0, 1))
  return names.every(name => areCompatible(name, names[0] ?? '')) ? names[0] : undefined
}

function isMeant(
  asked: ParsedQuestion,
  sighting: PersonSighting,
  people: readonly NamedPerson[],
  known?: NamedPerson,
): boolean {
  if (sighting.isReply || !isInSpan(asked, sighting.row)) return false // a reply tells again what was asked
  const worn = looksIn(asked.text)
  if (!known && !isSameSex(looksIn(meantIn(asked.text)), sighting.looks)) return false
  if (!garmentKinds.every(part => worn[part] === undefined || worn[part] === sighting.looks[part])) return false
  const isKnown = known === undefined || whoIs(sighting, people)?.name === known.name
  const terms = deedTerms(asked, worn)
  const isPointed = known !== undefined || garmentKinds.some(part => worn[part])
  if (known && /\bbecause\b/i.test(asked.text)) return isKnown
  return isKnown && (terms.length === 0 ? isPointed : doesAll(terms, sighting))
}

// The word for the one who is meant, who is told of first.
function meantIn(question: string): string {
  return new RegExp(`\\b(?:${person})\\b`, 'i').exec(question)?.[0] ?? ''
}

// Words of what is done and where, without who it is and what is asked of the person.
function deedTerms({ text, topic }: ParsedQuestion, worn: Looks): ParsedQuestion['topic']['terms'] {
  const names = new Set(tokens(namesAsked(text).join(' ')).map(token => token.text))
  const asks = new RegExp(`^(?:colou?rs?|introduced|called|named|known|wear(?:s|ing)?|${person})$`, 'i')
  return topic.terms.filter(({ text: word }) => !asks.test(word) && !names.has(word) && !isClothes(word, worn))
}

function isClothes(word: string, worn: Looks): boolean {
  return Object.values(worn).includes(word) || partAsked(`colour ${word}`) !== undefined
}

// "A book" of "sits and holds a book on a street".
function heldIn(text: string): string | undefined {
  return /\b(?:holds?|holding|carr(?:ies|ying))\s+((?:an?|the|some|his|her)\s+[\p{L}-]+)/iu.exec(text)?.[1]
}
