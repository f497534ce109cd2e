import type { SchemaTree } from 'hyparquet'
import { errorText, UsageError } from '../../src/core/errors.ts'
import type { PythonValue } from '../python/value.ts'
import { boundPages, checkMetadata } from './parquet-metadata.ts'

// The rows of a Parquet file. Whole numbers and floats are told apart by the column's type; a list or a field that a struct
// lacks is null, as Python's readers have it.
export async function readParquet(file: string): Promise<PythonValue[]> {
  const { asyncBufferFromFile, parquetMetadataAsync, parquetReadObjects, parquetSchema } = await import('hyparquet')
  const { compressors } = await import('hyparquet-compressors')
  try {
    const source = await asyncBufferFromFile(file)
    // Looking for maps among the columns never ends where the schema counts children below zero.
    const metadata = await parquetMetadataAsync(source, { geoparquet: false })
    const tree = parquetSchema(metadata)
    checkMetadata(metadata, tree, source.byteLength)
    const rows = await parquetReadObjects({ file: source, metadata, compressors: boundPages(compressors) })
    return rows.map(row => struct(row, tree.children))
  } catch (error) {
    throw new UsageError(`${file} is not Parquet that can be read: ${errorText(error)}.`, {
      hint: 'The file looks cut short or is of another format; fetch it again.',
      cause: error,
    })
  }
}

function struct(row: Record<string, unknown>, children: readonly SchemaTree[]): PythonValue {
  return new Map(children.map(child => [child.element.name, converted(row[child.element.name], child)]))
}

// A list's items lie two levels below it ("list", "element"), a map's below "key_value"; some writers leave the middle level out.
function converted(value: unknown, node: SchemaTree): PythonValue {
  if (value === null || value === undefined) return null
  const { children, element } = node
  if (children.length === 0) return leaf(value, element.type)
  if (Array.isArray(value)) {
    const [middle] = children
    const item = middle.children.length === 1 ? middle.children[0] : middle
    return value.map(one => converted(one, element.repetition_type === 'REPEATED' && !isList(node) ? node : item))
  }
  const fields = value as Record<string, unknown>
  if (children.every(child => Object.hasOwn(fields, child.element.name) || child.children.length === 0))
    return struct(fields, children)
  const entry = children[0].children[1]
  return new Map(Object.entries(fields).map(([key, item]) => [key, entry ? converted(item, entry) : leaf(item)]))
}

function isList({ element }: SchemaTree): boolean {
  return element.converted_type === 'LIST' || element.logical_type?.type === 'LIST'
}

function leaf(value: unknown, type?: string): PythonValue {
  if (Array.isArray(value)) return value.map(item => leaf(item, type))
  if (value === null || value === undefined) return null
  if (typeof value === 'number') return type === 'FLOAT' || type === 'DOUBLE' ? value : BigInt(value)
  if (typeof value === 'bigint' || typeof value === 'string' || typeof value === 'boolean') return value
  if (value instanceof Date) return value.toISOString()
  if (value instanceof Uint8Array) return Buffer.from(value).toString('base64')
  return JSON.stringify(value)
}
