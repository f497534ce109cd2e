import type { IncomingMessage } from 'node:http'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { ReadableStream } from 'node:stream/web'
import { Busboy, type BusboyHeaders } from '@fastify/busboy'
import { linkSignals } from '../../../src/core/basics/signals.ts'
import { UsageError } from '../../../src/core/errors.ts'
import type { Sent, Upload, Uploads } from '../../../src/store/serve/uploads.ts'
import { limitPauses } from './body-time.ts'

interface Door {
  request: Request // context.req.raw
  incoming: IncomingMessage // context.env.incoming
  uploads: Uploads
  signal: AbortSignal // the client has gone, or the server ends
}

interface ReceivedForm {
  upload: Upload
  fields: ReadonlyMap<string, string> // the last of each name
}

// The body itself is the file.
export function rawBody({ request, incoming }: Pick<Door, 'request' | 'incoming'>): Pick<Sent, 'bytes' | 'length'> {
  if (/^multipart\//i.test(request.headers.get('content-type') ?? ''))
    throw new UsageError('The body must be the bytes of the file, not a form.')
  limitPauses(incoming)
  const length = Number(request.headers.get('content-length') ?? Number.NaN)
  return { bytes: openBody(request), ...(Number.isSafeInteger(length) && { length }) }
}

const limits = { files: 1, fields: 20, parts: 21, fieldNameSize: 100, fieldSize: 10_000, headerPairs: 50 }

// One file and some fields, as multipart/form-data. The file goes to the disk as it comes.
export async function receiveForm({ request, incoming, uploads, signal }: Door): Promise<ReceivedForm> {
  const type = request.headers.get('content-type') ?? ''
  if (!/^multipart\/form-data\s*;/i.test(type))
    throw new UsageError('The body must be a form with a file.', { hint: 'Send multipart/form-data.' })
  const form = formParser(type)
  const fields = new Map<string, string>()
  const link = linkSignals(signal)
  let received: Promise<Upload> | undefined
  let cut: UsageError | undefined
  const endEarly = (cause: Error) => {
    if (link.signal.aborted) return
    cut = new UsageError('The form ended early.', { cause })
    link.abort(cut)
  }
  const refuse = (message: string) => {
    cut ??= new UsageError(message)
    link.abort(cut)
  }
  form.on('error', endEarly)
  form.on('filesLimit', () => refuse('The form must hold one file, and it holds more.'))
  form.on('fieldsLimit', () => refuse(`The form may have ${limits.fields} fields at most.`))
  form.on('partsLimit', () => refuse(`The form may have ${limits.parts} parts at most.`))
  form.on('field', (name, value) => fields.set(name, value))
  form.on('file', (_field, bytes, name) => {
    bytes.on('error', endEarly) // maybe before anybody reads it: without a listener it would end the server
    received = uploads.receive({ bytes, name }, link.signal)
    link.signal.addEventListener('abort', () => bytes.destroy(), { once: true }) // else its reader waits for ever
    received.catch(error => link.abort(error)) // nothing takes the rest of the form then
  })
  limitPauses(incoming)
  try {
    await pipeline(Readable.from(openBody(request)), form, { signal: link.signal })
    if (!received) throw new UsageError('The form holds no file.')
    return { upload: await received, fields }
  } catch (error) {
    link.abort(error)
    const refused = await received?.then(
      () => undefined,
      why => why,
    )
    if (signal.aborted && !cut) throw new UsageError('The form ended early.', { cause: error })
    throw cut ?? refused ?? error // why it was refused says more than that the form was cut off
  } finally {
    link.clear()
  }
}

function formParser(type: string) {
  try {
    return new Busboy({ headers: { 'content-type': type } as BusboyHeaders, limits })
  } catch (cause) {
    throw new UsageError('The form cannot be read: its content type names no boundary.', { cause })
  }
}

function openBody(request: Request): AsyncIterable<Uint8Array> {
  return (request.body ?? Readable.toWeb(Readable.from([]))) as ReadableStream<Uint8Array>
}
