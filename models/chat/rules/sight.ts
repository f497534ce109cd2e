import type { Evidence } from '../../../src/core/evidence.ts'
import type { ParsedQuestion } from '../../../src/text/question/parsed-question.ts'
import { asksHeld } from './people/looks.ts'

// Where a model looks at frames, what people do, wear and hold is looked at; without one it is found in words, if at all.
export function withSight(asked: ParsedQuestion, sees: boolean): ParsedQuestion {
  return sees &&
    asked.kind === 'fact' &&
    asked.tracks.length === 0 &&
    (watched.test(asked.main) || asksHeld(asked.main))
    ? { ...asked, kind: 'picture' }
    : asked
}

const watched =
  /^(?:who|what|which|where)\b.*\b(?:walks?|wav(?:es|ing)|jumps?|jumping|sits?|stands?|carr(?:ies|ying)|dances?|runs?|points? at|shirt|coat|jacket|trousers|hat|cap)\b/i

// Whether a look told something, rather than that its frames do not show what was asked.
export function foundSomething({ text }: Pick<Evidence, 'text'>): boolean {
  return !/\b(?:do(?:es)? not show|don't show|doesn't show|nothing can be made out|(?:cannot|can't) be seen|not (?:visible|shown))\b/i.test(
    text,
  )
}

// Whether a model that sees is there, or was while the video was indexed.
export function sees(brief: { vision?: true; evidence: readonly Evidence[] }): boolean {
  return brief.vision === true || hasCaptionRows(brief)
}

export function hasCaptionRows({ evidence }: { evidence: readonly Evidence[] }): boolean {
  return evidence.some(row => row.track === 'caption')
}
