import { isObject, stableJson } from '../../core/json.ts'
import { leavesOf } from '../tree.ts'

interface DifferingSetting {
  setting: string // its dotted name
  a?: unknown // absent where it is not set
  b?: unknown
}

// The settings that two sets do not have alike, by name.
export function differingSettings(a: unknown, b: unknown): DifferingSetting[] {
  const [ofA, ofB] = [collectValues(a), collectValues(b)]
  return [...new Set([...ofA.keys(), ...ofB.keys()])]
    .filter(name => stableJson(ofA.get(name)) !== stableJson(ofB.get(name)) || ofA.has(name) !== ofB.has(name))
    .map(setting => ({
      setting,
      ...(ofA.has(setting) && { a: ofA.get(setting) }),
      ...(ofB.has(setting) && { b: ofB.get(setting) }),
    }))
}

// A section without entries says nothing.
function collectValues(settings: unknown): Map<string, unknown> {
  const leaves = isObject(settings) ? [...leavesOf(settings)] : []
  return new Map(leaves.filter(({ value }) => !isObject(value)).map(({ path, value }) => [path.join('.'), value]))
}
