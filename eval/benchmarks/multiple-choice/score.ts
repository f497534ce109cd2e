import type { ScoreInput, Scores } from '../../../src/core/benchmark.ts'
import { groupBy } from '../../data/group.ts'
import { readReplies, strangers } from '../../data/replies.ts'
import { readChoice } from '../../metrics/choice/read-choice.ts'
import type { ChoiceRecord } from './record.ts'

// How a released scorer treats a reply.
export interface ReleasedRule {
  // The letter it takes; '' where it takes none.
  read(reply: string, record: ChoiceRecord): string
  // A reply without a letter: out of the denominator, wrong, or a random option (counted as its expectation).
  unreadable: 'left out' | 'wrong' | 'random'
  unanswered: 'left out' | 'wrong'
}

interface Scored {
  record: ChoiceRecord
  right: number | null // 0 to 1; null: left out
}

export interface ChoiceScores {
  scored: Scored[]
  excluded: Scores['excluded']
}

// Right or wrong for every record whose answer is known.
export async function scoreChoices(
  records: readonly ChoiceRecord[],
  input: ScoreInput,
  released: ReleasedRule,
): Promise<ChoiceScores> {
  const replies = await readReplies(input.replies)
  const excluded = [...replies.notes, ...strangers(replies, new Set(records.map(record => record.id)))]
  const scored: Scored[] = []
  for (const record of records) {
    if (record.answer === undefined) {
      excluded.push({ id: record.id, reason: 'the data hold no answer' })
      continue
    }
    const { right, reason } = scoreReply(replies.byId.get(record.id)?.replies.answer, record, input.scoring, released)
    if (reason) excluded.push({ id: record.id, reason })
    scored.push({ record, right })
  }
  return { scored, excluded }
}

function scoreReply(
  reply: string | null | undefined,
  record: ChoiceRecord,
  scoring: ScoreInput['scoring'],
  released: ReleasedRule,
): { right: number | null; reason?: string } {
  if (scoring === 'strict') {
    const { letter, rule } = readChoice(reply, { count: record.options.length, texts: record.options })
    if (letter === undefined)
      return { right: 0, reason: rule === 'empty' ? 'no reply' : `no choice in the reply (${rule})` }
    return { right: Number(letter === record.answer) }
  }
  if (reply === null || reply === undefined)
    return { right: released.unanswered === 'wrong' ? 0 : null, reason: 'no reply' }
  const letter = released.read(reply, record)
  if (letter !== '') return { right: Number(letter === record.answer) }
  const right = { 'left out': null, wrong: 0, random: 1 / Math.max(1, record.options.length) }[released.unreadable]
  return {
    right,
    reason: `no choice in the reply: ${released.unreadable === 'random' ? 'counted as a random choice' : released.unreadable}`,
  }
}

// Per cent right over those that count; null where none does.
export function accuracy(scored: readonly Scored[]): number | null {
  const counted = scored.map(item => item.right).filter(right => right !== null)
  return counted.length === 0 ? null : (counted.reduce((sum, right) => sum + right, 0) / counted.length) * 100
}

// Accuracies by the values of one way of grouping, in order of appearance.
export function accuracyBy(
  scored: readonly Scored[],
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
