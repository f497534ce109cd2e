import { contentHash } from '../../../src/core/json.ts'
import type { Ladder, MadeSet } from '../../data/benchmark-json.ts'

export function ladderLine(ladder: Ladder | undefined): string {
  if (!ladder) return 'not measured'
  const { model, questions, changed, tasks } = ladder
  const steps = Object.entries(tasks).map(([task, points]) => {
    const [first, ...more] = points.map(({ frames, score }) => `${score.toFixed(2)} % with ${frames}`)
    return `${task} ${[`${first} frames`, ...more].join(', ')}`
  })
  const since = changed ? '; the questions were changed since' : ''
  return `${steps.join('; ')} (${model}, ${questions} questions${since})`
}

// A set as it is written anew keeps what was measured on it, and says where its questions are others now.
export function withLadder(set: MadeSet, ladder: Ladder | undefined, annotations: readonly string[]): MadeSet {
  if (!ladder) return set
  const { changed: _, ...measured } = ladder
  const isSame = measured.annotations === contentHash(annotations)
  return { ...set, ladder: { ...measured, ...(!isSame && { changed: true }) } }
}

// The card with another ladder; undefined if it has no line for one.
export function cardWith(card: string, ladder: Ladder): string | undefined {
  const line = /^- Ladder: .*$/m
  return line.test(card) ? card.replace(line, () => `- Ladder: ${ladderLine(ladder)}`) : undefined
}
