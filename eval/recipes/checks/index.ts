import type { ItemCheck } from '../item.ts'
import type { RecipeCheck } from '../recipe.ts'
import { clue } from './clue.ts'
import { duplicates } from './duplicates.ts'
import { evidence } from './evidence.ts'
import { form } from './form.ts'
import { glance } from './glance.ts'
import { grounded } from './grounded.ts'
import { heldOut } from './held-out.ts'
import { leak } from './leak.ts'
import { letters } from './letters.ts'
import { oneRight } from './one-right.ts'
import { options } from './options.ts'
import { privateData } from './private.ts'
import { rubric } from './rubric.ts'
import { shallow } from './shallow.ts'
import { spread } from './spread.ts'
import { blind, metadata, subtitles } from './without-pictures.ts'

// K1 to K18, in this order.
export const checks: readonly ItemCheck[] = [
  ...[form, grounded, evidence, options, oneRight, letters, shallow, blind, glance],
  ...[subtitles, metadata, clue, duplicates, leak, rubric, spread, heldOut, privateData],
]

const ofDrafts = { form, grounded, evidence, options, oneRight, duplicates, leak, heldOut, privateData }

type Otherwise = Partial<Record<keyof typeof ofDrafts, Omit<RecipeCheck, 'check'> | 'left out'>>

// What needs no model; `as` says where a recipe wants one of them otherwise.
export function draftChecks(as: Otherwise = {}): RecipeCheck[] {
  return Object.entries(ofDrafts).flatMap(([name, check]) => {
    const usualValues = as[name as keyof typeof ofDrafts]
    return usualValues === 'left out' ? [] : [{ check, ...usualValues }]
  })
}

// What questions with options are held to: first what needs no model, so that less is asked, then the recipe's own filters, then
// what holds of the whole set.
export function usualChecks(filters: readonly RecipeCheck[], as?: Otherwise): RecipeCheck[] {
  return [...draftChecks(as), ...filters, { check: shallow }, { check: spread }]
}
