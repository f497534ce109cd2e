import { drawFor } from '../../../src/core/basics/draws.ts'
import { mergeSpans, roundTime } from '../../../src/core/time.ts'
import { pick, shuffle } from '../../data/deck.ts'
import { fillTemplate } from '../../protocols/fill-template.ts'
import { type DraftItem, type ItemInterval, type SourceRecord, toIntervals } from '../item.ts'
import { type AnswerCandidate, type Form, makeCandidates } from './candidates.ts'
import forms from './forms.json' with { type: 'json' }

interface RulesWish {
  forms: readonly Form[]
  negatives: { min: number; max: number }
  seed: number
  count: number // at most
}

export type RulesDraft = Pick<DraftItem, 'question' | 'answer' | 'options' | 'right' | 'clues' | 'rows' | 'extra'> & {
  form: Form
}

// Questions about one video, written by rules and no model: the forms take turns.
export function draftByRules(record: SourceRecord, { forms: wanted, negatives, seed, count }: RulesWish): RulesDraft[] {
  const random = drawFor(seed, 'rules', record.video_id)
  const byForm = makeCandidates(record, wanted, random).map(list =>
    list.filter(({ wrong }) => wrong.length >= negatives.min),
  )
  const drafts: RulesDraft[] = []
  for (let round = 0; drafts.length < count && byForm.some(list => list.length > round); round++)
    for (const list of byForm) {
      const candidate = list[round]
      if (candidate && drafts.length < count) drafts.push(buildDraft(candidate, record, negatives, random))
    }
  return drafts
}

function buildDraft(
  { form, slots, answer, wrong, rows, computed }: AnswerCandidate,
  record: SourceRecord,
  { min, max }: RulesWish['negatives'],
  random: () => number,
): RulesDraft {
  const question = fillTemplate(pick(forms[form].phrasings, random), slots)
  const wrongOptions = wrong.slice(0, Math.min(max, Math.max(min, wrong.length)))
  const options = shuffle([answer, ...wrongOptions], random)
  const extra = { form, slots, level3: forms[form].text, ...(computed && { computed }) }
  return {
    form,
    question,
    answer,
    options,
    right: options.indexOf(answer),
    clues: clueIntervals(record, rows),
    rows,
    extra,
  }
}

// Where the rows are: joined within five seconds, half a second longer at both ends.
export function clueIntervals(
  { rows, statistics: { duration } }: SourceRecord,
  ids: readonly string[],
): ItemInterval[] {
  const spans = rows
    .filter(({ id }) => ids.includes(id))
    .map(({ span }) => ({
      start: Math.max(0, roundTime(span.start - 0.5)),
      end: Math.min(duration, roundTime(span.end + 0.5)),
    }))
  return toIntervals(mergeSpans(spans, 5))
}
