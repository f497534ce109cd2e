// The one generator of the project, under the name that says what it is for here.
export { random as seededRandom } from '../../../src/core/numbers.ts'

export function pick(random: () => number, below: number): number {
  return Math.floor(random() * below)
}
