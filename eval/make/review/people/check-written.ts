import { Refused } from '../../../../src/core/api/problem.ts'
import { drawFor } from '../../../../src/core/basics/draws.ts'
import { shuffle } from '../../../data/deck.ts'
import { isOverlapping } from '../../../recipes/checks/parts/verdicts.ts'
import { measureSpread, type Spread } from '../../../recipes/checks/spread.ts'
import type { DraftItem } from '../../../recipes/item.ts'
import { finderIn } from '../../machine/run-checks.ts'
import { checkByRules, fixWish } from '../fix.ts'
import type { Checked, WrittenDraft } from '../page-data.ts'
import type { ReviewSet } from '../review-set.ts'
import { isDoubtOnly, requireForm } from './written.ts'

export function buildWrittenItem(draft: WrittenDraft, id: string, by: string, set: ReviewSet): DraftItem {
  const { video, type: name, question, answer, clues } = draft
  const record = set.records.find(one => one.video_id === video)
  if (!record) throw new Refused('unknown', `There is no video "${video}" in this set.`)
  const type = requireForm(set.recipe).types.find(one => one.name === name)
  if (!type) throw new Refused('unknown', `There is no type "${name}" of questions.`, 'Load the page again.')
  const negatives = draft.negatives.filter(one => one !== '')
  const options = shuffle([answer, ...negatives], drawFor(set.wish.seed, 'people', id))
  return {
    id,
    video,
    kind: type.kind,
    question,
    answer,
    options,
    right: options.indexOf(answer),
    clues: [...clues].sort(([a], [b]) => a - b),
    rows: record.rows.filter(row => isOverlapping(row, { clues })).map(row => row.id),
    extra: { ...type.extra, ...(type.computed && { computed: [answer] }), writtenBy: by },
  }
}

// The checks of the recipe that ask no model, on what is written so far.
export async function checkWritten(written: DraftItem, set: ReviewSet, signal: AbortSignal): Promise<Checked> {
  const { recipe, items: others } = set
  const near = others.filter(({ video }) => video === written.video)
  const checked: Checked = { faults: [], doubts: [], set: [], spread: spreadNow(written, set) }
  for (const recipeCheck of [...recipe.checks].sort((a, b) => a.check.k - b.check.k)) {
    const { name, k, role, scope } = recipeCheck.check
    if (role) continue
    const among = scope === 'set' ? others : near
    const { verdict, warnings } = await checkByRules(recipeCheck, written, among, fixWish(set, signal))
    if (verdict) {
      const isFault = verdict.outcome !== 'flag' && !isDoubtOnly(name, written)
      checked[isFault ? 'faults' : 'doubts'].push({ check: name, k, detail: verdict.detail ?? 'rejected' })
    }
    if (scope === 'set') checked.set.push(...warnings())
  }
  return checked
}

export function spreadNow(item: DraftItem | undefined, { items, records }: ReviewSet): Spread {
  return measureSpread(item ? [...items, item] : items, finderIn(records))
}
