import { formatTime } from '../../../src/core/time.ts'
import { foldNumbers } from '../../../src/text/number-words.ts'
import { shuffled } from '../../data/deck.ts'
import type { SourceRecord } from '../item.ts'
import { countOf, type Facts, factsOf, fold, type Said, type Shown } from './facts.ts'
import forms from './forms.json' with { type: 'json' }

export type Form = keyof typeof forms

// A question that the facts of one video allow, with wrong answers, the likeliest first.
export interface Candidate {
  form: Form
  slots: Record<string, string>
  answer: string
  wrong: string[]
  rows: string[]
  computed?: string[] // values that stand in no row: times, counts, orders
}

type Random = () => number
type Maker = (facts: Facts, random: Random) => Candidate[]

// What each form is drafted from, and only then: the table of forms in docs/making.md.
const makers: Record<Form, Maker> = {
  value: ({ slides }, random) => {
    const values = (label: string) => slides.flatMap(({ lines }) => lines.filter(line => line.label === label))
    const all = slides.flatMap(({ lines }) => lines)
    return slides.flatMap(({ title, lines, row }) => {
      const labels = countOf(lines.map(({ label }) => fold(label)))
      return lines
        .filter(({ label }) => labels.get(fold(label)) === 1)
        .map(({ label, value }): Candidate => {
          const own = new Set(lines.map(line => fold(line.value)))
          const fresh = (others: readonly { value: string }[]) =>
            shuffled(others, random).flatMap(other => (own.has(fold(other.value)) ? [] : [other.value]))
          const alike = all.filter(other => shapeOf(other.value) === shapeOf(value))
          const wrong = [...fresh(values(label)), ...fresh(alike), ...changed(value, random)]
          return { form: 'value', slots: { label, title }, answer: value, wrong, rows: [row] }
        })
    })
  },
  'title of': ({ slides, shown }, random) => {
    const times = countOf(slides.flatMap(({ lines }) => lines.map(({ value }) => fold(value))))
    return slides.flatMap(({ title, lines, row }) =>
      lines
        .filter(({ value }) => times.get(fold(value)) === 1)
        .map(({ label, value }) => ({
          ...{ form: 'title of' as const, slots: { label, value }, answer: title, rows: [row] },
          wrong: otherTitles(slides, shown, [title], random),
        })),
    )
  },
  order: ({ shown }, random) =>
    orders(
      'order',
      shown.map(({ title, span, row }) => ({ text: title, span, row })),
      random,
    ),
  'order said': ({ said }, random) => orders('order said', said, random),
  after: (facts, random) => neighbours('after', facts, random),
  before: (facts, random) => neighbours('before', facts, random),
  when: ({ shown }, random) =>
    shown.map(({ title, span, row }) => {
      const starts = shuffled(shown, random).map(other => other.span.start)
      const far = starts.filter((start, at) =>
        [span.start, ...starts.slice(0, at)].every(taken => Math.abs(start - taken) >= 10),
      )
      const answer = formatTime(Math.floor(span.start))
      const wrong = far.map(start => formatTime(Math.floor(start)))
      return { form: 'when', slots: { title }, answer, wrong, rows: [row], computed: [answer] }
    }),
  'how long': ({ shown }) =>
    shown.map(({ title, span, row }) => lengths('how long', { title }, span.end - span.start, [row])),
  'how far apart': ({ shown }) =>
    shown.slice(1).flatMap((other, at) => {
      const first = shown[at]
      const seconds = first ? other.span.start - first.span.start : 0
      if (!first || seconds < 5) return []
      return [lengths('how far apart', { title: first.title, other: other.title }, seconds, [first.row, other.row])]
    }),
  'how many': ({ slides, doubtful }) => {
    const of = (label: string) => slides.filter(({ lines }) => lines.some(line => fold(line.label) === label))
    const labels = new Set(slides.flatMap(({ lines }) => lines.map(({ label }) => fold(label))))
    return [...labels].sort().flatMap((label): Candidate[] => {
      const found = of(label)
      const isDoubtful = doubtful.some(({ text }) => fold(text).includes(label.slice(0, 4)))
      if (found.length < 2 || found.length > 9 || isDoubtful) return []
      const n = found.length
      const wrong = [n + 1, n - 1, n + 2, n - 2, n + 3].filter(value => value > 0).map(String)
      return [
        {
          ...{ form: 'how many', slots: { label: labelIn(slides, label) }, answer: String(n), wrong },
          ...{ rows: found.map(({ row }) => row), computed: [String(n)] },
        },
      ]
    })
  },
  'said while shown': ({ shown, said }, random) =>
    pairs(shown, said).map(({ one, sentence }) => ({
      ...{
        form: 'said while shown',
        slots: { title: one.title },
        answer: sentence.text,
        rows: [one.row, sentence.row],
      },
      wrong: shuffled(said, random).flatMap(other => (other === sentence ? [] : [other.text])),
    })),
  'shown while said': ({ shown, said }, random) =>
    pairs(shown, said).map(({ one, sentence }) => ({
      ...{ form: 'shown while said', slots: { said: sentence.text }, answer: one.title },
      ...{ rows: [one.row, sentence.row], wrong: otherTitles([], shown, [one.title], random) },
    })),
  'spoken value': ({ said }, random) => {
    const numbers = said.flatMap(sentence => {
      const words = sentence.text.split(/\s+/)
      const found = foldNumbers(words.map(word => word.toLowerCase())).filter(({ text }) => /^\d+$/.test(text))
      const [only] = found
      if (!only || found.length > 1) return []
      const gap = [...words.slice(0, only.from), '...', ...words.slice(only.to + 1)].join(' ')
      return [{ row: sentence.row, gap, value: only.text }]
    })
    return numbers.map(({ row, gap, value }) => {
      const others = shuffled(numbers, random).flatMap(other => (other.value === value ? [] : [other.value]))
      return {
        form: 'spoken value',
        slots: { said: gap },
        answer: value,
        wrong: [...others, ...changed(value, random)],
        rows: [row],
      }
    })
  },
}

// By form, in the order of the table; the same seed gives the same.
export function candidatesOf(record: SourceRecord, wanted: readonly Form[], random: Random): Candidate[][] {
  const facts = factsOf(record)
  return wanted.map(form =>
    shuffled(makers[form](facts, random), random).map(candidate => ({
      ...candidate,
      wrong: candidate.wrong.filter((text, at, all) => isNew(text, [candidate.answer, ...all.slice(0, at)])),
    })),
  )
}

function isNew(text: string, others: readonly string[]): boolean {
  return others.every(other => fold(other) !== fold(text))
}

function labelIn(slides: readonly Shown[], folded: string): string {
  return slides.flatMap(({ lines }) => lines).find(({ label }) => fold(label) === folded)?.label ?? folded
}

function otherTitles(
  first: readonly Shown[],
  then: readonly Shown[],
  not: readonly string[],
  random: Random,
): string[] {
  return [...shuffled(first, random), ...shuffled(then, random)]
    .map(({ title }) => title)
    .filter(one => !not.includes(one))
}

// Neighbours between which nothing was seen that could not be read: it might have been a slide.
function neighbours(form: 'after' | 'before', { slides, shown, doubtful }: Facts, random: Random): Candidate[] {
  return slides.slice(1).flatMap((late, at): Candidate[] => {
    const early = slides[at]
    const isClear = early && !doubtful.some(({ span }) => span.end > early.span.end && span.start < late.span.start)
    if (!early || !isClear) return []
    const [asked, answer] = form === 'after' ? [early, late] : [late, early]
    const wrong = otherTitles(slides, shown, [early.title, late.title], random)
    return [{ form, slots: { title: asked.title }, answer: answer.title, wrong, rows: [early.row, late.row] }]
  })
}

function orders(form: 'order' | 'order said', all: readonly Said[], random: Random): Candidate[] {
  const apart = all.filter((one, at) => at === 0 || one.span.start - (all[at - 1]?.span.start ?? 0) >= 5)
  const size = form === 'order' && apart.length >= 4 ? 4 : 3
  const made: Candidate[] = []
  for (let at = 0; at + size <= apart.length; at += size) {
    const right = apart.slice(at, at + size).map(({ text }) => `"${text}"`)
    const answer = right.join(', then ')
    const wrong = Array.from({ length: 24 }, () => shuffled(right, random).join(', then '))
    const list = shuffled(right, random).join(', ')
    const rows = apart.slice(at, at + size).map(({ row }) => row)
    made.push({ form, slots: { list }, answer, wrong, rows, computed: ['then'] })
  }
  return made
}

function lengths(
  form: 'how long' | 'how far apart',
  slots: Record<string, string>,
  seconds: number,
  rows: string[],
): Candidate {
  const said = (value: number) => `${Math.max(1, Math.round(value))} seconds`
  const wrong = [0.4, 0.6, 1.6, 2.5].map(factor => said(seconds * factor))
  return { form, slots, answer: said(seconds), wrong, rows, computed: [said(seconds)] }
}

// A title and a sentence that lie on one another by half of the sentence, and on nothing else.
function pairs(shown: readonly Shown[], said: readonly Said[]): { one: Shown; sentence: Said }[] {
  const found = shown.flatMap(one =>
    said
      .filter(({ span }) => {
        const shared = Math.min(span.end, one.span.end) - Math.max(span.start, one.span.start)
        return shared / (span.end - span.start) >= 0.5
      })
      .map(sentence => ({ one, sentence })),
  )
  const only = (key: 'one' | 'sentence', pair: (typeof found)[number]) =>
    found.filter(other => other[key] === pair[key]).length === 1
  return found.filter(pair => only('one', pair) && only('sentence', pair))
}

// "375 dollars" and "480 dollars" are of one kind.
function shapeOf(value: string): string {
  return /^\p{Lu}\p{Ll}+$/u.test(value) ? 'Name' : fold(value).replace(/\d/g, '9')
}

// The same value with its number 10 to 50 % off.
function changed(value: string, random: Random): string[] {
  const number = /\d+/.exec(value)?.[0]
  if (number === undefined) return []
  const other = () => {
    const sign = random() < 0.5 ? -1 : 1
    const off = Math.max(1, Math.round(Number(number) * (0.1 + 0.4 * random())))
    return Number(number) + sign * off
  }
  return Array.from({ length: 12 }, () => value.replace(number, String(other()))).filter(text => !text.includes('-'))
}
