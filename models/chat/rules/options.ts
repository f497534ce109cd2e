import type { Draft, WriteBrief } from '../../../src/core/brief.ts'
import type { Asked } from '../../../src/text/question/asked.ts'
import { byCount } from './options/by-count.ts'
import { byEvidence } from './options/by-evidence.ts'
import { byFirst } from './options/by-first.ts'
import { bySequence } from './options/by-sequence.ts'
import { bySet } from './options/by-set.ts'
import { byTimeOf } from './options/by-time.ts'
import { byYesNo } from './options/by-yes-no.ts'
import { isAll, isNone, scoreAll, scoreNone } from './options/open-options.ts'
import type { Scored } from './options/scored.ts'
import { bare } from './options/topics.ts'
import { capital, quoted } from './sentence.ts'

// Chooses an option by evidence. One is always chosen; where little speaks for it the confidence says so.
export function choose(asked: Asked, given: readonly string[], brief: WriteBrief, draft: Draft): Draft {
  const options = given.map(bare)
  const scored = scoreOptions(asked, options, brief, draft)
  const order = scored
    .map((one, i) => ({ ...one, i }))
    .sort((a, b) => (asked.excluded ? a.score - b.score : b.score - a.score) || a.i - b.i)
  const [best, second] = order
  const margin = Math.abs(best.score - (second?.score ?? 0))
  const strength = asked.excluded ? 1 - best.score : best.score
  const chance = 1 / options.length
  const sure = chance + (0.95 - chance) * strength * Math.min(1, 0.4 + margin * 2)
  const spoken = best.rows.length > 0 || asked.excluded || isNone(options[best.i])
  const sentences = asked.excluded
    ? order
        .slice(1)
        .flatMap(({ rows, i }) =>
          rows.slice(0, 1).map(row => ({ text: `"${options[i]}" is there — ${quoted(row)}`, cites: [row.id] })),
        )
    : best.rows.slice(0, 2).map(row => ({ text: capital(quoted(row)), cites: [row.id] }))
  return {
    sentences: sentences.length > 0 ? sentences : draft.sentences,
    choice: best.i,
    confidence: spoken ? sure : Math.min(sure, chance),
    abstained: false,
  }
}

// "All of these" and "the video does not say" are judged by how the others came out.
function scoreOptions(asked: Asked, options: readonly string[], brief: WriteBrief, draft: Draft): Scored[] {
  const plain = options.filter(option => !isAll(option) && !isNone(option))
  if (plain.length === 0) return byEvidence(asked, options, brief, draft)
  const scored =
    byCount(asked, plain, brief) ??
    byTimeOf(asked, plain, brief) ??
    bySequence(asked, plain, brief) ??
    bySet(asked, plain, brief) ??
    byFirst(asked, plain, brief) ??
    byYesNo(plain, draft) ??
    byEvidence(asked, plain, brief, draft)
  return options.map(option => {
    if (isAll(option)) return scoreAll(scored)
    if (isNone(option)) return scoreNone(asked, scored, draft)
    return scored[plain.indexOf(option)]
  })
}
