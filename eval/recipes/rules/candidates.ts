import { formatTime, overlap } from '../../../src/core/time.ts'
import { foldNumbers } from '../../../src/text/number-words.ts'
import { shuffle } from '../../data/deck.ts'
import { countValues } from '../../metrics/kappa.ts'
import type { SourceRecord } from '../item.ts'
import { collectFacts, type Facts, foldCase, type SlideFact, type SpokenSentence, secondsApart } from './facts.ts'
import forms from './forms.json' with { type: 'json' }
import { gaps, showings } from './lengths.ts'
import { answerShape, changeNumber, numbersAround, otherTitles, pairs, type Random } from './wrong-answers.ts'

export type Form = keyof typeof forms

// A question that the facts of one video allow, with wrong answers, the likeliest first.
export interface AnswerCandidate {
  form: Form
  slots: Record<string, string>
  answer: string
  wrong: string[]
  rows: string[]
  computed?: string[] // values that stand in no row: times, counts, orders
}

type Maker = (facts: Facts, random: Random) => AnswerCandidate[]

// What each form is drafted from, and only then.
const makers: Record<Form, Maker> = {
  value: ({ slides }, random) => {
    const values = (label: string) => slides.flatMap(({ lines }) => lines.filter(line => line.label === label))
    const all = slides.flatMap(({ lines }) => lines)
    return slides.flatMap(({ title, lines, row }) => {
      const labels = countValues(lines.map(({ label }) => foldCase(label)))
      const slideValues = new Set(lines.map(line => foldCase(line.value)))
      return lines
        .filter(({ label }) => labels.get(foldCase(label)) === 1)
        .map(({ label, value }): AnswerCandidate => {
          const fresh = (others: readonly { value: string }[]) =>
            shuffle(others, random).flatMap(other => (slideValues.has(foldCase(other.value)) ? [] : [other.value]))
          const alike = all.filter(other => answerShape(other.value) === answerShape(value))
          const wrong = [...fresh(values(label)), ...fresh(alike), ...changeNumber(value, random)]
          return { form: 'value', slots: { label, title }, answer: value, wrong, rows: [row] }
        })
    })
  },
  'title of': ({ slides, shown }, random) => {
    const times = countValues(slides.flatMap(({ lines }) => lines.map(({ value }) => foldCase(value))))
    return slides.flatMap(({ title, lines, row }) =>
      lines
        .filter(({ value }) => times.get(foldCase(value)) === 1)
        .map(({ label, value }) => ({
          form: 'title of' as const,
          slots: { label, value },
          answer: title,
          rows: [row],
          wrong: otherTitles(slides, shown, [title], random),
        })),
    )
  },
  order({ shown }, random) {
    const titles = shown.map(({ title, span, row }) => ({ text: title, span, row }))
    return orders('order', titles, random)
  },
  'order said': ({ said }, random) => orders('order said', said, random),
  after: (facts, random) => neighbours('after', facts, random),
  before: (facts, random) => neighbours('before', facts, random),
  when: ({ shown }, random) =>
    shown.map(({ title, span, row }) => {
      const starts = shuffle(shown, random).map(other => other.span.start)
      const far = starts.filter((start, at) =>
        [span.start, ...starts.slice(0, at)].every(taken => Math.abs(start - taken) >= 10),
      )
      const answer = formatTime(Math.floor(span.start))
      const wrong = far.map(start => formatTime(Math.floor(start)))
      return { form: 'when', slots: { title }, answer, wrong, rows: [row], computed: [answer] }
    }),
  'how long': ({ shown }, random) => showings(shown, random),
  'how far apart': ({ shown }, random) => gaps(shown, random),
  'how many': ({ slides, texts }, random) => {
    const of = (label: string) => slides.filter(({ lines }) => lines.some(line => foldCase(line.label) === label))
    const labels = new Set(slides.flatMap(({ lines }) => lines.map(({ label }) => foldCase(label))))
    if (texts.some(({ text }) => isReadInPart(text, labels))) return []
    const counts = shuffle([...labels].sort(), random).flatMap((label): AnswerCandidate[] => {
      const labelled = of(label)
      const counted = new Set(labelled.map(({ row }) => row))
      const isDoubtful = texts.some(({ id, text }) => !counted.has(id) && foldCase(text).includes(label.slice(0, 4)))
      if (labelled.length < 2 || labelled.length > 9 || isDoubtful) return []
      const wrong = numbersAround(labelled.length, random).map(String)
      const answer = String(labelled.length)
      const slots = { label: labelIn(slides, label) }
      return [{ form: 'how many', slots, answer, wrong, rows: labelled.map(({ row }) => row), computed: [answer] }]
    })
    // If every count were asked for, the commonest number would be a good guess: one question a video, and no number twice.
    const distinct = counts.filter(({ answer }, at) => counts.findIndex(other => other.answer === answer) === at)
    return shuffle(distinct, random).slice(0, 1)
  },
  'said while shown': ({ shown, said }, random) =>
    pairs(shown, said).map(({ one, sentence }) => ({
      form: 'said while shown',
      slots: { title: one.title },
      answer: sentence.text,
      rows: [one.row, sentence.row],
      wrong: shuffle(said, random).flatMap(other => (overlap(other.span, one.span) > 0 ? [] : [other.text])),
    })),
  'shown while said': ({ shown, said }, random) =>
    pairs(shown, said).map(({ one, sentence }) => ({
      form: 'shown while said',
      slots: { said: sentence.text },
      answer: one.title,
      rows: [one.row, sentence.row],
      wrong: otherTitles(
        [],
        shown.filter(other => overlap(other.span, sentence.span) === 0),
        [one.title],
        random,
      ),
    })),
  'spoken value': ({ said }, random) => {
    const numbers = said.flatMap(sentence => {
      const words = sentence.text.split(/\s+/)
      const folded = words.map(word => word.toLowerCase())
      const numberTokens = foldNumbers(folded).filter(({ text }) => /^\d+$/.test(text))
      const [only] = numberTokens
      // "One of the largest" counts nothing.
      if (!only || numberTokens.length > 1 || (only.from === only.to && folded[only.from] === 'one')) return []
      const gap = [...words.slice(0, only.from), '...', ...words.slice(only.to + 1)].join(' ')
      return [{ row: sentence.row, gap, value: only.text }]
    })
    return numbers.map(({ row, gap, value }) => {
      const otherNumbers = shuffle(numbers, random).flatMap(other => (other.value === value ? [] : [other.value]))
      return {
        form: 'spoken value',
        slots: { said: gap },
        answer: value,
        wrong: [...otherNumbers, ...changeNumber(value, random)],
        rows: [row],
      }
    })
  },
}

// By form, in the order of the table; the same seed gives the same.
export function makeCandidates(record: SourceRecord, wanted: readonly Form[], random: Random): AnswerCandidate[][] {
  const facts = collectFacts(record)
  return wanted.map(form =>
    shuffle(makers[form](facts, random), random).map(candidate => ({
      ...candidate,
      wrong: candidate.wrong.filter((text, at, all) =>
        [candidate.answer, ...all.slice(0, at)].every(other => foldCase(other) !== foldCase(text)),
      ),
    })),
  )
}

// A line with a label and no value was read in part. Others may have been missed, so that nothing is counted.
function isReadInPart(text: string, labels: ReadonlySet<string>): boolean {
  return text.split('\n').some(line => /[:;]\s*$/.test(line) && labels.has(foldCase(line.replace(/[:;]\s*$/, ''))))
}

function labelIn(slides: readonly SlideFact[], folded: string): string {
  return slides.flatMap(({ lines }) => lines).find(({ label }) => foldCase(label) === folded)?.label ?? folded
}

// Neighbours between which no other text was seen: it might have been a slide, of whatever form.
function neighbours(form: 'after' | 'before', { slides, shown, texts }: Facts, random: Random): AnswerCandidate[] {
  return slides.slice(1).flatMap((late, at): AnswerCandidate[] => {
    const early = slides[at]
    if (!early) return []
    const isBetween = ({ id, span }: Facts['texts'][number]) =>
      id !== early.row && id !== late.row && span.end > early.span.end && span.start < late.span.start
    if (texts.some(isBetween)) return []
    const [asked, answer] = form === 'after' ? [early, late] : [late, early]
    const wrong = otherTitles(slides, shown, [early.title, late.title], random)
    return [{ form, slots: { title: asked.title }, answer: answer.title, wrong, rows: [early.row, late.row] }]
  })
}

function orders(form: 'order' | 'order said', all: readonly SpokenSentence[], random: Random): AnswerCandidate[] {
  const apart = secondsApart(all)
  const size = form === 'order' && apart.length >= 4 ? 4 : 3
  const candidates: AnswerCandidate[] = []
  for (let at = 0; at + size <= apart.length; at += size) {
    const right = apart.slice(at, at + size).map(({ text }) => `"${text}"`)
    const answer = right.join(', then ')
    const wrong = Array.from({ length: 24 }, () => shuffle(right, random).join(', then '))
    const list = shuffle(right, random).join(', ')
    const rows = apart.slice(at, at + size).map(({ row }) => row)
    candidates.push({ form, slots: { list }, answer, wrong, rows, computed: ['then'] })
  }
  return candidates
}
