// A value as Python reads it from JSON or a literal: a whole number is a bigint, a float is a number, so 2 and 2.0 differ.
export type PythonValue = null | boolean | bigint | number | string | PythonValue[] | PythonDict
export type PythonDict = Map<PythonValue, PythonValue>

export function isDict(value: PythonValue | undefined): value is PythonDict {
  return value instanceof Map
}

// bool(value), of a dict as a Map or as an object too: NaN is true, emptiness of any kind is false.
export function isTrue(value: unknown): boolean {
  if (Array.isArray(value)) return value.length > 0
  if (value instanceof Map) return value.size > 0
  if (typeof value === 'object' && value !== null) return Object.keys(value).length > 0
  return Number.isNaN(value) || Boolean(value)
}

// The number behind an int, a float or a bool; undefined for what Python would not calculate with.
export function pythonNumber(value: PythonValue | undefined): number | undefined {
  if (typeof value === 'number') return value
  if (typeof value === 'bigint' || typeof value === 'boolean') return Number(value)
  return undefined
}

// str(value)
export function pythonText(value: PythonValue): string {
  return typeof value === 'string' ? value : pythonRepr(value)
}

// repr(value)
export function pythonRepr(value: PythonValue): string {
  if (value === null) return 'None'
  if (value === true) return 'True'
  if (value === false) return 'False'
  if (typeof value === 'bigint') return String(value)
  if (typeof value === 'number') return floatText(value)
  if (typeof value === 'string') return quoted(value)
  if (Array.isArray(value)) return `[${value.map(pythonRepr).join(', ')}]`
  return `{${[...value].map(([key, item]) => `${pythonRepr(key)}: ${pythonRepr(item)}`).join(', ')}}`
}

// How Python writes a float: 4.0, 1e-05, 1e+16, nan.
export function floatText(value: number): string {
  if (Number.isNaN(value)) return 'nan'
  if (!Number.isFinite(value)) return value > 0 ? 'inf' : '-inf'
  if (Object.is(value, -0)) return '-0.0'
  const [mantissa, power] = value.toExponential().split('e')
  const exponent = Number(power)
  if (value !== 0 && (exponent < -4 || exponent >= 16))
    return `${mantissa}e${exponent < 0 ? '-' : '+'}${String(Math.abs(exponent)).padStart(2, '0')}`
  const text = String(value)
  return text.includes('.') ? text : `${text}.0`
}

// As JSON would hold it: numbers are numbers again.
export function toPlain(value: PythonValue): unknown {
  if (typeof value === 'bigint') return Number(value)
  if (Array.isArray(value)) return value.map(toPlain)
  if (isDict(value)) return Object.fromEntries([...value].map(([key, item]) => [pythonText(key), toPlain(item)]))
  return value
}

function quoted(text: string): string {
  const quote = text.includes("'") && !text.includes('"') ? '"' : "'"
  const body = text.replace(/[\\\n\r\t]/g, sign => ({ '\n': '\\n', '\r': '\\r', '\t': '\\t' })[sign] ?? '\\\\')
  return quote + (quote === "'" ? body.replaceAll("'", "\\'") : body) + quote
}
