import type { Finding } from '../../../src/core/evidence.ts'

// Whisper may fall into a loop and write one line again and again; two of the same in a row are all that is kept.
export async function* withoutLoops(lines: AsyncIterable<Finding>): AsyncGenerator<Finding> {
  let last = ''
  let times = 0
  for await (const line of lines) {
    const said = line.text
      .toLowerCase()
      .replace(/[^\p{L}\p{N}]+/gu, ' ')
      .trim()
    times = said === last ? times + 1 : 1
    last = said
    if (times <= 2) yield line
  }
}
