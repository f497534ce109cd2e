import { groupRows } from '../../data/group.ts'
import type { Sample } from '../../data/sample.ts'
import type { Grade } from '../../data/sample-line.ts'
import { readReplyChoice } from '../../metrics/choice/read-choice.ts'
import { meanInPercent } from '../grades.ts'
import type { ChoiceRecord } from './record.ts'

// How a released scorer treats a reply.
export interface ReleasedRule {
  read(reply: string, record: ChoiceRecord): string // the letter it takes; '' where it takes none
  // A reply without a letter: out of the denominator, wrong, or a random option (counted as its expectation).
  unreadable: 'left out' | 'wrong' | 'random'
  unanswered: 'left out' | 'wrong'
}

const unknown = 'the data hold no answer'

export function gradeMultipleChoice(
  { record }: Sample<ChoiceRecord>,
  reply: string | null | undefined,
  released: ReleasedRule,
): Grade {
  const { letter, rule } = readReplyChoice(reply, { count: record.options.length, texts: record.options })
  if (record.answer === undefined) return { score: null, rule: unknown, value: letter, reason: unknown }
  return {
    score: Number(letter === record.answer),
    rule,
    value: letter,
    reason: letter === undefined ? missing(rule) : undefined,
    official: gradeAsReleased(record, reply, released),
  }
}

// Why strict scoring has no choice to count.
export function missing(rule: string): string {
  return rule === 'empty' ? 'no reply' : `no choice in the reply (${rule})`
}

function gradeAsReleased(
  record: ChoiceRecord,
  reply: string | null | undefined,
  { read, unreadable, unanswered }: ReleasedRule,
): NonNullable<Grade['official']> {
  if (reply === null || reply === undefined) return { score: unanswered === 'wrong' ? 0 : null, reason: 'no reply' }
  const letter = read(reply, record)
  if (letter !== '') return { score: Number(letter === record.answer) }
  return {
    score: { 'left out': null, wrong: 0, random: 1 / Math.max(1, record.options.length) }[unreadable],
    reason: `no choice in the reply: ${unreadable === 'random' ? 'counted as a random choice' : unreadable}`,
  }
}

// A record whose answer is known, with what its reply counts: 0 to 1; null: left out.
export interface Right {
  record: ChoiceRecord
  right: number | null
}

// Per cent right over those that count; null if none does.
export function accuracy(scored: readonly Right[]): number | null {
  return meanInPercent(scored.map(item => item.right).filter(right => right !== null))
}

// Accuracies by the values of one way of grouping, in order of appearance.
export function accuracyBy(
  scored: readonly Right[],
  way: string,
): Record<string, { n: number; accuracy: number | null }> {
  const pairs = scored.flatMap(item => (item.record.groups[way] ?? []).map(value => ({ ...item, value })))
  const row = (of: readonly Right[]) => ({ n: of.length, accuracy: accuracy(of) })
  return groupRows(pairs, pair => pair.value, row)
}
