import { extname } from 'node:path'
import { errorText, UsageError } from '../../src/core/errors.ts'
import { readBoundedText } from '../../src/core/machine/read-bounded.ts'
import { parsePlainJson, parsePythonJson } from '../python/json.ts'
import { type PythonValue, toPlain } from '../python/value.ts'
import { parseTable } from './table.ts'

// The records of an annotation file as distributed: a JSON array, JSON lines, a table with a header line, Parquet.
// Another format is one line here.
const formats: Record<string, (file: string) => Promise<PythonValue[]>> = {
  '.json': fromText((text, file) => asList(parse(text, file))),
  '.jsonl': fromText(parseLines),
  '.ndjson': fromText(parseLines),
  '.tsv': fromText(text => rows(text, '\t')),
  '.csv': fromText(text => rows(text, ',')),
  '.parquet': async file => (await import('./parquet.ts')).readParquet(file),
}

// Records with whole numbers and floats kept apart, for scorers that compare what Python prints.
export async function readExactRecords(file: string): Promise<PythonValue[]> {
  const format = formats[extname(file).toLowerCase()]
  if (!format) throw unreadable(file)
  return format(file)
}

export async function readRecords(file: string): Promise<unknown[]> {
  const content = await readDataFile(file)
  return Array.isArray(content) ? content : [content]
}

// A JSON file as it is, other files as the list of their records.
export async function readDataFile(file: string): Promise<unknown> {
  if (extname(file).toLowerCase() !== '.json') return (await readExactRecords(file)).map(toPlain)
  const text = await readText(file)
  try {
    return parsePlainJson(text)
  } catch (error) {
    throw broken(file, error)
  }
}

export function isRecordFile(name: string): boolean {
  return Object.hasOwn(formats, extname(name).toLowerCase())
}

function fromText(parseText: (text: string, file: string) => PythonValue[]): (file: string) => Promise<PythonValue[]> {
  return async file => parseText(await readText(file), file)
}

function rows(text: string, separator: string): PythonValue[] {
  return parseTable(text, separator).map(row => new Map(Object.entries(row)))
}

async function readText(file: string): Promise<string> {
  return (await readBoundedText(file, 500e6)).replace(/^\ufeff/, '')
}

function parse(text: string, file: string): PythonValue {
  try {
    return parsePythonJson(text)
  } catch (error) {
    throw broken(file, error)
  }
}

function parseLines(text: string, file: string): PythonValue[] {
  return text
    .split('\n')
    .map((line, index) => ({ line, place: `${file}, line ${index + 1}` }))
    .filter(({ line }) => line.trim() !== '')
    .map(({ line, place }) => parse(line, place))
}

function asList(value: PythonValue): PythonValue[] {
  return Array.isArray(value) ? value : [value]
}

function unreadable(file: string): UsageError {
  const packed = /\.(?:zip|tar|gz|tgz|7z|rar)$/i.test(file)
  return new UsageError(`${file} cannot be read as annotations.`, {
    hint: packed ? 'Unpack it first and name the folder.' : `Readable are ${Object.keys(formats).join(', ')}.`,
  })
}

function broken(file: string, cause: unknown): UsageError {
  return new UsageError(`${file} is not JSON: ${errorText(cause)}`, {
    hint: 'The file looks cut short or is of another format; fetch it again.',
    cause,
  })
}
