import { overlap } from '../../../../src/core/time.ts'
import { fillTemplate } from '../../../protocols/judge/template.ts'
import type { UnitResult } from '../../../recipes/author.ts'
import { type DraftItem, draftItemId, type SourceRecord } from '../../../recipes/item.ts'
import type { MakeUnit } from '../../../recipes/recipe.ts'
import { draftByRules, type RulesDraft } from '../../../recipes/rules/draft-by-rules.ts'
import { weighed } from './rubric.ts'
import rules from './rules.json' with { type: 'json' }

type Form = keyof typeof rules.forms

// Single questions alone, a rubric of one fact in each criterion and the penalty for any other value.
export function rulesUnits(record: SourceRecord, seed: number, count: number): MakeUnit[] {
  const forms = Object.keys(rules.forms) as Form[]
  const drafts = draftByRules(record, { forms, negatives: { min: 0, max: 0 }, seed, count })
  return drafts.map((input, at) => ({ unit: draftItemId(record.video_id, at), input }))
}

export function writtenByRules({ unit: id, input }: MakeUnit, record: SourceRecord): UnitResult<DraftItem> {
  const { form, question, answer, rows, clues, extra } = input as RulesDraft
  const { task, type, difficulty, modalities, ...rule } = rules.forms[form as Form]
  const places = answer.split(', then ')
  const slots = { ...(extra.slots as Record<string, string>), answer, first: places[0], last: places.at(-1) }
  const citedRows = record.rows.filter(row => rows.includes(row.id))
  const keys = record.segments.filter(({ temporal }) => citedRows.some(({ span }) => overlap(span, temporal) > 0))
  const criteria = [
    { name: 'factual_correctness', description: rule.high, category: 'high_priority' },
    ...('medium' in rule ? [{ name: 'key_details', description: rule.medium, category: 'medium_priority' }] : []),
    { name: 'hallucination', description: '', category: 'penalty' },
  ]
  const scenario_id = `${record.video_id}_s1`
  const task_id = `${scenario_id}_t${id.slice(-2)}`
  const about = {
    ...{ scenario: rules.scenario, scenario_id, task, task_id, question_types: [type] },
    ...{ conversation: `${task_id}_q1`, place: 0, turns: 1, difficulty, modalities },
    key_segments: keys.map(({ segment_index }) => segment_index).slice(0, 10),
    criteria: criteria.map(one => weighed({ ...one, description: fillTemplate(one.description, slots) })),
  }
  const itemDraft = { id, video: record.video_id, kind: task, question, answer: fillTemplate(rule.reference, slots) }
  return { output: { ...itemDraft, rows, clues, extra: { ...extra, ...about } } }
}
