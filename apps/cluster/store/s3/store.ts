import type { IncomingMessage } from 'node:http'
import { Readable } from 'node:stream'
import { BackendError, type LongtakeError } from '../../../../src/core/errors.ts'
import type { ArtifactStore, StoredObject } from '../artifact-store.ts'
import { exactBytes } from '../object-bytes.ts'
import { MissingObject, splitObjectName } from '../object-names.ts'
import type { S3Bucket } from './address.ts'
import { type S3Client, type S3Timing, s3Client, usualTiming } from './client.ts'
import { isPassing, PassingFault } from './refusal.ts'
import { elementsIn, textIn } from './xml.ts'

interface S3Sizes {
  single: number // bytes from which an object is sent in parts; S3 takes 5 GB at once
  part: number
}

const usualSizes: S3Sizes = { single: 5e9, part: 64 << 20 }

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
      const first = await beginReading(client, keyOf(name), range)
      if (!first) throw new MissingObject(name, address)
      return Readable.from(readBytes(client, keyOf(name), first), { objectMode: false, highWaterMark: 1 << 20 })
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
  const seen = new Set<string>()
  for (let mark: string | undefined; ; ) {
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
    seen.add(mark)
  }
}

function noList({ bucket }: S3Client): LongtakeError {
  return new BackendError(`What the store ${bucket.address} answers is not a list of its objects.`, {
    hint: `Check that ${bucket.endpoint.host} is an S3 server: AWS_ENDPOINT_URL_S3.`,
  })
}

interface Begun {
  response: IncomingMessage
  at: number // of the object
  bytes: number // to come
}

async function beginReading(
  client: S3Client,
  key: string,
  range?: { start: number; end: number },
): Promise<Begun | undefined> {
  const headers: Record<string, string> = range ? { range: `bytes=${range.start}-${range.end - 1}` } : {}
  const response = await client.send({ method: 'GET', key, headers, accept: [404] })
  if (response.statusCode !== 404) return begun(client, response, range?.start ?? 0)
  response.resume()
  return undefined
}

// The body of an object. Where the connection is cut it goes on at the byte it had reached, of the same version of the object.
async function* readBytes(client: S3Client, key: string, first: Begun): AsyncIterable<Uint8Array> {
  const { at, bytes } = first
  const { etag } = first.response.headers
  let response: IncomingMessage | undefined = first.response
  let read = 0
  for (let faults = 0; ; ) {
    try {
      if (!response) {
        const headers = { range: `bytes=${at + read}-${at + bytes - 1}`, ...(etag && { 'if-match': etag }) }
        ;({ response } = begun(client, await client.send({ method: 'GET', key, headers }), at + read))
      }
      for await (const piece of response as AsyncIterable<Uint8Array>) {
        read += piece.length
        faults = 0
        yield piece
      }
      if (read < bytes) throw new PassingFault(`it ended after ${read} of ${bytes} bytes`)
      return
    } catch (error) {
      if (!isPassing(error) || ++faults > 5) throw faults > 5 ? cutShort(client, key, read, bytes, error) : error
      response = undefined
    }
  }
}

function begun({ bucket }: S3Client, response: IncomingMessage, at: number): Begun {
  const { 'content-length': length, 'content-range': range } = response.headers
  const from = Number(/^bytes (\d+)-/.exec(range ?? '')?.[1] ?? 0)
  if (length === undefined || from !== at)
    throw new BackendError(`The store ${bucket.address} does not give the part of an object that it is asked for.`, {
      hint: 'Its server must answer requests with a Range, and say how many bytes it sends.',
    })
  return { response, at, bytes: Number(length) }
}

function cutShort({ bucket }: S3Client, key: string, read: number, bytes: number, cause: unknown): BackendError {
  return new BackendError(
    `The store ${bucket.address} cuts ${key} off after ${read} of ${bytes} bytes, again and again.`,
    {
      hint: 'Check the server and the network between; finished work is kept.',
      retryable: true,
      cause,
    },
  )
}

const maxParts = 10_000

// Sends a large object part by part. A part is held in memory until the server has it: if one fails, only that one is sent again.
async function putInParts(client: S3Client, key: string, body: Readable, bytes: number, part: number) {
  const started = await client.sendForText({ method: 'POST', key, query: { uploads: '' }, body: toBody('') })
  const uploadId = textIn(started, 'UploadId')
  if (!uploadId) throw new BackendError(`The store ${client.bucket.address} begins no upload in parts for ${key}.`)
  const tags: string[] = []
  try {
    const size = Math.max(part, Math.ceil(bytes / maxParts))
    for await (const piece of cutInto(exactBytes(bytes, key)(body), size)) {
      const query = { partNumber: String(tags.length + 1), uploadId }
      const response = await client.send({ method: 'PUT', key, query, body: toBody(piece) })
      response.resume()
      tags.push(response.headers.etag ?? '')
    }
    const parts = tags.map((tag, at) => `<Part><PartNumber>${at + 1}</PartNumber><ETag>${escaped(tag)}</ETag></Part>`)
    const list = `<CompleteMultipartUpload>${parts.join('')}</CompleteMultipartUpload>`
    await client.sendForText({ method: 'POST', key, query: { uploadId }, body: toBody(list) })
  } catch (error) {
    await abandon(client, key, uploadId).catch(() => {}) // the sweep finds it; the first error is the one to report
    throw error
  }
}

// Uploads that were begun and neither completed nor given up: their parts take room and are in no list of objects.
async function* unfinishedUploads(client: S3Client, prefix: string) {
  for (let mark: Record<string, string> | undefined = {}; mark; ) {
    const page: string = await client.sendForText({ method: 'GET', query: { uploads: '', prefix, ...mark } })
    for (const entry of elementsIn(page, 'Upload')) {
      const name = textIn(entry, 'Key')
      const uploadId = textIn(entry, 'UploadId')
      if (!name?.startsWith(prefix) || !uploadId) continue
      const object: StoredObject = { name, bytes: 0, modified: new Date(textIn(entry, 'Initiated') ?? 0) }
      yield { ...object, remove: () => abandon(client, name, uploadId) }
    }
    const [key, id] = [textIn(page, 'NextKeyMarker'), textIn(page, 'NextUploadIdMarker')]
    const next =
      textIn(page, 'IsTruncated') === 'true' && key ? { 'key-marker': key, 'upload-id-marker': id ?? '' } : undefined
    mark = JSON.stringify(next) === JSON.stringify(mark) ? undefined : next
  }
}

async function abandon(client: S3Client, key: string, uploadId: string): Promise<void> {
  const response = await client.send({ method: 'DELETE', key, query: { uploadId }, accept: [404] })
  response.resume()
}

async function* cutInto(body: AsyncIterable<Uint8Array>, size: number): AsyncIterable<Buffer> {
  let chunks: Uint8Array[] = []
  let bytes = 0
  for await (let piece of body) {
    while (bytes + piece.length >= size) {
      const last = piece.subarray(0, size - bytes)
      yield Buffer.concat([...chunks, last])
      piece = piece.subarray(last.length)
      chunks = []
      bytes = 0
    }
    if (piece.length > 0) chunks.push(piece)
    bytes += piece.length
  }
  if (bytes > 0) yield Buffer.concat(chunks)
}

function toBody(content: string | Uint8Array) {
  const bytes = Buffer.from(content)
  return { open: () => Readable.from(bytes.length > 0 ? [bytes] : [], { objectMode: false }), bytes: bytes.length }
}

function escaped(text: string): string {
  return text.replace(/[&<>]/g, letter => `&#${letter.charCodeAt(0)};`)
}
