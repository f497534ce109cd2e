import { isObject } from '../../../src/core/json.ts'
// Values of a file by their paths: "films.*.questions.*"; a star stands for any place of a list or any name.

export type JsonPath = readonly string[]

export function listChildren(value: unknown): [name: string, value: unknown][] {
  if (Array.isArray(value)) return value.map((item, at) => [String(at), item])
  return isObject(value) ? Object.entries(value) : []
}

// Those at a path below a value, with the names that its stars stand for.
export function* valuesAt(
  value: unknown,
  path: JsonPath,
  stars: JsonPath = [],
): Iterable<{ value: unknown; stars: JsonPath }> {
  const [first, ...rest] = path
  if (first === undefined) yield { value, stars }
  else if (first === '*') for (const [name, item] of listChildren(value)) yield* valuesAt(item, rest, [...stars, name])
  else {
    const child = childNamed(value, first)
    if (child) yield* valuesAt(child.value, rest, stars)
  }
}

// Looked up and not searched for: each record of a long list may name its own place in it.
function childNamed(value: unknown, name: string): { value: unknown } | undefined {
  if (Array.isArray(value))
    return /^(0|[1-9]\d{0,9})$/.test(name) && Number(name) < value.length ? { value: value[Number(name)] } : undefined
  return isObject(value) && Object.hasOwn(value, name) ? { value: value[name] } : undefined
}

// The first of them.
export function valueAt(value: unknown, path: JsonPath): unknown {
  for (const match of valuesAt(value, path)) return match.value
  return undefined
}

// What several places have in common: a star where they differ, and in lists.
export function commonPath(paths: readonly JsonPath[], lists: ReadonlySet<string>): JsonPath {
  const [first = []] = paths
  return first.map((name, at) => {
    const isList = lists.has(first.slice(0, at).join('\u0000'))
    return !isList && paths.every(path => path[at] === name) ? name : '*'
  })
}

// Every path with up to three examples, for a person who writes a map.
export function listPaths(value: unknown, most = 40): { path: string; examples: string[] }[] {
  const pathsByKey = new Map<string, string[]>()
  const walk = (item: unknown, path: JsonPath) => {
    const children = listChildren(item)
    if (children.length === 0) {
      const examples = pathsByKey.get(path.join('.')) ?? []
      const text = JSON.stringify(item)?.slice(0, 60) ?? ''
      if (examples.length < 3 && !examples.includes(text)) examples.push(text)
      pathsByKey.set(path.join('.'), examples)
      return
    }
    // Many names of one kind are data, not fields.
    const isMany =
      Array.isArray(item) || (children.length > 12 && children.every(([, one]) => listChildren(one).length > 0))
    for (const [name, one] of children.slice(0, 200)) walk(one, [...path, isMany ? '*' : name])
  }
  walk(value, [])
  return [...pathsByKey].slice(0, most).map(([path, examples]) => ({ path, examples }))
}
