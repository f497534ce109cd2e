import { readFile } from 'node:fs/promises'
import { extname } from 'node:path'
import { errorText, UsageError } from '../../src/core/errors.ts'
import { parseJson, parsePlainJson } from '../python/json.ts'
import { type PythonValue, plain } from '../python/value.ts'
import { parseTable } from './table.ts'

// The records of an annotation file as distributed: a JSON array, JSON lines, a table with a header line.
// Another format is one line here.
const formats: Record<string, (text: string, file: string) => PythonValue[]> = {
  '.json': (text, file) => asList(parse(text, file)),
  '.jsonl': parseLines,
  '.ndjson': parseLines,
  '.tsv': text => parseTable(text, '\t').map(row => new Map(Object.entries(row))),
  '.csv': text => parseTable(text, ',').map(row => new Map(Object.entries(row))),
}

const notYet: Record<string, string> = {
  '.parquet': `Turn it into JSON lines first, e.g. duckdb -c "COPY (FROM 'in.parquet') TO 'out.jsonl' (FORMAT json)".`,
  '.zip': 'Unpack it first and name the folder.',
  '.tar': 'Unpack it first and name the folder.',
  '.gz': 'Unpack it first and name the folder.',
}

// Records with whole numbers and floats kept apart, for scorers that compare what Python prints.
export async function readExactRecords(file: string): Promise<PythonValue[]> {
  const format = formats[extname(file).toLowerCase()]
  if (!format) throw unreadable(file)
  return format(await readText(file), file)
}

export async function readRecords(file: string): Promise<unknown[]> {
  if (extname(file).toLowerCase() !== '.json') return (await readExactRecords(file)).map(plain)
  const text = await readText(file)
  try {
    const value = parsePlainJson(text)
    return Array.isArray(value) ? value : [value]
  } catch (error) {
    throw broken(file, error)
  }
}

// Whether the name is that of a file of records, one that must be converted first included.
export function isRecordFile(name: string): boolean {
  const extension = extname(name).toLowerCase()
  return extension in formats || extension === '.parquet'
}

async function readText(file: string): Promise<string> {
  return (await readFile(file, 'utf8')).replace(/^\ufeff/, '')
}

function parse(text: string, file: string): PythonValue {
  try {
    return parseJson(text)
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
  const extension = extname(file).toLowerCase()
  return new UsageError(`${file} cannot be read as annotations.`, {
    hint: notYet[extension] ?? `Readable are ${Object.keys(formats).join(', ')}.`,
  })
}

function broken(file: string, cause: unknown): UsageError {
  return new UsageError(`${file} is not JSON: ${errorText(cause)}`, {
    hint: 'The file looks cut short or is of another format; fetch it again.',
    cause,
  })
}
