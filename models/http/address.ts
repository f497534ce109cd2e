import { UsageError } from '../../src/core/errors.ts'

interface Address {
  base: URL // without user name and password
  shown: string // for messages
  authorization?: string // from a user name and password in the URL
}

// Parses the URL of a server. `shown` never holds a password or a query.
export function readAddress(place: string, url: string): Address {
  if (!URL.canParse(url) || !/^https?:$/.test(new URL(url).protocol)) {
    throw new UsageError(`${place}: "${withoutUser(url)}" is not the URL of a server.`, {
      hint: 'Write it in full, as http://127.0.0.1:8000/v1.',
    })
  }
  const base = new URL(url)
  const user = decodeURIComponent(base.username)
  const password = decodeURIComponent(base.password)
  base.username = ''
  base.password = ''
  base.hash = ''
  const authorization = user || password ? `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}` : undefined
  return { base, shown: shownUrl(base), authorization }
}

export function shownUrl(url: URL): string {
  return `${url.protocol}//${url.host}${url.pathname}`.replace(/\/$/, '')
}

// The URL of `path` below the base, keeping a query of the base (such as "?api-version=1").
export function below(base: URL, path: string): URL {
  const url = new URL(base)
  url.pathname = `${base.pathname.replace(/(?<!\/)\/+$/, '')}/${path.replace(/^\/+/, '')}`
  return url
}

function withoutUser(url: string): string {
  return url.replace(/\/\/[^/@]*@/, '//')
}
