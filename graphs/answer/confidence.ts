import type { Sentence, StopReason } from '../../src/core/agent.ts'

// The writer's own confidence, lowered by what the check did not bear out and by a search that was cut off.
export function confidenceOf(
  sentences: readonly Sentence[],
  stated: number | undefined,
  abstained: boolean,
  stop: StopReason,
): number {
  const cited = sentences.filter(sentence => sentence.cites.length > 0)
  const worth = { supported: 1, follows: 0.75, contradicted: 0, unseen: 0 }
  const heldWorth = cited.reduce((sum, { verdict }) => sum + worth[verdict], 0)
  const share = cited.length > 0 ? heldWorth / cited.length : abstained ? 1 : 0.3
  const cut = stop === 'answered' || stop === 'steps' ? 1 : 0.7
  return Math.round(Math.min(1, Math.max(0, (stated ?? 0.5) * (0.4 + 0.6 * share) * cut)) * 100) / 100
}
