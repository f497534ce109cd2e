import { Readable } from 'node:stream'
import type { Context } from 'hono'
import { Refused } from '../../../../src/core/api/problem.ts'
import type { Video } from '../../../../src/core/video.ts'
import { locateVideo } from '../../../../src/runtime/index/locate-video.ts'
import { filePolicy } from '../../../../src/runtime/index/plan-stages.ts'
import type { Upload } from '../../../../src/store/serve/uploads.ts'
import type { Serves } from '../mount.ts'
import { receiveForm } from '../upload.ts'
import { ModelError } from './errors.ts'
import type { ModelParts } from './parts.ts'

const prefix = 'file-'

// POST /v1/files
export async function receiveFile({ uploads }: ModelParts, { req, env }: Context<Serves>): Promise<Response> {
  const { signal } = req.raw
  const { upload, fields } = await receiveForm({ request: req.raw, incoming: env.incoming, uploads, signal })
  return Response.json(buildFileObject(upload, fields.get('purpose')))
}

// GET /v1/files
export async function listFiles({ uploads }: ModelParts): Promise<Response> {
  const data = (await uploads.list()).map(upload => buildFileObject(upload))
  return Response.json({ object: 'list', data, has_more: false, first_id: data[0]?.id, last_id: data.at(-1)?.id })
}

// GET /v1/files/ID
export async function readFile(parts: ModelParts, id: string): Promise<Response> {
  return Response.json(buildFileObject(await findUpload(parts, id)))
}

// DELETE /v1/files/ID
export async function deleteUploadedFile(parts: ModelParts, id: string): Promise<Response> {
  const upload = await findUpload(parts, id)
  const video = (await parts.served.runtime.library.list()).find(({ path }) => path === upload.path)
  if (video && parts.jobs.isBusy(video.id))
    throw new Refused('conflict', `${upload.name} is in use.`, 'Wait for its jobs, or cancel them.')
  await parts.uploads.remove(upload.id)
  return Response.json({ id, object: 'file', deleted: true })
}

// The video of a file that was sent; the library knows it from its first question on.
export async function videoOfFile(parts: ModelParts, id: string, signal: AbortSignal): Promise<Video> {
  const { library, settings } = parts.served.runtime
  const { path } = await findUpload(parts, id)
  return locateVideo(library, path, { ...filePolicy(settings.index), watch: () => {}, signal })
}

// A video in the request itself becomes an upload; the same one sent again is that upload.
export async function videoOfData(parts: ModelParts, data: string, signal: AbortSignal): Promise<Video> {
  const head = /^data:(?:video|audio|application)\/[\w.+-]{1,80};base64,/.exec(data)?.[0]
  if (head === undefined)
    throw new ModelError(400, 'video_url_unsupported', 'The data: address holds no video in base64.', {
      param: 'video_url',
      hint: 'Write it as data:video/mp4;base64,...',
    })
  const content = Buffer.from(data.slice(head.length), 'base64')
  const { id } = await parts.uploads.receive({ bytes: Readable.from([content]), length: content.length }, signal)
  return videoOfFile(parts, `${prefix}${id}`, signal)
}

async function findUpload({ uploads }: ModelParts, id: string): Promise<Upload> {
  const upload = id.startsWith(prefix) ? await uploads.find(id.slice(prefix.length)) : undefined
  if (upload) return upload
  throw new ModelError(404, 'file_not_found', `There is no file ${JSON.stringify(id.slice(0, 80))}.`, {
    param: 'file_id',
    hint: 'GET /v1/files lists them.',
  })
}

function buildFileObject({ id, bytes, name, created }: Upload, purpose = 'user_data') {
  const created_at = Math.floor(Date.parse(created) / 1000)
  return { id: `${prefix}${id}`, object: 'file', bytes, created_at, filename: name, purpose, status: 'processed' }
}
