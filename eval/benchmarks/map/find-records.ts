import { isObject } from '../../../src/core/json.ts'
import { type JsonPath, listChildren } from './paths.ts'
import { asText, type RecordMap } from './record-map.ts'

interface FoundRecords {
  paths: JsonPath[]
  outer: JsonPath[] // those that lie in no other
  lists: Set<string> // which of the places around them are lists
}

// Objects that may hold options. A film with its genres is one too, and so is what lies below a question.
export function recordsIn(top: unknown): FoundRecords {
  const records: FoundRecords = { paths: [], outer: [], lists: new Set() }
  const walk = (value: unknown, path: JsonPath, isInside: boolean) => {
    if (Array.isArray(value)) records.lists.add(path.join('\u0000'))
    const isFound = isObject(value) && optionsIn(value).length > 0
    if (isFound) records.paths.push(path)
    if (isFound && !isInside) records.outer.push(path)
    for (const [name, item] of listChildren(value)) walk(item, [...path, name], isInside || isFound)
  }
  walk(top, [], false)
  return records
}

// What may be the options of an object: fields of it that hold three to eight short texts, and the fields that hold one each.
export function optionsIn(record: Record<string, unknown>): RecordMap['options'][] {
  const isTexts = (items: unknown[]) =>
    items.length >= 3 && items.length <= 8 && items.every(item => asText(item) !== undefined)
  const whole = Object.entries(record).flatMap(([name, value]) => {
    const isNamed = isObject(value) && Object.keys(value).every(isPlace) && isTexts(Object.values(value))
    return isNamed || (Array.isArray(value) && isTexts(value)) ? [name] : []
  })
  const apart = Object.keys(record).filter(name => /(^|[_-]|option|choice)([A-Ha-h]|[0-7])$/.test(name))
  const isRow = apart.length >= 3 && apart.every(name => asText(record[name]) !== undefined)
  return isRow ? [...whole, apart.sort()] : whole
}

function isPlace(name: string): boolean {
  return /([A-Ha-h]|\d)$/.test(name) && name.length <= 12
}
