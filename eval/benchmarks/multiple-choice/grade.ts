import { groupBy } from '../../data/group.ts'
import { readChoice } from '../../metrics/choice/read-choice.ts'
import type { Grade } from '../benchmark.ts'
import { counted, type Graded } from '../grades.ts'
import type { Sample, Scores, Scoring } from '../sample.ts'
import type { ChoiceRecord } from './record.ts'

// How a released scorer treats a reply.
export interface ReleasedRule {
  // The letter it takes; '' where it takes none.
  read(reply: string, record: ChoiceRecord): string
  // A reply without a letter: out of the denominator, wrong, or a random option (counted as its expectation).
  unreadable: 'left out' | 'wrong' | 'random'
  unanswered: 'left out' | 'wrong'
}

const unknown = 'the data hold no answer'

export function gradeChoice(
  { record }: Sample<ChoiceRecord>,
  reply: string | null | undefined,
  released: ReleasedRule,
): Grade {
  const { letter, rule } = readChoice(reply, { count: record.options.length, texts: record.options })
  if (record.answer === undefined) return { score: null, rule: unknown, value: letter, reason: unknown }
  return {
    score: Number(letter === record.answer),
    rule,
    value: letter,
    reason: letter === undefined ? missing(rule) : undefined,
    official: asReleased(record, record.answer, reply, released),
  }
}

// Why strict scoring has no choice to count.
export function missing(rule: string): string {
  return rule === 'empty' ? 'no reply' : `no choice in the reply (${rule})`
}

function asReleased(
  record: ChoiceRecord,
  answer: string,
  reply: string | null | undefined,
  { read, unreadable, unanswered }: ReleasedRule,
): NonNullable<Grade['official']> {
  if (reply === null || reply === undefined) return { score: unanswered === 'wrong' ? 0 : null, reason: 'no reply' }
  const letter = read(reply, record)
  if (letter !== '') return { score: Number(letter === answer) }
  return {
    score: { 'left out': null, wrong: 0, random: 1 / Math.max(1, record.options.length) }[unreadable],
    reason: `no choice in the reply: ${unreadable === 'random' ? 'counted as a random choice' : unreadable}`,
  }
}

// A record that counts: 0 to 1; null: left out.
export interface Right {
  record: ChoiceRecord
  right: number | null
}

// Right or wrong for every record whose answer is known.
export function rights(
  graded: readonly Graded<ChoiceRecord>[],
  scoring: Scoring,
): { scored: Right[]; excluded: Scores['excluded'] } {
  const excluded: Scores['excluded'] = []
  const scored: Right[] = []
  for (const { record, grades } of graded) {
    const { score, reason } = counted(grades.answer, scoring)
    if (reason) excluded.push({ id: record.id, reason })
    if (record.answer !== undefined) scored.push({ record, right: score })
  }
  return { scored, excluded }
}

// Per cent right over those that count; null where none does.
export function accuracy(scored: readonly Right[]): number | null {
  const counts = scored.map(item => item.right).filter(right => right !== null)
  return counts.length === 0 ? null : (counts.reduce((sum, right) => sum + right, 0) / counts.length) * 100
}

// Accuracies by the values of one way of grouping, in order of appearance.
export function accuracyBy(
  scored: readonly Right[],
  way: string,
): Record<string, { n: number; accuracy: number | null }> {
  const pairs = scored.flatMap(item => (item.record.groups[way] ?? []).map(value => ({ value, item })))
  return Object.fromEntries(
    [...groupBy(pairs, pair => pair.value)].map(([value, of]) => [
      value,
      { n: of.length, accuracy: accuracy(of.map(pair => pair.item)) },
    ]),
  )
}
