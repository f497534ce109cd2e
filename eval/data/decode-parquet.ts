import type { Compressors, FileMetaData, SchemaTree } from 'hyparquet'
import type { PythonValue } from '../python/value.ts'

// The rows of a Parquet file. Whole numbers and floats are told apart by the column's type; a list or a field that a struct
// lacks is null, as Python's readers have it.
export async function decodeParquet(file: string): Promise<PythonValue[]> {
  const { asyncBufferFromFile, parquetMetadataAsync, parquetReadObjects, parquetSchema } = await import('hyparquet')
  const { compressors } = await import('hyparquet-compressors')
  const source = await asyncBufferFromFile(file)
  const end = new DataView(await source.slice(Math.max(0, source.byteLength - 8), source.byteLength))
  if (end.byteLength === 8 && end.getUint32(0, true) > maxFooter) throw new Error('its footer has more than 64 MB')
  // Looking for maps among the columns never ends where the schema counts children below zero.
  const metadata = await parquetMetadataAsync(source, { geoparquet: false })
  const tree = parquetSchema(metadata)
  checkMetadata(metadata, tree, source.byteLength)
  const rows = await parquetReadObjects({ file: source, metadata, compressors: boundPages(compressors) })
  return rows.map(row => struct(row, tree.children))
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
    const [middle = node] = children
    const [inner = middle, ...others] = middle.children
    const item = others.length === 0 ? inner : middle
    return value.map(one => converted(one, element.repetition_type === 'REPEATED' && !isList(node) ? node : item))
  }
  const fields = value as Record<string, unknown>
  if (children.every(child => Object.hasOwn(fields, child.element.name) || child.children.length === 0))
    return struct(fields, children)
  const entry = children[0]?.children[1]
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

const maxRows = 1_000_000 // ten times the largest benchmark
const maxPageBytes = 1 << 28
const maxBytes = 500e6 // of all columns, packed or not
const maxFooter = 64e6

// Throws where what a file says of itself cannot be true. The library begins to read columns before it has looked at all of them,
// and an error in between would leave reads behind whose own errors end the process.
function checkMetadata(metadata: FileMetaData, tree: SchemaTree, bytes: number): void {
  let rows = 0
  let read = 0
  for (const [i, group] of metadata.row_groups.entries()) {
    rows += whole(group.num_rows, `rows of group ${i}`)
    for (const { meta_data: column, file_path } of group.columns) {
      if (!column || file_path) throw new Error(`group ${i} has a column that is not in the file`)
      const name = column.path_in_schema.join('.')
      if (!isLeaf(tree, column.path_in_schema)) throw new Error(`column "${name}" is not in its schema`)
      const start = whole(column.dictionary_page_offset || column.data_page_offset, `offset of column "${name}"`)
      const length = whole(column.total_compressed_size, `size of column "${name}"`)
      if (start + length > bytes) throw new Error(`column "${name}" ends after the file`)
      read += length
      whole(column.num_values, `values of column "${name}"`)
    }
  }
  if (rows > maxRows || whole(metadata.num_rows, 'rows') > maxRows)
    throw new Error(`it has more than ${maxRows.toLocaleString('en')} rows`)
  if (read > Math.min(bytes, maxBytes)) throw new Error(`its columns claim ${read} bytes`)
}

// A page says how long it will be, which is allocated before it is read.
function boundPages(compressors: Compressors): Compressors {
  let total = 0
  const bounded = Object.entries(compressors).map(([name, decompress]) => [
    name,
    (input: Uint8Array, length: number) => {
      if (whole(length, 'length of a page') > maxPageBytes) throw new Error(`a page claims ${length} bytes`)
      total += length
      if (total > maxBytes) throw new Error('its pages hold more than 500 MB')
      return decompress(input, length)
    },
  ])
  return Object.fromEntries(bounded)
}

function whole(value: number | bigint | undefined, what: string): number {
  const number = Number(value)
  if (!Number.isSafeInteger(number) || number < 0) throw new Error(`the ${what} are given as ${value}`)
  return number
}

function isLeaf(tree: SchemaTree, path: readonly string[]): boolean {
  let node: SchemaTree | undefined = tree
  for (const name of path) node = node?.children.find(child => child.element.name === name)
  return node !== undefined && node !== tree && node.children.length === 0
}
