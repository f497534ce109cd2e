import type { Draft, WriteBrief } from '../../../../src/core/brief.ts'
import type { Evidence } from '../../../../src/core/evidence.ts'
import type { ParsedQuestion } from '../../../../src/text/question/parsed-question.ts'

// How well an option fits, 0..1, and the supporting rows.
export interface OptionScore {
  score: number
  rows: Evidence[]
}

// One way to score options; undefined where it does not fit the question.
export type ScoreOptions<Scores = OptionScore[] | undefined> = (
  asked: ParsedQuestion,
  options: readonly string[],
  brief: WriteBrief,
  draft: Draft, // the answer without options
) => Scores

// Yes or no, as in the answer without options.
export const byYesNo: ScoreOptions = (_, options, __, draft) => {
  const [yes, no] = [/^yes\b/i, /^no\b/i]
  if (options.length > 3 || ![yes, no].every(word => options.some(option => word.test(option)))) return undefined
  const says = draft.abstained || /^No\b/.test(draft.sentences[0]?.text ?? '') ? no : yes
  return options.map(option => ({ score: says.test(option) ? (draft.confidence ?? 0.5) : 0, rows: [] }))
}

export function isAll(option: string): boolean {
  return /^(all|both)( of (the above|these|them|the options|the others))?\.?$/i.test(option)
}

export function scoreAll(others: readonly OptionScore[]): OptionScore {
  const holds = others.every(one => one.score >= 0.5)
  const best = Math.max(...others.map(one => one.score))
  return { score: holds ? best + 0.01 : 0, rows: others.flatMap(one => one.rows.slice(0, 1)) }
}

// A picture that could not be seen may hold it: "none" fits only if words were searched for and not found.
export function scoreNone(asked: ParsedQuestion, others: readonly OptionScore[], draft: Draft): OptionScore {
  const best = Math.max(...others.map(one => one.score))
  if (asked.kind === 'picture') return { score: -0.01, rows: [] }
  if (draft.abstained) return { score: 0.6, rows: [] }
  // A line with several words of the question is about it, though it may be misheard.
  const telling = asked.topic.terms.filter(term => term.weight >= 0.6).length
  if (telling > 1 && (draft.confidence ?? 0) >= 0.7) return { score: -0.01, rows: [] }
  return { score: best < 0.2 ? 0.4 : 0.05, rows: [] }
}
