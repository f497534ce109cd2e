import { createHash, createHmac, timingSafeEqual } from 'node:crypto'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

// An S3 server in memory: objects, ranges, lists in pages, uploads in parts. It checks every signature, and can lie.
export interface S3Server {
  url: string
  keys: { AWS_ACCESS_KEY_ID: string; AWS_SECRET_ACCESS_KEY: string; AWS_ENDPOINT_URL_S3: string }
  objects: Map<string, { bytes: Buffer; modified: Date }>
  uploads: Map<string, { name: string; parts: Map<number, Buffer>; begun: Date }>
  requests: string[]
  faults: {
    busy: number // so many answers are 503
    cut: number // so many bodies end in the middle
    cutAt: number // share of the body
    stale: Set<string> // names that no list shows yet
    wrongBytes: boolean // one byte of each body is another
    completesWithError: number // answers of status 200 that hold an error
    endless: boolean // a list that says of every page that it is not the last
  }
  close(): Promise<void>
}

const secret = 'a-secret-of-the-tests'

export async function s3Server({ page = 1000, host = '127.0.0.1', port = 0 } = {}): Promise<S3Server> {
  const objects: S3Server['objects'] = new Map()
  const uploads: S3Server['uploads'] = new Map()
  const requests: string[] = []
  const faults: S3Server['faults'] = {
    ...{
      busy: 0,
      cut: 0,
      cutAt: 0.5,
      stale: new Set<string>(),
      wrongBytes: false,
      completesWithError: 0,
      endless: false,
    },
  }

  const handle = async (request: IncomingMessage, response: ServerResponse) => {
    const url = new URL(request.url ?? '/', 'http://host')
    requests.push(`${request.method} ${url.pathname}${url.search}`)
    const body = await bytesOf(request)
    if (faults.busy > 0) {
      faults.busy--
      return answer(response, 503, errorOf('SlowDown'))
    }
    if (!isSigned(request, url)) return answer(response, 403, errorOf('SignatureDoesNotMatch', secret))
    const [, bucket = '', ...rest] = url.pathname.split('/').map(decodeURIComponent)
    if (bucket !== 'bucket') return answer(response, 404, errorOf('NoSuchBucket'))
    const name = rest.join('/')
    const upload = uploads.get(url.searchParams.get('uploadId') ?? '')
    if (name === '') return list(response, url)
    if (request.method === 'POST' && url.searchParams.has('uploads')) {
      const id = `upload-${uploads.size + 1}`
      uploads.set(id, { name, parts: new Map(), begun: new Date() })
      return answer(
        response,
        200,
        `<InitiateMultipartUploadResult><UploadId>${id}</UploadId></InitiateMultipartUploadResult>`,
      )
    }
    if (url.searchParams.has('uploadId') && !upload) return answer(response, 404, errorOf('NoSuchUpload'))
    if (upload && request.method === 'PUT') {
      upload.parts.set(Number(url.searchParams.get('partNumber')), body)
      return answer(response, 200, '', { etag: `"${md5(body)}"` })
    }
    if (upload) uploads.delete(url.searchParams.get('uploadId') ?? '')
    if (upload && request.method === 'POST') {
      if (faults.completesWithError-- > 0) return answer(response, 200, errorOf('InternalError'))
      const asked = [...body.toString().matchAll(/<PartNumber>(\d+)<\/PartNumber>/g)].map(([, n]) => Number(n))
      const parts = asked.map(n => upload.parts.get(n) ?? Buffer.alloc(0))
      objects.set(name, { bytes: Buffer.concat(parts), modified: new Date() })
      return answer(response, 200, '<CompleteMultipartUploadResult></CompleteMultipartUploadResult>')
    }
    if (request.method === 'PUT') {
      if (body.length !== Number(request.headers['content-length'])) return
      objects.set(name, { bytes: body, modified: new Date() }) // If-None-Match is ignored, as by many servers
      return answer(response, 200, '', { etag: `"${md5(body)}"` })
    }
    if (request.method === 'DELETE') {
      if (!upload) objects.delete(name)
      return answer(response, 204, '')
    }
    return give(request, response, name)
  }

  const give = (request: IncomingMessage, response: ServerResponse, name: string) => {
    const found = objects.get(name)
    if (!found) return answer(response, 404, errorOf('NoSuchKey'))
    const etag = `"${md5(found.bytes)}"`
    if ((request.headers['if-match'] ?? etag) !== etag) return answer(response, 412, errorOf('PreconditionFailed'))
    const [, from, to] = /^bytes=(\d+)-(\d+)$/.exec(request.headers.range ?? '') ?? []
    const start = Number(from ?? 0)
    let bytes = found.bytes.subarray(start, to === undefined ? undefined : Number(to) + 1)
    if (faults.wrongBytes) {
      bytes = Buffer.from(bytes)
      bytes[bytes.length >> 1]! ^= 1
    }
    const headers = {
      ...{ etag, 'content-length': bytes.length, 'last-modified': found.modified.toUTCString() },
      ...(from && { 'content-range': `bytes ${start}-${start + bytes.length - 1}/${found.bytes.length}` }),
    }
    response.writeHead(from ? 206 : 200, headers)
    if (request.method === 'HEAD' || faults.cut === 0) return void response.end(request.method === 'HEAD' ? '' : bytes)
    faults.cut--
    response.write(bytes.subarray(0, bytes.length * faults.cutAt), () => response.destroy())
  }

  const list = (response: ServerResponse, url: URL) => {
    const prefix = url.searchParams.get('prefix') ?? ''
    if (url.searchParams.has('uploads')) {
      const open = [...uploads].map(
        ([id, { name, begun }]) =>
          `<Upload><Key>${name}</Key><UploadId>${id}</UploadId><Initiated>${begun.toISOString()}</Initiated></Upload>`,
      )
      return answer(response, 200, `<ListMultipartUploadsResult>${open.join('')}</ListMultipartUploadsResult>`)
    }
    const names = [...objects.keys()].filter(name => name.startsWith(prefix) && !faults.stale.has(name)).sort()
    const after = url.searchParams.get('continuation-token') ?? ''
    const shown = names.filter(name => faults.endless || name > after).slice(0, page)
    const more = faults.endless || (shown.length > 0 && shown.at(-1) !== names.at(-1))
    const rows = shown.map(name => {
      const { bytes, modified } = objects.get(name)!
      const key = name.replaceAll('&', '&amp;')
      return `<Contents><Key>${key}</Key><LastModified>${modified.toISOString()}</LastModified><Size>${bytes.length}</Size></Contents>`
    })
    const mark = more ? `<NextContinuationToken>${shown.at(-1)}</NextContinuationToken>` : ''
    const head =
      '<?xml version="1.0" encoding="UTF-8"?>\n<ListBucketResult xmlns="http://s3.amazonaws.com/doc/2006-03-01/">'
    answer(response, 200, `${head}<IsTruncated>${more}</IsTruncated>${mark}${rows.join('')}</ListBucketResult>`)
  }

  const server = createServer((request, response) => void handle(request, response).catch(() => response.destroy()))
  await new Promise<void>(resolve => server.listen(port, host, resolve))
  const url = `http://${host}:${(server.address() as AddressInfo).port}`
  return {
    ...{ url, objects, uploads, requests, faults },
    keys: { AWS_ACCESS_KEY_ID: 'AKIATESTS', AWS_SECRET_ACCESS_KEY: secret, AWS_ENDPOINT_URL_S3: url },
    async close() {
      server.closeAllConnections()
      await new Promise(resolve => server.close(resolve))
    },
  }
}

// Signature version 4 as Amazon describes it, over the headers that the request says it has signed.
function isSigned({ method, headers }: IncomingMessage, url: URL): boolean {
  const form = /Credential=(\w+)\/(\d{8})\/([\w-]+)\/s3\/aws4_request, SignedHeaders=([\w;-]+), Signature=(\w{64})$/
  const [, , day = '', region = '', names = '', given = ''] = form.exec(headers.authorization ?? '') ?? []
  const content = headers['x-amz-content-sha256']
  const time = headers['x-amz-date']
  if (!names.split(';').includes('host') || typeof content !== 'string' || typeof time !== 'string') return false
  const query = [...url.searchParams].map(pair => pair.map(encoded).join('=')).sort()
  const signed = names.split(';').map(name => `${name}:${String(headers[name] ?? '').trim()}\n`)
  const path = url.pathname
    .split('/')
    .map(part => encoded(decodeURIComponent(part)))
    .join('/')
  const canonical = [method, path, query.join('&'), signed.join(''), names, content].join('\n')
  const scope = `${day}/${region}/s3/aws4_request`
  const text = ['AWS4-HMAC-SHA256', time, scope, createHash('sha256').update(canonical).digest('hex')].join('\n')
  const key = [day, region, 's3', 'aws4_request'].reduce<string | Buffer>((by, part) => hmac(by, part), `AWS4${secret}`)
  const right = hmac(key, text).toString('hex')
  return given.length === right.length && timingSafeEqual(Buffer.from(given), Buffer.from(right))
}

const hmac = (key: string | Buffer, text: string) => createHmac('sha256', key).update(text).digest()
const md5 = (bytes: Buffer) => createHash('md5').update(bytes).digest('hex')
const encoded = (text: string) =>
  encodeURIComponent(text).replace(/[!'()*]/g, letter => `%${letter.charCodeAt(0).toString(16).toUpperCase()}`)
const errorOf = (code: string, more = '') =>
  `<?xml version="1.0"?>\n<Error><Code>${code}</Code><Message>${more}</Message></Error>`

function answer(response: ServerResponse, status: number, text: string, headers: Record<string, string> = {}): void {
  response.writeHead(status, { 'content-length': String(Buffer.byteLength(text)), ...headers })
  response.end(text)
}

async function bytesOf(request: IncomingMessage): Promise<Buffer> {
  const pieces: Buffer[] = []
  for await (const piece of request) pieces.push(piece)
  return Buffer.concat(pieces)
}
