// Calls that the code has made in place of the planner, told by the beginning of their id.
const prefixes = ['look-', 'scan-', 'aspect-', 'clue-', 'premise', 'recover-', 'opposite', 'again', 'second-source']

// What a step says of itself when a policy called for it.
export const madeByPolicy = 'A policy of the agent made this call.'

export function isForced(id: string): boolean {
  return prefixes.some(prefix => id === prefix || id.startsWith(prefix))
}
