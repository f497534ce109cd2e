// A JSON schema as the grammar of node-llama-cpp takes it: there every property is required, "anyOf" is "oneOf", and what it does
// not know is left out. A property that may be left out becomes one that may be null; `withoutNulls` takes it out again.
export function grammarSchema(schema: unknown): object {
  const { anyOf, oneOf, allOf, properties, required, items, type, enum: choices, ...rest } = record(schema)
  if ('const' in rest) return { const: rest.const }
  if (Array.isArray(choices)) return { enum: choices }
  const ways = anyOf ?? oneOf
  if (Array.isArray(ways)) return { oneOf: ways.map(grammarSchema) }
  if (Array.isArray(allOf) && allOf.length === 1) return grammarSchema(allOf[0])
  if (Array.isArray(type)) return { oneOf: type.map(one => grammarSchema({ ...record(schema), type: one })) }
  if (type === 'array' || items !== undefined) return { type: 'array', items: grammarSchema(items), ...bounds(rest) }
  if (type === 'object' || properties !== undefined) {
    const entries = Object.entries(record(properties))
    if (entries.length === 0) return { type: 'object', additionalProperties: grammarSchema(rest.additionalProperties) }
    const must = new Set(Array.isArray(required) ? required : [])
    const copies = entries.map(([name, of]) => [
      name,
      must.has(name) ? grammarSchema(of) : { oneOf: [grammarSchema(of), { type: 'null' }] },
    ])
    return { type: 'object', properties: Object.fromEntries(copies) }
  }
  if (type === 'string') return { type, ...lengths(rest) }
  if (typeof type === 'string') return { type }
  return { type: ['string', 'number', 'boolean', 'null'] }
}

// The value without what stands for a property that was left out.
export function withoutNulls(value: unknown, schema: unknown): unknown {
  const { anyOf, oneOf, properties, required, items } = record(schema)
  const ways = anyOf ?? oneOf
  if (Array.isArray(ways)) return ways.reduce((held, way) => withoutNulls(held, way), value)
  if (Array.isArray(value)) return value.map(item => withoutNulls(item, items))
  if (typeof value !== 'object' || value === null) return value
  const must = new Set(Array.isArray(required) ? required : [])
  const schemas = record(properties)
  return Object.fromEntries(
    Object.entries(value).flatMap(([name, of]) =>
      of === null && name in schemas && !must.has(name) ? [] : [[name, withoutNulls(of, schemas[name])]],
    ),
  )
}

function bounds({ minItems, maxItems }: Record<string, unknown>): object {
  return { ...(typeof minItems === 'number' && { minItems }), ...(typeof maxItems === 'number' && { maxItems }) }
}

function lengths({ minLength, maxLength }: Record<string, unknown>): object {
  return { ...(typeof minLength === 'number' && { minLength }), ...(typeof maxLength === 'number' && { maxLength }) }
}

function record(value: unknown): Record<string, unknown> {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {}
}
