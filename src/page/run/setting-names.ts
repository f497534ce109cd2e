// "policy.verifier": true - every setting with its value, by its dotted name.
export function flatSettings(settings: unknown, before = ''): Map<string, unknown> {
  const flat = new Map<string, unknown>()
  for (const [name, value] of Object.entries(settings ?? {})) {
    const dotted = before === '' ? name : `${before}.${name}`
    if (typeof value === 'object' && value !== null && !Array.isArray(value))
      for (const [inner, held] of flatSettings(value, dotted)) flat.set(inner, held)
    else flat.set(dotted, value)
  }
  return flat
}
