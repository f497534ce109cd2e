import { childrenOf, isObject, type Path } from './paths.ts'
import { type RecordMap, textOf } from './record-map.ts'

// Objects that hold options, and which of the places around them are lists.
export function recordsIn(top: unknown): { paths: Path[]; lists: Set<string> } {
  const paths: Path[] = []
  const lists = new Set<string>()
  const walk = (value: unknown, path: Path) => {
    if (Array.isArray(value)) lists.add(path.join('\u0000'))
    if (isObject(value) && optionsIn(value) !== undefined) paths.push(path)
    else for (const [name, item] of childrenOf(value)) walk(item, [...path, name])
  }
  walk(top, [])
  return { paths, lists }
}

// The field of an object, or one below it, that holds three to eight short texts; or the fields that hold one each.
export function optionsIn(record: Record<string, unknown>): RecordMap['options'] | undefined {
  const isTexts = (items: unknown[]) =>
    items.length >= 3 && items.length <= 8 && items.every(item => textOf(item) !== undefined)
  for (const [name, value] of Object.entries(record)) {
    if (Array.isArray(value) && isTexts(value)) return name
    if (isObject(value) && isTexts(Object.values(value)) && Object.keys(value).every(isPlace)) return name
  }
  const apart = Object.keys(record).filter(name => /(^|[_-]|option|choice)([A-Ha-h]|[0-7])$/.test(name))
  const isRow = apart.length >= 3 && apart.every(name => textOf(record[name]) !== undefined)
  return isRow ? apart.sort() : undefined
}

function isPlace(name: string): boolean {
  return /([A-Ha-h]|\d)$/.test(name) && name.length <= 12
}
