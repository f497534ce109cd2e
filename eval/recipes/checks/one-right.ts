import { z } from 'zod'
import { letterAt, optionLines } from '../../metrics/choice/options.ts'
import type { CheckGiven, ItemCheck } from '../item.ts'
import { askJson, rowsText } from './parts/ask.ts'
import { type ChoiceItem, isChoice } from './parts/solvers.ts'
import { clueRows, eachItem, type ItemFault, sourceRows } from './parts/verdicts.ts'
import { holdsPhrase, normaliseText } from './parts/words.ts'

const Right = z.object({ right: z.array(z.string()) })

// K5. The rows bear out the key and no other option.
export const oneRight: ItemCheck = {
  k: 5,
  name: 'one right',
  optionalRole: 'check',
  calls: (items, given) => items.filter(item => isChoice(item) && !twinValue(item, given)).length,
  run: (items, given) =>
    eachItem(items, item => (isChoice(item) ? (twinValue(item, given) ?? judged(item, given)) : undefined)),
}

// A distractor that stands in the clue's rows under the label of the key: "Budget: 375" and "Budget: 420".
function twinValue(item: ChoiceItem, { record }: CheckGiven): ItemFault | undefined {
  const lines = clueRows(item, record(item.video)).flatMap(({ text }) => text.split(/\n|[;|]/))
  const labels = new Set(lines.flatMap(line => labelBefore(line, item.answer)))
  const isAsked = (label: string) => label !== '' && holdsPhrase(item.question, label)
  const other = item.options.find(
    (option, at) =>
      at !== item.right &&
      lines.some(line => labelBefore(line, option).some(label => labels.has(label) && isAsked(label))),
  )
  return other && `"${other}" stands in the clue's rows under the same label as the key`
}

function labelBefore(line: string, value: string): string[] {
  const [all, end] = [normaliseText(line), normaliseText(value)]
  return end !== '' && all.endsWith(` ${end}`) ? [all.slice(0, -end.length - 1)] : []
}

async function judged(item: ChoiceItem, { models, record, signal }: CheckGiven): Promise<ItemFault | undefined> {
  const [model] = models('check')
  if (!model) return undefined
  const text = [
    'Which options answer the question rightly, by these rows? Give the letters of all that do; none where the rows do not tell.',
    rowsText(sourceRows(item, record(item.video))),
    `Question: ${item.question}\n${optionLines(item.options)}`,
  ].join('\n\n')
  const { value, replies } = await askJson(model, { name: 'right', schema: Right, text }, signal)
  if (!value) return { detail: 'no reply that could be read', replies }
  const letters = value.right.map(letter => letter.trim().slice(0, 1).toUpperCase())
  if (letters.length === 1 && letters[0] === letterAt(item.right)) return undefined
  return { detail: `right by the rows: ${letters.join(', ') || 'none'}; the key is ${letterAt(item.right)}`, replies }
}
