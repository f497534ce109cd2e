import { BackendError, UsageError } from '../../../src/core/errors.ts'
import { safePath } from '../../../src/store/archive/member.ts'

// The parts of an object's name: none leaves the folder or the bucket's prefix, and none is a temporary file's.
export function splitObjectName(name: string): string[] {
  const parts = safePath(name)
  if (!parts || parts.some(part => part.startsWith('.')) || parts.join('/') !== name)
    throw new UsageError(`${JSON.stringify(name)} is not the name of an object in a store.`, {
      hint: 'Names are parts between slashes, as "results/v0/speech/key.tar"; no part begins with a dot.',
    })
  return parts
}

export class MissingObject extends BackendError {
  constructor(name: string, address: string, cause?: unknown) {
    super(`${name} is not in the store ${address}.`, {
      hint: 'Run "longtake cluster adopt" to make the rows fit what the store holds.',
      cause,
    })
  }
}
