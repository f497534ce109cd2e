import type { ItemCheck } from '../item.ts'
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
