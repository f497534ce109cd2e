import type { Draw } from './draw.ts'
import { mutateText } from './text.ts'

type Json = null | boolean | number | string | Json[] | { [key: string]: Json }

const values: Json[] = [
  ...[null, true, false, 0, -1, 1, 0.5, 1e308, -1e-9, 2 ** 53],
  ...['', ' ', 'A', 'E', 'Z', '-1', '0:10-0:20', '9:99', 'NaN', 'null', '[]', '{}', "['a', 'b']", '[1, 2', '__proto__'],
  ...['\u0000', '\u202e', '../../etc/passwd', 'x'.repeat(3000), '</data>', '🦅', '(A) x'],
  ...[[], {}, [[]], [null], [{}], ['a'], [1, 2], [[1, 2]], [2, 1], { start: 1, end: 2 }, { __proto__: null }],
]

// Changes to a JSON value: one replaced, left out, doubled, renamed, moved elsewhere or nested very deeply. Text that is not JSON
// is changed as text.
export function mutateJson(input: Buffer, draw: Draw, other: Buffer, words: readonly string[]): Buffer {
  const value = parsed(input)
  if (value === undefined || draw.chance(0.15)) return mutateText(input, draw, other, words)
  let changed = value
  const donor = parsed(other)
  for (let changesLeft = 1 + draw.below(4); changesLeft > 0; changesLeft--)
    changed = change(changed, draw, donor, words)
  return Buffer.from(deep(JSON.stringify(changed) ?? 'null', draw))
}

function parsed(bytes: Buffer): Json | undefined {
  try {
    return JSON.parse(bytes.toString('utf8'))
  } catch {
    return undefined
  }
}

interface JsonSlot {
  holder: Json[] | { [key: string]: Json }
  key: string
  value: Json
}

function placesIn(value: Json, found: JsonSlot[] = [], depth = 0): JsonSlot[] {
  if (value === null || typeof value !== 'object' || depth > 40) return found
  for (const [key, inner] of Object.entries(value)) {
    found.push({ holder: value, key, value: inner })
    placesIn(inner, found, depth + 1)
  }
  return found
}

function change(value: Json, draw: Draw, other: Json | undefined, words: readonly string[]): Json {
  const places = placesIn(value)
  if (places.length === 0) return draw.of(values)
  const { holder, key, value: old } = draw.of(places)
  const fields = holder as { [key: string]: Json }
  const donors = other === undefined ? places : placesIn(other)
  const put = (item: Json) => {
    fields[key] = item
  }
  switch (draw.below(8)) {
    case 0:
    case 1:
      put(structuredClone(draw.of(values)))
      break
    case 2:
      if (Array.isArray(holder)) holder.splice(Number(key), 1)
      else delete fields[key]
      break
    case 3:
      if (Array.isArray(holder)) holder.splice(Number(key), 0, structuredClone(old))
      else if (words.length > 0) fields[draw.of(words)] = structuredClone(old)
      break
    case 4:
      put(structuredClone(donors.length > 0 ? draw.of(donors).value : old))
      break
    case 5:
      put(draw.chance(0.5) ? [structuredClone(old)] : { [draw.of(['value', ...words])]: structuredClone(old) })
      break
    case 6:
      put(
        typeof old === 'string' ? mutateText(Buffer.from(old), draw, Buffer.from('x'), words).toString() : String(old),
      )
      break
    default:
      put(draw.chance(0.1) ? deepMark : draw.of(words))
  }
  return value
}

const deepMark = '\u0001deep\u0001'

// Nested more deeply than a structure in memory could be cloned here.
function deep(text: string, draw: Draw): string {
  const depth = draw.of([70, 1000, 8000])
  const [open, close] = draw.of([
    ['[', ']'],
    ['{"data":', '}'],
  ])
  return text.replaceAll(JSON.stringify(deepMark), () => `${open.repeat(depth)}1${close.repeat(depth)}`)
}
