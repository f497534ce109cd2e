import { readdir, readFile } from 'node:fs/promises'
import { extname, join } from 'node:path'
import { gzipSync } from 'node:zlib'
import type { Hono } from 'hono'
import { pageAt } from '../../../src/core/api/pages.ts'
import { once } from '../../../src/core/basics/once.ts'
import { errorCode, UsageError } from '../../../src/core/errors.ts'
import type { Serves } from './mount.ts'
import { pageHeaders } from './policy.ts'

interface PageFile {
  bytes: Uint8Array<ArrayBuffer>
  headers: Record<string, string>
  packed(): Uint8Array<ArrayBuffer> // with gzip
}

const types: Record<string, string> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
}

// The built page: static files that carry nothing. They are read once, as a page that is open goes on loading views of its own
// build, whatever was built since.
// Gives back what a person sees who has typed an address that is none.
export async function mountPage(app: Hono<Serves>, folder: string): Promise<(accept?: string) => Response | undefined> {
  const files = await readFiles(folder)
  const index = files.get('/index.html')
  if (!index) throw notBuilt()
  app.get('*', async (context, next) => {
    const { path } = context.req
    const file = pageAt(path) ? index : path === '/index.html' ? undefined : files.get(path)
    if (!file) return next()
    const { headers } = file
    if (!/\bgzip\b/.test(context.req.header('accept-encoding') ?? '')) return context.body(file.bytes, 200, headers)
    return context.body(file.packed(), 200, { ...headers, 'content-encoding': 'gzip' })
  })
  return accept =>
    accept?.includes('text/html') ? new Response(index.bytes, { status: 404, headers: index.headers }) : undefined
}

async function readFiles(folder: string): Promise<Map<string, PageFile>> {
  const names = await readdir(folder).catch(error => {
    throw errorCode(error) === 'ENOENT' ? notBuilt() : error
  })
  return new Map(
    await Promise.all(
      names.map(async (name): Promise<[string, PageFile]> => {
        const type = types[extname(name)] ?? 'application/octet-stream'
        // A name with a hash in it never holds anything else.
        const cache = /-[A-Z0-9]{8}\.\w+$/.test(name) ? 'private, max-age=31536000, immutable' : 'no-cache'
        const headers = { ...pageHeaders, 'content-type': type, 'cache-control': cache, vary: 'accept-encoding' }
        const bytes = new Uint8Array(await readFile(join(folder, name)))
        return [`/${name}`, { bytes, headers, packed: once(() => new Uint8Array(gzipSync(bytes))) }]
      }),
    ),
  )
}

function notBuilt(): UsageError {
  return new UsageError('The page is not built.', { hint: 'Run "npm run build" in the checkout.' })
}
