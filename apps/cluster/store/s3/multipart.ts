import { Readable } from 'node:stream'
import { BackendError } from '../../../../src/core/errors.ts'
import type { StoredObject } from '../artifact-store.ts'
import { exactBytes } from '../exact-bytes.ts'
import type { S3Client } from './client.ts'
import { elementsIn, textIn } from './xml.ts'

const maxParts = 10_000

// Sends a large object part by part. A part is held in memory until the server has it, so that one that fails is sent again alone.
export async function putInParts(client: S3Client, key: string, body: Readable, bytes: number, part: number) {
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
export async function* unfinishedUploads(client: S3Client, prefix: string) {
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
