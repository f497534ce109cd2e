import type { PythonValue } from './value.ts'

// ast.literal_eval: strings, numbers, lists, dicts, True, False, None; tuples and sets become lists, bytes strings. JSON's
// true, false and null are no literals, and neither is anything in a code fence. Throws SyntaxError. Complex numbers are refused.
export function parseLiteral(text: string): PythonValue {
  const reader = { text: text.replace(/^[ \t]+/, '').replace(/^(?:[ \t\f]*(?:#[^\n]*)?\r?\n)+/, ''), at: 0, depth: 0 }
  const value = readItem(reader)
  skip(reader)
  if (reader.text[reader.at] === ',') return readTail(reader, value)
  while (reader.text[reader.at] === '\n' || reader.text[reader.at] === '\r') {
    reader.at++
    skip(reader)
  }
  if (reader.at < reader.text.length) fail(reader)
  return value
}

interface Reader {
  text: string
  at: number
  depth: number // open brackets: inside them a line may end anywhere
}

const string =
  /([bB][rR]?|[rR][bB]?|[uU]?)("""(?:[^\\]|\\[\s\S])*?"""|'''(?:[^\\]|\\[\s\S])*?'''|"(?:[^"\\\n]|\\[\s\S])*"|'(?:[^'\\\n]|\\[\s\S])*')/y
const number =
  /(?:0[xX](?:_?[0-9a-fA-F])+|0[oO](?:_?[0-7])+|0[bB](?:_?[01])+|(?:\d(?:_?\d)*)?\.\d(?:_?\d)*(?:[eE][-+]?\d(?:_?\d)*)?|\d(?:_?\d)*\.?(?:[eE][-+]?\d(?:_?\d)*)?)/y
const name = /(True|False|None)(?![\p{L}\p{N}_])/uy

function readItem(reader: Reader): PythonValue {
  skip(reader)
  const sign = reader.text[reader.at]
  if (sign === '[') return readSequence(reader, ']')
  if (sign === '(') return readGroup(reader)
  if (sign === '{') return readDict(reader)
  if (sign === '+' || sign === '-') return readSigned(reader, sign)
  if (reader.text.startsWith('...', reader.at)) {
    reader.at += 3
    return 'Ellipsis'
  }
  const found = take(reader, name)
  if (found) return found[1] === 'True' ? true : found[1] === 'False' ? false : null
  return readNumber(reader) ?? readStrings(reader)
}

function readSigned(reader: Reader, sign: string): PythonValue {
  reader.at++
  skip(reader)
  if ('+-'.includes(reader.text[reader.at] ?? 'x')) fail(reader)
  const value = readItem(reader)
  if (typeof value !== 'bigint' && typeof value !== 'number') return fail(reader)
  return sign === '-' ? -value : value
}

function readNumber(reader: Reader): PythonValue | undefined {
  const found = take(reader, number)
  if (!found) return undefined
  if (/[\p{L}\p{N}_]/u.test(reader.text[reader.at] ?? '')) fail(reader)
  const digits = found[0].replaceAll('_', '')
  if (/^0[xXoObB]/.test(digits)) return BigInt(digits.toLowerCase())
  if (!/^\d+$/.test(digits)) return Number(digits)
  if (/^0+[1-9]/.test(digits)) fail(reader)
  return BigInt(digits)
}

// Neighbouring strings are one string.
function readStrings(reader: Reader): string {
  let text = ''
  for (let count = 0; ; count++) {
    const found = take(reader, string)
    if (!found) return count > 0 ? text : fail(reader)
    const length = found[2].startsWith('"""') || found[2].startsWith("'''") ? 3 : 1
    const body = found[2].slice(length, -length)
    text += /r/i.test(found[1]) ? body : withoutEscapes(body, reader)
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

function withoutEscapes(body: string, reader: Reader): string {
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

function readGroup(reader: Reader): PythonValue {
  reader.at++
  reader.depth++
  skip(reader)
  if (took(reader, ')')) return close(reader, [])
  const first = readItem(reader)
  skip(reader)
  if (took(reader, ')')) return close(reader, first)
  const items = [first]
  while (took(reader, ',')) {
    skip(reader)
    if (reader.text[reader.at] === ')') break
    items.push(readItem(reader))
    skip(reader)
  }
  return took(reader, ')') ? close(reader, items) : fail(reader)
}

function readSequence(reader: Reader, end: string): PythonValue {
  const items: PythonValue[] = []
  reader.at++
  reader.depth++
  for (;;) {
    skip(reader)
    if (took(reader, end)) return close(reader, items)
    items.push(readItem(reader))
    skip(reader)
    if (!took(reader, ',') && reader.text[reader.at] !== end) fail(reader)
  }
}

function readDict(reader: Reader): PythonValue {
  const dict = new Map<PythonValue, PythonValue>()
  reader.at++
  reader.depth++
  for (;;) {
    skip(reader)
    if (took(reader, '}')) return close(reader, dict)
    const key = readItem(reader)
    if (typeof key === 'object' && key !== null) fail(reader)
    skip(reader)
    if (dict.size === 0 && ',}'.includes(reader.text[reader.at] ?? 'x')) return readSet(reader, key)
    if (!took(reader, ':')) fail(reader)
    dict.set(key, readItem(reader))
    skip(reader)
    if (!took(reader, ',') && reader.text[reader.at] !== '}') fail(reader)
  }
}

function readSet(reader: Reader, first: PythonValue): PythonValue {
  const items = [first]
  while (took(reader, ',')) {
    skip(reader)
    if (reader.text[reader.at] === '}') break
    items.push(readItem(reader))
    skip(reader)
  }
  return took(reader, '}') ? close(reader, items) : fail(reader)
}

// A tuple without brackets: 1, 2
function readTail(reader: Reader, first: PythonValue): PythonValue {
  const items = [first]
  while (took(reader, ',')) {
    skip(reader)
    if (reader.at >= reader.text.length) break
    items.push(readItem(reader))
    skip(reader)
  }
  return reader.at < reader.text.length ? fail(reader) : items
}

function skip(reader: Reader): void {
  const blanks = reader.depth > 0 ? /(?:[ \t\f\r\n]|\\\r?\n|#[^\n]*)*/y : /(?:[ \t\f]|\\\r?\n|#[^\n]*)*/y
  blanks.lastIndex = reader.at
  reader.at += blanks.exec(reader.text)?.[0].length ?? 0
}

function take(reader: Reader, pattern: RegExp): RegExpExecArray | null {
  pattern.lastIndex = reader.at
  const found = pattern.exec(reader.text)
  if (found) reader.at += found[0].length
  return found
}

function took(reader: Reader, sign: string): boolean {
  if (reader.text[reader.at] !== sign) return false
  reader.at++
  return true
}

function close(reader: Reader, value: PythonValue): PythonValue {
  reader.depth--
  return value
}

function fail(reader: Reader): never {
  throw new SyntaxError(`No Python literal at character ${reader.at}.`)
}
