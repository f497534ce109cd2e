import { Refused } from '../../../../src/core/api/problem.ts'
import { drawFor } from '../../../../src/core/basics/draws.ts'
import { shuffle } from '../../../data/deck.ts'
import { measureSpread, type Spread } from '../../../recipes/checks/spread.ts'
import type { DraftItem } from '../../../recipes/item.ts'
import { checkGiven, finderIn } from '../../machine/run-checks.ts'
import { last, noModels } from '../fix.ts'
import type { Checked, WrittenDraft } from '../page-data.ts'
import type { ReviewSet } from '../review-set.ts'
import { heldTo, isDoubtOnly, requireForm } from './written.ts'

export function buildWrittenItem(draft: WrittenDraft, id: string, by: string, set: ReviewSet): DraftItem {
  const { video, type: name, question, answer, clues } = draft
  const record = set.records.find(one => one.video_id === video)
  if (!record) throw new Refused('unknown', `There is no video "${video}" in this set.`)
  const type = requireForm(set.recipe).types.find(one => one.name === name)
  if (!type) throw new Refused('unknown', `There is no type "${name}" of questions.`, 'Load the page again.')
  const negatives = draft.negatives.filter(one => one !== '')
  const options = shuffle([answer, ...negatives], drawFor(set.wish.seed, 'people', id))
  const rows = record.rows.filter(({ span }) => clues.some(([start, end]) => span.start < end && span.end > start))
  return {
    id,
    video,
    kind: type.kind,
    question,
    answer,
    options,
    right: options.indexOf(answer),
    clues: [...clues].sort(([a], [b]) => a - b),
    rows: rows.map(row => row.id),
    extra: { ...type.extra, ...(type.computed && { computed: [answer] }), writtenBy: by },
  }
}

// The checks of the recipe that ask no model, on what is written so far.
export async function checkWritten(written: DraftItem, set: ReviewSet, signal: AbortSignal): Promise<Checked> {
  const { recipe, wish, records, items: others } = set
  const item = { ...written, id: last }
  const near = others.filter(({ video }) => video === item.video)
  const checkWork = { records, models: noModels, frames: async () => [], seed: wish.seed, signal }
  const rules = { ...recipe.rules, excluded: wish.exclude }
  const checked: Checked = { faults: [], doubts: [], set: [], spread: spreadNow(item, set) }
  for (const recipeCheck of [...recipe.checks].sort((a, b) => a.check.k - b.check.k)) {
    const { name, k, role, scope } = recipeCheck.check
    if (role) continue
    const checkInput = checkGiven({ ...checkWork, rules }, heldTo(recipeCheck, item))
    const all = [...(scope === 'set' ? others : near), item]
    const verdict = (await recipeCheck.check.run(all, checkInput)).find(found => found.item === last)
    if (verdict && verdict.outcome !== 'pass') {
      const isFault = verdict.outcome !== 'flag' && !isDoubtOnly(name, item)
      checked[isFault ? 'faults' : 'doubts'].push({ check: name, k, detail: verdict.detail ?? 'rejected' })
    }
    if (scope === 'set') checked.set.push(...(recipeCheck.check.warnings?.(all, checkInput) ?? []))
  }
  return checked
}

export function spreadNow(item: DraftItem | undefined, { items, records }: ReviewSet): Spread {
  return measureSpread(item ? [...items, item] : items, finderIn(records))
}
