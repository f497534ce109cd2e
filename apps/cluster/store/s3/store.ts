import { Readable } from 'node:stream'
import { BackendError, type LongtakeError } from '../../../../src/core/errors.ts'
import type { ArtifactStore, StoredObject } from '../artifact-store.ts'
import { MissingObject, splitObjectName } from '../object-name.ts'
import type { S3Bucket } from './address.ts'
import { type S3Client, type S3Timing, s3Client, usualTiming } from './client.ts'
import { putInParts, unfinishedUploads } from './multipart.ts'
import { readOn } from './read-on.ts'
import { elementsIn, textIn } from './xml.ts'

export interface S3Sizes {
  single: number // bytes from which an object is sent in parts; S3 takes 5 GB at once
  part: number
}

export const usualSizes: S3Sizes = { single: 5e9, part: 64 << 20 }

// A bucket of Amazon's or of a server that speaks the same: objects, ranges, pages of a list, uploads in parts, and nothing else.
export async function openS3Store(
  bucket: S3Bucket,
  { timing = usualTiming, sizes = usualSizes }: { timing?: S3Timing; sizes?: S3Sizes } = {},
): Promise<ArtifactStore> {
  const client = await s3Client(bucket, timing)
  const { prefix, address } = bucket
  const keyOf = (name: string) => prefix + splitObjectName(name).join('/')
  const nameOf = ({ name, ...rest }: StoredObject) => ({ ...rest, name: name.slice(prefix.length) })

  return {
    address,
    async put(name, body, bytes) {
      const key = keyOf(name)
      if (bytes >= sizes.single) return putInParts(client, key, body(), bytes, sizes.part)
      const response = await client.send({ method: 'PUT', key, body: { open: body, bytes } })
      response.resume()
    },
    async get(name, range) {
      if (range && range.end <= range.start) throw new RangeError(`The range ${range.start}-${range.end} is empty.`)
      const first = await readOn.begin(client, keyOf(name), range)
      if (!first) throw new MissingObject(name, address)
      return Readable.from(readOn.bytes(client, keyOf(name), first), { objectMode: false, highWaterMark: 1 << 20 })
    },
    async head(name) {
      const response = await client.send({ method: 'HEAD', key: keyOf(name), accept: [404] })
      response.resume()
      if (response.statusCode === 404) return undefined
      const { 'content-length': length, 'last-modified': modified } = response.headers
      if (length === undefined) throw new BackendError(`The store ${address} does not say how large ${name} is.`)
      return { bytes: Number(length), modified: new Date(modified ?? 0) }
    },
    async *list(under) {
      for await (const listed of pages(client, prefix + under)) yield nameOf(listed)
    },
    async remove(name) {
      const response = await client.send({ method: 'DELETE', key: keyOf(name), accept: [404] })
      response.resume()
    },
    async *unfinished() {
      for await (const upload of unfinishedUploads(client, prefix)) yield { ...upload, ...nameOf(upload) }
    },
  }
}

// A thousand names a page; a page that repeats its mark would be asked for without end.
async function* pages(client: S3Client, prefix: string): AsyncIterable<StoredObject> {
  for (let mark: string | undefined, seen = new Set<string>(); ; ) {
    const query = { 'list-type': '2', prefix, ...(mark !== undefined && { 'continuation-token': mark }) }
    const page = await client.sendForText({ method: 'GET', query })
    if (!page.includes('<ListBucketResult')) throw noList(client)
    for (const entry of elementsIn(page, 'Contents')) {
      const name = textIn(entry, 'Key')
      if (name?.startsWith(prefix) && !name.endsWith('/'))
        yield { name, bytes: Number(textIn(entry, 'Size')), modified: new Date(textIn(entry, 'LastModified') ?? 0) }
    }
    mark = textIn(page, 'IsTruncated') === 'true' ? textIn(page, 'NextContinuationToken') : undefined
    if (mark === undefined) return
    if (seen.has(mark)) throw noList(client)
    seen = new Set([...seen, mark])
  }
}

function noList({ bucket }: S3Client): LongtakeError {
  return new BackendError(`What the store ${bucket.address} answers is not a list of its objects.`, {
    hint: `Check that ${bucket.endpoint.host} is an S3 server: AWS_ENDPOINT_URL_S3.`,
  })
}
