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

// What somebody typed, as the kind of value that the setting has now.
export function settingValue(typed: string, now: unknown): unknown {
  const text = typed.trim()
  if (typeof now === 'boolean' || now === undefined || now === null) {
    if (/^(true|on|yes)$/i.test(text)) return true
    if (/^(false|off|no)$/i.test(text)) return false
  }
  if (typeof now === 'string') return text
  return asJson(text)
}

function asJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}
