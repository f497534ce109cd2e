import type { Compressors, FileMetaData, SchemaTree } from 'hyparquet'

const maxRows = 1_000_000 // ten times the largest benchmark
const maxPageBytes = 1 << 28

// Throws where what a file says of itself cannot be true. The library begins to read columns before it has looked at all of them,
// and an error in between would leave reads behind whose own errors end the process.
export function checkMetadata(metadata: FileMetaData, tree: SchemaTree, bytes: number): void {
  let rows = 0
  for (const [i, group] of metadata.row_groups.entries()) {
    rows += whole(group.num_rows, `rows of group ${i}`)
    for (const { meta_data: column, file_path } of group.columns) {
      if (!column || file_path) throw new Error(`group ${i} has a column that is not in the file`)
      const name = column.path_in_schema.join('.')
      if (!isLeaf(tree, column.path_in_schema)) throw new Error(`column "${name}" is not in its schema`)
      const start = whole(column.dictionary_page_offset || column.data_page_offset, `offset of column "${name}"`)
      const length = whole(column.total_compressed_size, `size of column "${name}"`)
      if (start + length > bytes) throw new Error(`column "${name}" ends after the file`)
      whole(column.num_values, `values of column "${name}"`)
    }
  }
  if (rows > maxRows || whole(metadata.num_rows, 'rows') > maxRows)
    throw new Error(`it has more than ${maxRows.toLocaleString('en')} rows`)
}

// A page says how long it will be, which is allocated before it is read.
export function boundPages(compressors: Compressors): Compressors {
  const bounded = Object.entries(compressors).map(([name, decompress]) => [
    name,
    (input: Uint8Array, length: number) => {
      if (whole(length, 'length of a page') > maxPageBytes) throw new Error(`a page claims ${length} bytes`)
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
