import { type Reader, take, took } from './json.ts'
import type { PythonValue } from './value.ts'

// ast.literal_eval: strings, numbers, lists, dicts, True, False, None; tuples and sets become lists, bytes strings. JSON's
// true, false and null are no literals, and neither is anything in a code fence. Throws SyntaxError. Complex numbers are refused.
export function parseLiteral(text: string): PythonValue {
  const reader = { text: text.replace(/^[ \t]+/, '').replace(/^(?:[ \t\f]*(?:#[^\n]*)?\r?\n)+/, ''), at: 0, depth: 0 }
  const value = readItem(reader)
  skip(reader)
  if (took(reader, ',')) return readItems(reader, undefined, [value]) // a tuple without brackets: 1, 2
  while (reader.text[reader.at] === '\n' || reader.text[reader.at] === '\r') {
    reader.at++
    skip(reader)
  }
  if (reader.at < reader.text.length) fail(reader)
  return value
}

interface LiteralReader extends Reader {
  depth: number // open brackets: inside them a line may end anywhere
}

const string =
  /([bB][rR]?|[rR][bB]?|[uU]?)("""(?:[^\\]|\\[\s\S])*?"""|'''(?:[^\\]|\\[\s\S])*?'''|"(?:[^"\\\n]|\\[\s\S])*"|'(?:[^'\\\n]|\\[\s\S])*')/y
const number =
  /(?:0[xX](?:_?[0-9a-fA-F])+|0[oO](?:_?[0-7])+|0[bB](?:_?[01])+|(?:\d(?:_?\d)*)?\.\d(?:_?\d)*(?:[eE][-+]?\d(?:_?\d)*)?|\d(?:_?\d)*\.?(?:[eE][-+]?\d(?:_?\d)*)?)/y
const name = /(True|False|None)(?![\p{L}\p{N}_])/uy

function readItem(reader: LiteralReader): PythonValue {
  skip(reader)
  const sign = reader.text[reader.at]
  if (sign === '[') return readItems(open(reader), ']')
  if (sign === '(') return readGroup(reader)
  if (sign === '{') return readDict(reader)
  if (sign === '+' || sign === '-') return readSigned(reader, sign)
  if (reader.text.startsWith('...', reader.at)) {
    reader.at += 3
    return 'Ellipsis'
  }
  const match = take(reader, name)
  if (match) return match[1] === 'True' ? true : match[1] === 'False' ? false : null
  return readNumber(reader) ?? readStrings(reader)
}

function readSigned(reader: LiteralReader, sign: string): PythonValue {
  reader.at++
  skip(reader)
  if ('+-'.includes(reader.text[reader.at] ?? 'x')) fail(reader)
  const value = readItem(reader)
  if (typeof value !== 'bigint' && typeof value !== 'number') return fail(reader)
  return sign === '-' ? -value : value
}

function readNumber(reader: LiteralReader): PythonValue | undefined {
  const numberText = take(reader, number)
  if (!numberText) return undefined
  if (/[\p{L}\p{N}_]/u.test(reader.text[reader.at] ?? '')) fail(reader)
  const digits = numberText[0].replaceAll('_', '')
  if (/^0[xXoObB]/.test(digits)) return BigInt(digits.toLowerCase())
  if (!/^\d+$/.test(digits)) return Number(digits)
  if (/^0+[1-9]/.test(digits)) fail(reader)
  return BigInt(digits)
}

// Neighbouring strings are one string.
function readStrings(reader: LiteralReader): string {
  let text: string | undefined
  for (;;) {
    const [whole, prefix = '', quoted = ''] = take(reader, string) ?? []
    if (whole === undefined) return text ?? fail(reader)
    const length = /^("""|''')/.test(quoted) ? 3 : 1
    const body = quoted.slice(length, -length)
    text = (text ?? '') + (/r/i.test(prefix) ? body : withoutEscapes(body, reader))
    skip(reader)
  }
}

const signs: Record<string, string> = {
  n: '\n',
  t: '\t',
  r: '\r',
  a: '\x07',
  b: '\b',
  f: '\f',
  v: '\v',
  '\\': '\\',
  "'": "'",
  '"': '"',
  '\n': '',
}

function withoutEscapes(body: string, reader: LiteralReader): string {
  return body.replace(
    /\\(?:N\{[^}]+\}|([0-7]{1,3})|x([0-9a-fA-F]{2})|u([0-9a-fA-F]{4})|U([0-9a-fA-F]{8})|([\s\S]))/g,
    (all, octal, byte, short, long, sign) => {
      if (octal) return String.fromCharCode(Number.parseInt(octal, 8))
      if (byte || short) return String.fromCharCode(Number.parseInt(byte ?? short, 16))
      if (long)
        return Number.parseInt(long, 16) > 0x10ffff ? fail(reader) : String.fromCodePoint(Number.parseInt(long, 16))
      if ('xuUN'.includes(sign)) return fail(reader)
      return signs[sign] ?? all
    },
  )
}

// What is in brackets alone is itself; with a comma behind it, it is a tuple.
function readGroup(reader: LiteralReader): PythonValue {
  open(reader)
  skip(reader)
  if (took(reader, ')')) return close(reader, [])
  const first = readItem(reader)
  skip(reader)
  if (took(reader, ')')) return close(reader, first)
  return took(reader, ',') ? readItems(reader, ')', [first]) : fail(reader)
}

// Items up to the closing sign, or without one to the end of the text; a comma may stand behind the last.
function readItems(reader: LiteralReader, end: string | undefined, items: PythonValue[] = []): PythonValue {
  for (;;) {
    skip(reader)
    if (took(reader, end)) return close(reader, items)
    items.push(readItem(reader))
    skip(reader)
    if (!took(reader, ',') && reader.text[reader.at] !== end) fail(reader)
  }
}

function readDict(reader: LiteralReader): PythonValue {
  const dict = new Map<PythonValue, PythonValue>()
  open(reader)
  for (;;) {
    skip(reader)
    if (took(reader, '}')) return close(reader, dict)
    const key = readItem(reader)
    if (typeof key === 'object' && key !== null) fail(reader)
    skip(reader)
    if (dict.size === 0 && took(reader, ',')) return readItems(reader, '}', [key]) // a set
    if (dict.size === 0 && took(reader, '}')) return close(reader, [key])
    if (!took(reader, ':')) fail(reader)
    dict.set(key, readItem(reader))
    skip(reader)
    if (!took(reader, ',') && reader.text[reader.at] !== '}') fail(reader)
  }
}

function skip(reader: LiteralReader): void {
  const blanks = reader.depth > 0 ? /(?:[ \t\f\r\n]|\\\r?\n|#[^\n]*)*/y : /(?:[ \t\f]|\\\r?\n|#[^\n]*)*/y
  blanks.lastIndex = reader.at
  reader.at += blanks.exec(reader.text)?.[0].length ?? 0
}

function open(reader: LiteralReader): LiteralReader {
  reader.at++
  reader.depth++
  return reader
}

function close(reader: LiteralReader, value: PythonValue): PythonValue {
  reader.depth--
  return value
}

function fail(reader: LiteralReader): never {
  throw new SyntaxError(`No Python literal at character ${reader.at}.`)
}
