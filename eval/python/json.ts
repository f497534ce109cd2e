import { checkDepth, shallowJson } from '../../src/core/json.ts'
import { type PythonValue, toPlain } from './value.ts'

// json.loads: like JSON.parse, but NaN and Infinity are numbers and 2 is not 2.0. Throws SyntaxError.
export function parsePythonJson(text: string): PythonValue {
  checkDepth(text)
  const reader = { text, at: 0 }
  const value = read(reader)
  skip(reader)
  if (reader.at < text.length) fail(reader)
  return value
}

// The same as plain JavaScript values; the quick way where the text is ordinary JSON.
export function parsePlainJson(text: string): unknown {
  try {
    return shallowJson(text)
  } catch {
    return toPlain(parsePythonJson(text))
  }
}

// A text and how far it is read.
export interface Reader {
  text: string
  at: number
}

const names = new Map<string, PythonValue>([
  ['null', null],
  ['true', true],
  ['false', false],
  ['NaN', Number.NaN],
  ['Infinity', Number.POSITIVE_INFINITY],
  ['-Infinity', Number.NEGATIVE_INFINITY],
])
const name = /null|true|false|NaN|-?Infinity/y
const number = /-?(?:0|[1-9]\d*)(\.\d+)?([eE][-+]?\d+)?/y
const string = /"(?:[^"\\\x00-\x1f]|\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4}))*"/y

function read(reader: Reader): PythonValue {
  skip(reader)
  if (took(reader, '{')) return readDict(reader)
  if (took(reader, '[')) return readList(reader)
  if (reader.text[reader.at] === '"') return readString(reader)
  const named = take(reader, name)
  if (named) return names.get(named[0]) ?? null
  const [digits, fraction, exponent] = take(reader, number) ?? fail(reader)
  return fraction || exponent ? Number(digits) : BigInt(digits)
}

function readDict(reader: Reader): PythonValue {
  const dict = new Map<PythonValue, PythonValue>()
  skip(reader)
  if (took(reader, '}')) return dict
  do {
    skip(reader)
    const key = readString(reader)
    skip(reader)
    if (!took(reader, ':')) fail(reader)
    dict.set(key, read(reader))
    skip(reader)
  } while (took(reader, ','))
  return took(reader, '}') ? dict : fail(reader)
}

function readList(reader: Reader): PythonValue {
  const list: PythonValue[] = []
  skip(reader)
  if (took(reader, ']')) return list
  do {
    list.push(read(reader))
    skip(reader)
  } while (took(reader, ','))
  return took(reader, ']') ? list : fail(reader)
}

function readString(reader: Reader): string {
  const [quoted] = take(reader, string) ?? fail(reader)
  return JSON.parse(quoted)
}

function skip(reader: Reader): void {
  while (' \t\n\r'.includes(reader.text[reader.at] ?? 'x')) reader.at++
}

// What a sticky pattern finds here, taken from the text.
export function take(reader: Reader, pattern: RegExp): RegExpExecArray | null {
  pattern.lastIndex = reader.at
  const match = pattern.exec(reader.text)
  if (match) reader.at += match[0].length
  return match
}

// Whether this sign stood here, or without one the end of the text.
export function took(reader: Reader, sign: string | undefined): boolean {
  if (reader.text[reader.at] !== sign) return false
  reader.at++
  return true
}

function fail(reader: Reader): never {
  throw new SyntaxError(`No JSON at character ${reader.at}.`)
}
