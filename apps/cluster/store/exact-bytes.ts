import { BackendError } from '../../../src/core/errors.ts'

// Passes a body on, and fails at its end where it has not just as many bytes as were promised.
export function exactBytes(bytes: number, name: string) {
  return async function* (body: AsyncIterable<Uint8Array>): AsyncIterable<Uint8Array> {
    let seen = 0
    for await (const piece of body) {
      seen += piece.length
      if (seen > bytes) break
      yield piece
    }
    if (seen !== bytes)
      throw new BackendError(`${name} has ${seen > bytes ? 'more than' : `${seen} in place of`} ${bytes} bytes.`, {
        hint: 'Something wrote to it while it was sent; run the same command again.',
      })
  }
}
