import { groupBy } from '../../../../src/core/basics/group-by.ts'
import type { Draft } from '../../../../src/core/brief.ts'
import { byTime, type Evidence } from '../../../../src/core/evidence.ts'
import type { ParsedQuestion } from '../../../../src/text/question/parsed-question.ts'
import { coverage } from '../../../../src/text/word-similarity.ts'
import { tokens } from '../../../../src/text/words.ts'
import { clearlyBest, likeness } from '../people/looks.ts'
import { meanwhile } from '../people/namings.ts'
import { type ObservationBrief, type PersonSighting, sightingsIn } from '../people/sightings.ts'
import { quoteEvidence, shortLine } from '../sentence.ts'

const heard = 0.6 // share of the words that are said

// Where somebody who says something is seen next, or was before: by hair and clothes of the one who is seen meanwhile.
export function answerPlaceOrNeighbour(asked: ParsedQuestion, brief: ObservationBrief): Draft | undefined {
  const [quote] = asked.topic.quoted
  if (!quote || !asksSeenNext(asked.text)) return undefined
  const saying = findSaying(quote, brief.evidence)
  const sightings = sightingsIn(brief, asked.text)
  const speaker = saying ? meanwhile(saying, sightings) : []
  const nextSighting = saying && speaker.length > 0 ? nearest(asked.text, saying, speaker, sightings) : undefined
  const where = nextSighting && readPlace(nextSighting)
  if (!saying || !nextSighting || !where) return undefined
  const text = `${where}, by hair and clothes alone — seen: "${shortLine(nextSighting.text)}"; ${quoteEvidence(saying)}`
  const cites = [nextSighting.row.id, saying.id, ...speaker.map(({ row }) => row.id)]
  return { sentences: [{ text, cites: [...new Set(cites)] }], confidence: 0.55 }
}

const where = /^where\b.*\b(?:says?|said)\b.*\bseen (?:(next|after)|(?:last )?before)\b/i

export function asksSeenNext(question: string): boolean {
  return where.test(question)
}

function findSaying(quote: string, rows: readonly Evidence[]): Evidence | undefined {
  const words = tokens(quote)
  const ranked = rows
    .filter(row => row.track === 'speech')
    .map(row => ({ row, share: coverage(words, row.text) }))
    .sort((a, b) => b.share - a.share)
  return ranked[0] && ranked[0].share >= heard ? ranked[0].row : undefined
}

// The nearest picture in which one person is like the speaker, and nobody else there is as much so.
function nearest(
  question: string,
  { span }: Evidence,
  speaker: readonly PersonSighting[],
  all: readonly PersonSighting[],
) {
  const isNext = where.exec(question)?.[1] !== undefined
  const speakerRows = new Set(speaker.map(({ row }) => row.id))
  const looks = speaker.map(sighting => sighting.looks)
  const rows = [...groupBy(all, ({ row }) => row.id).values()]
    .filter(([first]) => first && !speakerRows.has(first.row.id) && first.row.track === 'caption')
    .filter(([first]) => (isNext ? first!.row.span.start >= span.end : first!.row.span.end <= span.start))
    .sort(([a], [b]) => (isNext ? byTime(a!.row, b!.row) : byTime(b!.row, a!.row)))
  // A caption may tell of one person twice; only somebody who looks otherwise is another one.
  const isSame = (a: PersonSighting, b: PersonSighting) => JSON.stringify(a.looks) === JSON.stringify(b.looks)
  return rows
    .map(people => clearlyBest(people, one => likeness(one.looks, looks), isSame))
    .find(one => one !== undefined)
}

// "On a street" of what is told of the person, else the place of the caption.
function readPlace({ text, row }: PersonSighting): string | undefined {
  const phrase = /\b((?:in|on|at) (?:an?|the) (?!.*\b(?:in|on|at) (?:an?|the) )[\p{L}-]+)[.;,]?$/u.exec(
    text.trim(),
  )?.[1]
  const captionPlace = /\bPlace: ([^.]*)\./.exec(row.text)?.[1]
  return phrase ?? (captionPlace && !/ and /.test(captionPlace) ? captionPlace : undefined)
}
