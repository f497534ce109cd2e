import type { Step } from '../../src/core/agent.ts'

// Rounds that bring nothing new end in a change of ways: other words, then another track, then a wider span, then the answer.
export function noveltyHint(steps: readonly Step[], round: number): string | undefined {
  return ladder[Math.min(emptyRounds(steps, round), ladder.length) - 1]
}

export function isStuck(steps: readonly Step[], round: number): boolean {
  return emptyRounds(steps, round) > ladder.length
}

const ladder = [
  'The last calls brought nothing new. Search with other words: synonyms, parts of names, how it may have been spelled.',
  'Still nothing new. Try another track (speech, text, sound, picture) or the lines around the nearest hit.',
  'Still nothing new. Widen the span to the whole video, or list it with timeline; then answer with what there is.',
]

// How many rounds before this one, without a break, had only calls without new evidence.
export function emptyRounds(steps: readonly Step[], round: number): number {
  let empty = 0
  for (let at = round - 1; at >= 0; at--) {
    const calls = steps.filter(step => step.round === at)
    if (calls.length === 0 || calls.some(step => step.outcome === 'found' || (step.text && step.outcome === 'nothing')))
      break
    empty++
  }
  return empty
}
