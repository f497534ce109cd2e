import { BackendError } from '../../src/core/errors.ts'

// A text of a stranger on one line, without what steers a terminal, hides or turns letters round.
export function foreignLine(text: string, max: number): string {
  const line = text
    .replace(/\p{Cs}|[\p{Cc}\p{Cf}\p{Co}\s]+|\u034f|\u115f|\u1160|\u17b4|\u17b5|\u3164|\uffa0/gu, ' ')
    .replace(/\p{Variation_Selector}/gu, '')
    .trim()
  return line.length > max ? `${line.slice(0, max).replace(/\p{Cs}$/u, '')}...` : line
}

const maxSchema = 20_000 // characters of its JSON
const maxDepth = 12 // schemas in schemas: two levels of JSON each, `properties` and its member
const maxText = 500

// What a model is shown of a server's schema: plain texts of bounded length. Patterns are left out (a model server that holds its
// model to the schema would run them), and so are references to other documents, which something might fetch.
export function plainSchema(schema: object, tool: string): Record<string, unknown> {
  const tooBig = () =>
    new BackendError(`${tool} has an input schema that is too large or too deep.`, {
      hint: `The limits are ${maxSchema} characters and ${maxDepth} levels; leave this tool out on its server.`,
    })
  const copy = (value: unknown, level: number): unknown => {
    if (level > 2 * maxDepth) throw tooBig()
    if (typeof value === 'string') return foreignLine(value, maxText)
    if (Array.isArray(value)) return value.map(item => copy(item, level + 1))
    if (!value || typeof value !== 'object') return value
    const entries = Object.entries(value).filter(([name, item]) => !isLeftOut(name, item))
    return Object.fromEntries(entries.map(([name, item]) => [foreignLine(name, maxText), copy(item, level + 1)]))
  }
  const copied = { ...(copy(schema, 0) as Record<string, unknown>), type: 'object' }
  if (JSON.stringify(copied).length > maxSchema) throw tooBig()
  return copied
}

function isLeftOut(name: string, value: unknown): boolean {
  if (name === 'patternProperties' || name === '__proto__') return true
  if (typeof value !== 'string') return false // a property that is called "pattern"
  return name === 'pattern' || (['$ref', '$dynamicRef', '$recursiveRef'].includes(name) && !value.startsWith('#'))
}
