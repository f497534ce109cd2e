// The parts of a JSON schema that an example is made from.
export interface InputShape {
  type?: string | string[]
  enum?: unknown[]
  const?: unknown
  default?: unknown
  examples?: unknown[]
  properties?: Record<string, InputShape>
  required?: string[]
  items?: InputShape
  anyOf?: InputShape[]
  minimum?: number
  description?: string
}

// Arguments that a tool of this schema should take: what it asks for and no more.
export function sampleInput(shape: InputShape): Record<string, unknown> {
  const names = shape.required ?? []
  return Object.fromEntries(names.map(name => [name, buildSample(name, shape.properties?.[name] ?? {})]))
}

function buildSample(name: string, shape: InputShape): unknown {
  if (shape.examples?.length) return shape.examples[0]
  if (shape.default !== undefined) return shape.default
  if (shape.const !== undefined) return shape.const
  if (shape.enum?.length) return shape.enum[0]
  if (shape.anyOf?.length) return buildSample(name, shape.anyOf[0] ?? {})
  switch ([shape.type].flat()[0]) {
    case 'number':
    case 'integer':
      return Math.max(
        shape.minimum ?? 0,
        /end|until|before/i.test(name) ? 25 : /start|from|after|time/i.test(name) ? 10 : 1,
      )
    case 'boolean':
      return true
    case 'array':
      return [buildSample(name, shape.items ?? {})]
    case 'object':
      return sampleInput(shape)
    default:
      return textFor(name)
  }
}

function textFor(name: string): string {
  if (/time|span|range|moment/i.test(name)) return '00:10-00:25'
  if (/lang/i.test(name)) return 'en'
  if (/expression/i.test(name)) return '3 + 4'
  return 'room 204'
}
