import { createHash } from 'node:crypto'
import { errorText } from '../../../src/core/errors.ts'
import { parsePlainJson } from '../../python/json.ts'
import { type Dict, isDict } from './python-error.ts'

// One call per criterion; the judge sees the reference, the answer and the criterion, not the question.
export const released = {
  model: 'Qwen/Qwen3-14B',
  temperature: 0.1,
  topP: 1,
  maxTokens: 4096,
  timeoutSeconds: 60,
  tries: 3,
  schema: {
    name: 'criteria_evaluation',
    schema: { type: 'object', properties: { criteria_met: { type: 'boolean' } }, required: ['criteria_met'] },
  },
  filledWith: { reference: 'REFERENCE', candidate: 'CANDIDATE', criterion: 'Must mention the rain' },
  characters: 730,
  sha256: '41f2bd07998eb2ee1361793335e806c33bbf538ded9d8be37770a6f3a997cbc5',
}

// Our words; `{reference}`, `{candidate}` and `{criterion}` are filled in. A person may supply the released text instead.
export const ownPrompt = `You check one thing about an answer to a question on a video. The reference is held to be true.

Reference:
{reference}

Answer to check:
{candidate}

What to check:
{criterion}

Look at this one thing only, and compare the answer with the reference. Say true where the answer fulfils it, else false. Where it says what the answer must not do, true means that the answer does not do it.

Reply with JSON and nothing else: {"criteria_met": true} or {"criteria_met": false}`

export interface CriterionCheck {
  reference: string
  candidate: string
  criterion: string
}

export function criterionPrompt(check: CriterionCheck, template = ownPrompt): string {
  return template.replace(/\{(reference|candidate|criterion)\}/g, (_, name: keyof CriterionCheck) => check[name])
}

export function isReleasedPrompt(template: string): boolean {
  return createHash('sha256').update(criterionPrompt(released.filledWith, template)).digest('hex') === released.sha256
}

// The value of criteria_met, whatever it is: the released tools check no type, so "false" in quotes is kept and counts as met.
export function readVerdict(reply: string | null): unknown {
  if (reply === null) throw new Error('The judge returned no content.')
  const value = parsePlainJson(reply)
  if (!isDict(value) || !Object.hasOwn(value, 'criteria_met')) throw new Error("'criteria_met'")
  return value.criteria_met
}

// The criterion with its verdict, or after three tries with null and the last error.
export async function judgeCriterion(
  criterion: Dict,
  ask: () => Promise<string | null>,
): Promise<{ criterion: Dict; calls: number }> {
  for (let calls = 1; ; calls++) {
    try {
      return { criterion: { ...criterion, criteria_met: readVerdict(await ask()) }, calls }
    } catch (error) {
      if (calls < released.tries) continue
      return { criterion: { ...criterion, criteria_met: null, evaluation_error: errorText(error) }, calls }
    }
  }
}
