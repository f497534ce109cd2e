import { type PythonValue, plain } from './value.ts'

// json.loads: like JSON.parse, but NaN and Infinity are numbers and 2 is not 2.0. Throws SyntaxError.
export function parseJson(text: string): PythonValue {
  const reader = { text, at: 0 }
  const value = read(reader)
  skip(reader)
  if (reader.at < text.length) fail(reader)
  return value
}

// The same as plain JavaScript values; the quick way where the text is ordinary JSON.
export function parsePlainJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return plain(parseJson(text))
  }
}

interface Reader {
  text: string
  at: number
}

const names: [string, PythonValue][] = [
  ['null', null],
  ['true', true],
  ['false', false],
  ['NaN', Number.NaN],
  ['Infinity', Number.POSITIVE_INFINITY],
  ['-Infinity', Number.NEGATIVE_INFINITY],
]
const number = /-?(?:0|[1-9]\d*)(\.\d+)?([eE][-+]?\d+)?/y
const string = /"(?:[^"\\\x00-\x1f]|\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4}))*"/y

function read(reader: Reader): PythonValue {
  skip(reader)
  const sign = reader.text[reader.at]
  if (sign === '{') return readDict(reader)
  if (sign === '[') return readList(reader)
  if (sign === '"') return readString(reader)
  for (const [name, value] of names) {
    if (!reader.text.startsWith(name, reader.at)) continue
    reader.at += name.length
    return value
  }
  number.lastIndex = reader.at
  const match = number.exec(reader.text)
  if (!match) return fail(reader)
  reader.at += match[0].length
  return match[1] || match[2] ? Number(match[0]) : BigInt(match[0])
}

function readDict(reader: Reader): PythonValue {
  const dict = new Map<PythonValue, PythonValue>()
  reader.at++
  skip(reader)
  if (took(reader, '}')) return dict
  for (;;) {
    skip(reader)
    const key = readString(reader)
    skip(reader)
    if (!took(reader, ':')) fail(reader)
    dict.set(key, read(reader))
    skip(reader)
    if (took(reader, '}')) return dict
    if (!took(reader, ',')) fail(reader)
  }
}

function readList(reader: Reader): PythonValue {
  const list: PythonValue[] = []
  reader.at++
  skip(reader)
  if (took(reader, ']')) return list
  for (;;) {
    list.push(read(reader))
    skip(reader)
    if (took(reader, ']')) return list
    if (!took(reader, ',')) fail(reader)
  }
}

function readString(reader: Reader): string {
  string.lastIndex = reader.at
  const match = string.exec(reader.text)
  if (!match) return fail(reader)
  reader.at += match[0].length
  return JSON.parse(match[0])
}

function skip(reader: Reader): void {
  while (' \t\n\r'.includes(reader.text[reader.at] ?? 'x')) reader.at++
}

function took(reader: Reader, sign: string): boolean {
  if (reader.text[reader.at] !== sign) return false
  reader.at++
  return true
}

function fail(reader: Reader): never {
  throw new SyntaxError(`No JSON at character ${reader.at}.`)
}
