import type { Draft, WriteBrief } from '../../../src/core/brief.ts'
import { isNone } from '../../../src/text/option.ts'
import type { ParsedQuestion } from '../../../src/text/question/parsed-question.ts'
import { byEvidence } from './options/by-evidence.ts'
import { byFirst, bySequence, bySet } from './options/by-list.ts'
import { byCount, byTimes } from './options/by-number.ts'
import { byYesNo, isAll, type OptionScore, scoreAll, scoreNone } from './options/fixed.ts'
import { capitalize, quoteEvidence } from './sentence.ts'
import { bare } from './topics.ts'

// Chooses an option by evidence. Always chooses one; little evidence means low confidence.
export function choose(asked: ParsedQuestion, given: readonly string[], brief: WriteBrief, draft: Draft): Draft {
  const scored = scoreOptions(asked, given.map(bare), brief, draft)
  const order = scored
    .map((one, i) => ({ ...one, i }))
    .sort((a, b) => (asked.excluded ? a.score - b.score : b.score - a.score) || a.i - b.i)
  const [best, second] = order
  if (!best) return draft
  const margin = Math.abs(best.score - (second?.score ?? 0))
  const strength = asked.excluded ? 1 - best.score : best.score
  const chance = 1 / scored.length
  const sure = chance + (0.95 - chance) * strength * Math.min(1, 0.4 + margin * 2)
  const spoken = best.rows.length > 0 || asked.excluded || isNone(best.option)
  const sentences = asked.excluded
    ? order
        .slice(1)
        .flatMap(({ rows, option }) =>
          rows.slice(0, 1).map(row => ({ text: `"${option}" is there — ${quoteEvidence(row)}`, cites: [row.id] })),
        )
    : best.rows.slice(0, 2).map(row => ({ text: capitalize(quoteEvidence(row)), cites: [row.id] }))
  return {
    sentences: sentences.length > 0 ? sentences : draft.sentences,
    choice: best.i,
    confidence: spoken ? sure : Math.min(sure, chance),
    abstained: false,
  }
}

// The first that fits the question scores its options.
const scorers = [byCount, byTimes, bySequence, bySet, byFirst, byYesNo]

// "All of these" and "the video does not say" are scored by how the others scored.
function scoreOptions(
  asked: ParsedQuestion,
  options: readonly string[],
  brief: WriteBrief,
  draft: Draft,
): (OptionScore & { option: string })[] {
  const singleOptions = options.filter(option => !isAll(option) && !isNone(option))
  const plain = singleOptions.length > 0 ? singleOptions : options
  let scored: OptionScore[] | undefined
  for (const score of singleOptions.length > 0 ? scorers : []) scored ??= score(asked, plain, brief, draft)
  const scores = scored ?? byEvidence(asked, plain, brief, draft)
  return options.map(option => {
    const optionScore = scores[plain.indexOf(option)]
    if (optionScore) return { ...optionScore, option }
    return { ...(isAll(option) ? scoreAll(scores) : scoreNone(asked, scores, draft)), option }
  })
}
