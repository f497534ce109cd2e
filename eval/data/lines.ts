import { createReadStream } from 'node:fs'
import { stat } from 'node:fs/promises'
import { absentAs, UsageError } from '../../src/core/errors.ts'

const longestLine = 64e6

// The lines of a text file, one at a time. Only \n ends a line: Node's readline would also cut at a U+2028 inside a JSON string.
export async function* fileLines(path: string): AsyncIterable<string> {
  if (!(await stat(path).catch(absentAs(undefined)))?.isFile())
    throw new UsageError(`There is no file at ${path}.`, { hint: 'Name a file of JSON lines.' })
  let rest: string[] = [] // the pieces of a line that has not ended: each is looked at once
  let size = 0
  let first = true
  for await (const read of createReadStream(path, 'utf8')) {
    const piece: string = first ? String(read).replace(/^\ufeff/, '') : read
    first = false
    const [begun = '', ...lines] = piece.split('\n')
    rest.push(begun)
    size += begun.length
    const last = lines.pop()
    if (last !== undefined) {
      yield rest.join('')
      yield* lines
      rest = [last]
      size = last.length
    }
    if (size > longestLine) throw new UsageError(`${path} has a line of more than ${longestLine} characters.`)
  }
  if (size > 0) yield rest.join('')
}

export async function* writeJsonLines(texts: Iterable<unknown>): AsyncIterable<string> {
  for (const value of texts) yield typeof value === 'string' ? value : JSON.stringify(value)
}
