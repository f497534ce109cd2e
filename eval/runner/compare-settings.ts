// Settings of a server or of the talk with it: they may change while a run is stopped without changing what it measures.
const aside =
  /(?:^|\.)(?:url|baseUrl|host|apiKey|key|token|headers|limits|keepAlive|organization|stream)(?:\.|$)|^(?:output|prices)\./

// What differs between two sets of settings, as "models.planner.model: qwen3:4b, now qwen3:8b"; none where results can be compared.
export function settingsThatDiffer(before: unknown, now: unknown): string[] {
  const then = leaves(before)
  const today = leaves(now)
  return [...new Set([...then.keys(), ...today.keys()])]
    .filter(name => !aside.test(name) && then.get(name) !== today.get(name))
    .map(name => `${name}: ${then.get(name) ?? 'not set'}, now ${today.get(name) ?? 'not set'}`)
}

function leaves(value: unknown, path = ''): Map<string, string> {
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    return new Map([[path, JSON.stringify(value) ?? 'undefined']])
  return new Map(
    Object.entries(value).flatMap(([name, inner]) => [...leaves(inner, path === '' ? name : `${path}.${name}`)]),
  )
}
