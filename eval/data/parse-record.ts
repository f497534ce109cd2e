import { z } from 'zod'
import { UsageError } from '../../src/core/errors.ts'
import { parsePlainJson } from '../python/json.ts'
import { parseLiteral } from '../python/literal.ts'
import { toPlain } from '../python/value.ts'
import { readRecords } from './records.ts'

// All records of the files, by their schema.
export async function parsedRecords<Schema extends z.ZodType>(
  schema: Schema,
  benchmark: string,
  files: readonly string[],
): Promise<z.infer<Schema>[]> {
  const records: z.infer<Schema>[] = []
  for (const file of files)
    for (const [i, value] of (await readRecords(file)).entries())
      records.push(parseRecord(schema, value, benchmark, `${file}, record ${i}`))
  return records
}

// A record by its schema; where it does not fit, the error names the field and lists what the record holds.
export function parseRecord<Schema extends z.ZodType>(
  schema: Schema,
  value: unknown,
  benchmark: string,
  place: string,
): z.infer<Schema> {
  const parsed = schema.safeParse(value)
  if (parsed.success) return parsed.data
  const holds = value && typeof value === 'object' ? Object.keys(value).join(', ') : typeof value
  throw new UsageError(`${place} is not a record of ${benchmark}: ${explainFirstIssue(parsed.error, 'record')}.`, {
    hint: `It holds: ${holds}. "longtake bench show ${benchmark}" says which file is expected.`,
  })
}

// "field: what is wrong with it"; `whole` names what is wrong as a whole.
export function explainFirstIssue({ issues }: z.ZodError, whole: string): string {
  return issues
    .slice(0, 1)
    .map(({ path, message }) => `${path.join('.') || whole}: ${message}`)
    .join()
}

// A list, also where a table holds it as text: JSON, or as Python writes it.
export function listField<Item extends z.ZodType>(item: Item) {
  return z.preprocess(value => (typeof value === 'string' ? fromText(value) : value), z.array(item))
}

function fromText(text: string): unknown {
  for (const parse of [parsePlainJson, (value: string) => toPlain(parseLiteral(value))]) {
    try {
      return parse(text)
    } catch {}
  }
  return text
}
