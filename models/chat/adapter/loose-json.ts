interface LooseValue {
  value: unknown
  end: number // where reading stopped
  cut: Cut
}

// Whether the text was truncated: inside a value, or with only closing brackets missing.
export type Cut = 'no' | 'brackets' | 'value'

// Reads one JSON value as models write it: single or curly quotes, bare keys, trailing commas, comments, True and None,
// line breaks in strings, brackets left open at the end. Undefined if no value starts there.
export function looseJson(text: string, at = 0): LooseValue | undefined {
  const reader: Reader = { text, at, cut: 'no' }
  skip(reader)
  const value = readValue(reader, 0)
  return value === nothing ? undefined : { value, end: Math.min(reader.at, text.length), cut: reader.cut }
}

interface Reader {
  text: string
  at: number
  cut: Cut
}

const nothing = Symbol('nothing')
const maxDepth = 64
const quotes: Record<string, string> = { '"': '"', "'": "'", '“': '”', '‘': '’' }
const words: Record<string, unknown> = {
  true: true,
  True: true,
  false: false,
  False: false,
  null: null,
  None: null,
  undefined: null,
  NaN: null,
}

function readValue(reader: Reader, depth: number): unknown {
  if (depth > maxDepth) return nothing
  const character = reader.text[reader.at]
  if (character === '{') return readObject(reader, depth)
  if (character === '[') return readArray(reader, depth)
  if (character !== undefined && character in quotes) return readString(reader)
  return readWord(reader)
}

function readObject(reader: Reader, depth: number): unknown {
  const object: Record<string, unknown> = {}
  reader.at++
  for (;;) {
    skip(reader, ',')
    if (reader.at >= reader.text.length) return unfinished(reader, object, 'brackets')
    if (reader.text[reader.at] === '}') return close(reader, object)
    const key = readKey(reader)
    skip(reader)
    if (reader.at >= reader.text.length) return unfinished(reader, object, 'value')
    if (key === undefined || reader.text[reader.at] !== ':') return nothing
    reader.at++
    skip(reader)
    if (reader.at >= reader.text.length) return unfinished(reader, object, 'value')
    const value = readValue(reader, depth + 1)
    if (value === nothing) return nothing
    Object.defineProperty(object, key, { value, enumerable: true, writable: true, configurable: true })
    if (reader.cut !== 'no') return object
  }
}

function readArray(reader: Reader, depth: number): unknown {
  const list: unknown[] = []
  reader.at++
  for (;;) {
    skip(reader, ',')
    if (reader.at >= reader.text.length) return unfinished(reader, list, 'brackets')
    if (reader.text[reader.at] === ']') return close(reader, list)
    const value = readValue(reader, depth + 1)
    if (value === nothing) return nothing
    list.push(value)
    if (reader.cut !== 'no') return list
  }
}

function readKey(reader: Reader): string | undefined {
  if ((reader.text[reader.at] ?? '') in quotes) return readString(reader)
  const bare = /[\p{L}_$][\p{L}\p{N}_$-]*/uy
  bare.lastIndex = reader.at
  const match = bare.exec(reader.text)
  if (match) reader.at += match[0].length
  return match?.[0]
}

function readString(reader: Reader): string {
  const { text } = reader
  const end = quotes[text[reader.at++] ?? '']
  let value = ''
  while (reader.at < text.length) {
    const character = text[reader.at++]
    if (character === end) return value
    if (character !== '\\') value += character
    else value += readEscape(reader)
  }
  return unfinished(reader, value, 'value')
}

const escapes: Record<string, string> = { n: '\n', t: '\t', r: '\r', b: '\b', f: '\f' }

function readEscape(reader: Reader): string {
  const character = reader.text[reader.at++] ?? ''
  if (character !== 'u') return escapes[character] ?? character
  const hex = reader.text.slice(reader.at, reader.at + 4)
  if (!/^[\da-f]{4}$/i.test(hex)) return 'u'
  reader.at += 4
  return String.fromCharCode(Number.parseInt(hex, 16))
}

function readWord(reader: Reader): unknown {
  const word = /[-+]?(?:\d[\d_]*\.?\d*(?:[eE][-+]?\d+)?|\.\d+|[A-Za-z]+)/y
  word.lastIndex = reader.at
  const match = word.exec(reader.text)?.[0]
  if (match === undefined) return nothing
  const isNumber = /\d/.test(match)
  if (!isNumber && !Object.hasOwn(words, match)) return nothing
  reader.at += match.length
  if (reader.at >= reader.text.length && isNumber) reader.cut = 'value' // 12 may be the beginning of 120
  return isNumber ? Number(match.replaceAll('_', '')) : words[match]
}

function close<T>(reader: Reader, value: T): T {
  reader.at++
  return value
}

function unfinished<T>(reader: Reader, value: T, cut: Cut): T {
  if (reader.cut === 'no') reader.cut = cut
  return value
}

// Skips white space, comments and the given characters.
function skip(reader: Reader, also = ''): void {
  for (;;) {
    const character = reader.text[reader.at]
    if (character === undefined) return
    if (/\s/.test(character) || (also !== '' && also.includes(character))) reader.at++
    else if (reader.text.startsWith('//', reader.at)) reader.at = after(reader, '\n')
    else if (reader.text.startsWith('/*', reader.at)) reader.at = after(reader, '*/')
    else return
  }
}

function after(reader: Reader, mark: string): number {
  const markAt = reader.text.indexOf(mark, reader.at)
  return markAt < 0 ? reader.text.length : markAt + mark.length
}
