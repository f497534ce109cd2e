import { mergeSpans, overlap } from '../../../../src/core/time.ts'
import type { DraftItem, Interval, SourceRecord } from '../../../make/item.ts'
import type { Made } from '../../../make/machine/author.ts'
import type { MakeUnit } from '../../../make/recipe.ts'
import type { Form } from '../../../make/rules/candidates.ts'
import { draftByRules, type RulesDraft } from '../../../make/rules/draft-by-rules.ts'
import { weighed } from './replies.ts'
import rules from './rules.json' with { type: 'json' }

interface FormRule {
  task: string
  type: string
  difficulty: number
  modalities: string[]
  reference: string
  high: string
  medium?: string
}

const forms = Object.keys(rules.forms) as Form[]

// Single questions alone, a rubric of one fact in each criterion and the penalty for any other value.
export function rulesUnits(record: SourceRecord, seed: number, count: number): MakeUnit[] {
  const drafts = draftByRules(record, { forms, negatives: { min: 0, max: 0 }, seed, count })
  return drafts.map((input, at) => ({ unit: `${record.video_id}_q${String(at + 1).padStart(2, '0')}`, input }))
}

export function writtenByRules({ unit: id, input }: MakeUnit, record: SourceRecord): Made<DraftItem> {
  const { form, question, answer, rows, extra } = input as RulesDraft
  const rule = rules.forms[form as keyof typeof rules.forms] as FormRule
  const places = answer.split(', then ')
  const slots: Record<string, string> = {
    ...(extra.slots as Record<string, string>),
    ...{ answer, first: places[0] ?? '', last: places.at(-1) ?? '' },
  }
  const fill = (text: string) => text.replace(/\{(\w+)\}/g, (_, slot: string) => slots[slot] ?? '')
  const own = record.rows.filter(row => rows.includes(row.id))
  const keys = record.segments.filter(({ temporal }) => own.some(({ span }) => overlap(span, temporal) > 0))
  const criteria = [
    { name: 'factual_correctness', description: fill(rule.high), category: 'high_priority' },
    ...(rule.medium ? [{ name: 'key_details', description: fill(rule.medium), category: 'medium_priority' }] : []),
    { name: 'hallucination', description: '', category: 'penalty' },
  ]
  const scenario_id = `${record.video_id}_s1`
  const task_id = `${scenario_id}_t${id.slice(-2)}`
  const about = {
    ...{ scenario: rules.scenario, scenario_id, task: rule.task, task_id, question_types: [rule.type] },
    ...{ conversation: `${task_id}_q1`, place: 0, turns: 1 },
    ...{ difficulty: rule.difficulty, modalities: rule.modalities },
    key_segments: keys.map(({ segment_index }) => segment_index).slice(0, 10),
  }
  const output: DraftItem = {
    ...{ id, video: record.video_id, kind: rule.task, question, answer: fill(rule.reference), rows },
    clues: (input as RulesDraft).clues,
    extra: { ...extra, ...about, criteria: criteria.map(weighed) },
  }
  return { calls: [], tries: 0, output }
}

// Rows and stretches of the key segments; those that touch are one.
export function sourceOf(
  { segments, statistics }: SourceRecord,
  keys: readonly number[],
): Pick<DraftItem, 'rows' | 'clues'> {
  const own = segments.filter(({ segment_index }) => keys.includes(segment_index))
  const spans = own.map(({ temporal: { start, end } }) => ({ start, end: Math.min(end, statistics.duration) }))
  return {
    rows: [...new Set(own.flatMap(({ rows }) => rows))],
    clues: mergeSpans(spans, 0).map(({ start, end }): Interval => [start, end]),
  }
}
