import { contentHash } from '../../../src/core/json.ts'
import type { SearchQuery } from '../../../src/core/video.ts'
import type { FinishedWork } from '../../../src/runtime/index/finished-index.ts'
import type { Models } from '../../../src/runtime/models/models.ts'
import { spaceName } from './shot-table.ts'

// The version of a space of vectors: the encoder's backend with its settings.
export async function encoderVersion(models: Models): Promise<string> {
  return contentHash(await models.chosen('embedImage')).slice(0, 12)
}

// The query as a vector of the encoder that is set here; undefined if there is none, or if it cannot express the query.
export async function pictureQuery({ models, signal }: FinishedWork, { query, tracks }: SearchQuery) {
  if (models.isOff('embedImage') || (tracks && !tracks.includes('picture'))) return undefined
  const { by, service } = await models.open('embedImage')
  const vector = (await service.text([query], signal))[0]
  if (!vector) return undefined
  return { space: spaceName({ by, version: await encoderVersion(models), dimensions: vector.length }), vector }
}
