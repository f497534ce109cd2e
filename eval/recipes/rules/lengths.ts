import { shuffle } from '../../data/deck.ts'
import type { SlideFact } from './facts.ts'
import type { Random } from './wrong-answers.ts'

// How long texts are shown, and how far apart they first appear.

interface Length {
  slots: Record<string, string>
  rows: string[]
  seconds: number
}

// A start is up to a third of a second late, since a text is read once it has faded in: only near a whole second is that second sure.
const maxOff = 0.15
const minRatio = 1.3 // of two lengths that nobody takes for one another
const minApart = 3 // seconds

export function showings(shown: readonly SlideFact[], random: Random) {
  const all = shown.map(({ title, span, row }) => ({ slots: { title }, rows: [row], seconds: span.end - span.start }))
  return lengthQuestions('how long', all, random)
}

const maxBetween = 5 // titles on: further off nobody has both in mind

export function gaps(shown: readonly SlideFact[], random: Random) {
  const all = shown.flatMap((first, at) =>
    shown.slice(at + 1, at + 1 + maxBetween).map(other => ({
      slots: { title: first.title, other: other.title },
      rows: [first.row, other.row],
      seconds: other.span.start - first.span.start,
    })),
  )
  return lengthQuestions(
    'how far apart',
    all.filter(({ seconds }) => seconds >= 5),
    random,
  )
}

// Each length is asked for once, and the wrong answers are other lengths that are asked for: however often one comes in a set, it is
// wrong as often as it is right, and whoever sees only the options learns nothing.
function lengthQuestions(form: 'how long' | 'how far apart', all: readonly Length[], random: Random) {
  const distinct: (Length & { text: string })[] = []
  for (const length of shuffle(all, random)) {
    const seconds = Math.round(length.seconds)
    const isKnown = Math.abs(length.seconds - seconds) <= maxOff
    if (isKnown && distinct.every(other => isOther(seconds, other.seconds)))
      distinct.push({ ...length, seconds, text: `${seconds} seconds` })
  }
  return distinct.map(({ slots, rows, text }) => {
    const otherTexts = distinct.flatMap(other => (other.text === text ? [] : [other.text]))
    return { form, slots, answer: text, wrong: shuffle(otherTexts, random).slice(0, 4), rows, computed: [text] }
  })
}

function isOther(one: number, other: number): boolean {
  const [short, long] = one < other ? [one, other] : [other, one]
  return long - short >= minApart && long / short >= minRatio
}
