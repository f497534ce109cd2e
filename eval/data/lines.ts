import { createReadStream } from 'node:fs'
import { stat } from 'node:fs/promises'
import { absentAs, UsageError } from '../../src/core/errors.ts'

// The lines of a text file, one at a time. They end at \n alone: node's readline would also cut at the U+2028 that a JSON
// string may hold as it is.
export async function* fileLines(path: string): AsyncIterable<string> {
  if (!(await stat(path).catch(absentAs(undefined)))?.isFile())
    throw new UsageError(`There is no file at ${path}.`, { hint: 'Name a file of JSON lines.' })
  let rest = ''
  let first = true
  for await (const read of createReadStream(path, 'utf8')) {
    const piece: string = first ? String(read).replace(/^\ufeff/, '') : read
    first = false
    const lines = (rest + piece).split('\n')
    rest = lines.pop() ?? ''
    yield* lines
  }
  if (rest !== '') yield rest
}

export async function* linesOf(texts: Iterable<unknown>): AsyncIterable<string> {
  for (const value of texts) yield typeof value === 'string' ? value : JSON.stringify(value)
}
