import type { CheckVerdict, DraftItem } from '../../recipes/item.ts'
import type { RecipeCheck } from '../../recipes/recipe.ts'
import { type ChecksWish, checkGiven, isAbout } from '../machine/run-checks.ts'
import { heldTo, isDoubtOnly } from './people/written.ts'
import type { ReviewSet } from './review-set.ts'
import type { Fixed } from './verdict.ts'

// The item as a person wants it. The right option stands where the item has it now, and is the answer.
export function fixedItem(item: DraftItem, { question, answer, options, right: shown, clues }: Fixed): DraftItem {
  const rightIndex = item.right ?? -1
  const right = options?.[shown ?? rightIndex]
  const otherOptions = options?.filter((_, at) => at !== (shown ?? rightIndex)) ?? []
  const placed = right === undefined ? options : otherOptions.toSpliced(rightIndex, 0, right)
  return {
    ...item,
    ...(question !== undefined && { question }),
    ...(item.options === undefined
      ? answer !== undefined && { answer }
      : placed && { options: placed, answer: right ?? item.answer }),
    ...(clues && { clues }),
    ...((options !== undefined || answer !== undefined) && { events: undefined }), // those were of the answer before
  }
}

// What a person wants, with the place that the right one of its options has in the item as it is shown now.
export function placedFix(fixed: Fixed, { right }: DraftItem): Fixed {
  return fixed.options && fixed.right === undefined && right !== undefined ? { ...fixed, right } : fixed
}

type FixWish = Pick<ChecksWish, 'checks' | 'rules' | 'records' | 'seed' | 'signal'>

export function fixWish({ recipe, wish, records }: ReviewSet, signal: AbortSignal): FixWish {
  return { checks: recipe.checks, rules: { ...recipe.rules, excluded: wish.exclude }, records, seed: wish.seed, signal }
}

export const noModels = { author: [], look: [], listen: [], blind: [], glance: [], check: [], judge: [] }

const last = '\uffff' // as an id: of two questions that say the same, the one that is being written or fixed goes

// What a check says against an item among others, and of all of them, by its rules only.
export async function checkByRules(
  one: RecipeCheck,
  item: DraftItem,
  among: readonly DraftItem[],
  wish: FixWish,
): Promise<{ verdict?: CheckVerdict; warnings(): string[] }> {
  const all = [...among.filter(({ id }) => id !== item.id), { ...item, id: last }].filter(other => isAbout(one, other))
  const checkInput = checkGiven({ ...wish, models: noModels, frames: async () => [] }, heldTo(one, item))
  const verdicts = await one.check.run(all, checkInput)
  const verdict = verdicts.find(({ item: id, outcome }) => id === last && outcome !== 'pass')
  return { verdict, warnings: () => one.check.warnings?.(all, checkInput) ?? [] }
}

// What the checks of the recipe say against a fixed item among the others; undefined if nothing is. Those that only a model can run are
// not run. Where words stand in for a model, and would not have let the item pass as it was, a model did: they say nothing of the fix.
export async function faultOfFix(
  item: DraftItem,
  before: DraftItem,
  among: readonly DraftItem[],
  wish: FixWish,
): Promise<string | undefined> {
  if (item.options && item.options[item.right ?? -1] === undefined)
    return `options: there are ${item.options.length}, and the right one was number ${(item.right ?? 0) + 1}`
  const faultIn = async (as: DraftItem, one: RecipeCheck) => {
    const { verdict } = await checkByRules(one, as, among, wish)
    return verdict && verdict.outcome !== 'flag' ? (verdict.detail ?? 'rejected') : undefined
  }
  for (const check of wish.checks) {
    if (check.check.role || !isAbout(check, item) || isDoubtOnly(check.check.name, item)) continue
    const fault = await faultIn(item, check)
    if (fault === undefined || (check.check.optionalRole && (await faultIn(before, check)) !== undefined)) continue
    return `${check.check.name}: ${fault}`
  }
  return undefined
}
