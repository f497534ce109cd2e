import { groupBy } from '../../../../src/core/basics/group-by.ts'
import type { Draft } from '../../../../src/core/brief.ts'
import type { ParsedQuestion } from '../../../../src/text/question/parsed-question.ts'
import type { Term } from '../../../../src/text/question/topic.ts'
import { topicShare } from '../match.ts'
import { findNamedPeople, type NamedPerson, whoIs } from '../people/namings.ts'
import { type ObservationBrief, type PersonSighting, sightingsIn } from '../people/sightings.ts'
import { isInSpan } from '../question-parts.ts'
import { type CitedSentence, quoteEvidence, shortLine } from '../sentence.ts'

// Who does something that is seen: by the name that is told elsewhere of somebody with the same hair and clothes.
export function answerWho(asked: ParsedQuestion, brief: ObservationBrief): Draft | undefined {
  if (asked.wants !== 'person' || asked.topic.terms.length === 0) return undefined
  const sightings = sightingsIn(brief, asked.text)
  const people = findNamedPeople(brief.evidence, sightings)
  const identified = sightings
    .filter(sighting => isInSpan(asked, sighting.row))
    .filter(sighting => sighting.isReply || doesAll(asked.topic.terms, sighting))
    .flatMap(sighting => {
      const person = whoIs(sighting, people)
      return person ? [{ key: person.name, known: person, sighting }] : []
    })
  const [best] = largestGroup(identified)
  return best && { sentences: [quoteSighting(best.key, best.sighting, best.known)], confidence: 0.6 }
}

export function doesAll(terms: readonly Term[], { around }: PersonSighting): boolean {
  return terms.every(term => topicShare({ words: '', quoted: [], terms: [term] }, around) >= 0.6)
}

// A description and a name of two places are one person by looks, which the answer says.
export function quoteSighting(lead: string, { row, text }: PersonSighting, known?: NamedPerson): CitedSentence {
  const isApart = known !== undefined && known.naming.id !== row.id
  const by = isApart ? `${known.name === lead ? '' : `, of ${known.name}`}, by hair and clothes alone` : ''
  const quotes = [`seen: "${shortLine(text)}"`, ...(isApart ? [quoteEvidence(known.naming)] : [])]
  const cites = [row.id, ...(isApart ? [known.naming.id, known.seen.id] : [])]
  return { text: `${lead}${by} — ${quotes.join('; ')}`, cites: [...new Set(cites)] }
}

// What most of the rows tell, which may tell it twice; nothing if two things are told as often.
export function largestGroup<Found extends { key: string; sighting: PersonSighting }>(
  found: readonly Found[],
): readonly Found[] {
  const [most, next] = [...groupBy(found, ({ key }) => key).values()]
    .map(same => ({ same, rows: new Set(same.map(({ sighting }) => sighting.row.id)).size }))
    .sort((a, b) => b.rows - a.rows)
  return most && most.rows > (next?.rows ?? 0) ? most.same : []
}
