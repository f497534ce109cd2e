import { z } from 'zod'
import { parsePlainJson } from '../python/json.ts'
import { parseLiteral } from '../python/literal.ts'
import { plain } from '../python/value.ts'

// A list, also where a table holds it as text: JSON, or as Python writes it.
export function listed<Item extends z.ZodType>(item: Item) {
  return z.preprocess(value => (typeof value === 'string' ? fromText(value) : value), z.array(item))
}

function fromText(text: string): unknown {
  for (const parse of [parsePlainJson, (value: string) => plain(parseLiteral(value))]) {
    try {
      return parse(text)
    } catch {}
  }
  return text
}
