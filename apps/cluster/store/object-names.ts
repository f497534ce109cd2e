import { createHash } from 'node:crypto'

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
  return `${resultsPrefix}${video}/${stage}/${key}-${attempt8(attempt)}.tar`
}

export function resultNamed(name: string): ResultName | undefined {
  const match = /^results\/([\w-]+)\/([\w-]+)\/([\w-]+)-([a-z0-9]{8})\.tar$/.exec(name)
  const [, video, stage, key, attempt] = match ?? []
  return video && stage && key && attempt ? { video, stage, key, attempt } : undefined
}

export function sourceName(video: string): string {
  return `${sourcesPrefix}${video}`
}

function attempt8(attempt: string): string {
  return /^[a-z0-9]{8}$/.test(attempt) ? attempt : createHash('sha256').update(attempt).digest('hex').slice(0, 8)
}
