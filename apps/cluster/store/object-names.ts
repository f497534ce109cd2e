import { BackendError, UsageError } from '../../../src/core/errors.ts'
import { sha256 } from '../../../src/core/json.ts'
import { safePath } from '../../../src/store/archive/member.ts'

export const resultsPrefix = 'results/'
export const sourcesPrefix = 'sources/'

interface ResultName {
  video: string
  stage: string
  key: string
  attempt: string
}

// results/<video>/<stage>/<key>-<attempt>.tar
export function resultName({ video, stage, key, attempt }: ResultName): string {
  const attemptName = /^[a-z0-9]{8}$/.test(attempt) ? attempt : sha256(attempt).slice(0, 8)
  return `${resultsPrefix}${video}/${stage}/${key}-${attemptName}.tar`
}

export function resultNamed(name: string): ResultName | undefined {
  const match = /^results\/([\w-]+)\/([\w-]+)\/([\w-]+)-([a-z0-9]{8})\.tar$/.exec(name)
  const [, video, stage, key, attempt] = match ?? []
  return video && stage && key && attempt ? { video, stage, key, attempt } : undefined
}

export function sourceName(video: string): string {
  return `${sourcesPrefix}${video}`
}

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
