import { existsSync } from 'node:fs'
import { homedir } from 'node:os'
import { join } from 'node:path'
import { isThisMachine } from '../../../src/core/basics/address.ts'
import { UsageError } from '../../../src/core/errors.ts'

type Environment = Readonly<Record<string, string | undefined>>

// The address as the client takes it. Off this machine the connection is encrypted and asks for a password, unless the address
// itself says that its network is trusted: whoever can write to the database decides what workers do.
export function connectionString(address: string, environment: Environment): string {
  const url = parse(address)
  const mode = url.searchParams.get('sslmode')
  if (!isHere(hostText(url) || (environment.PGHOST ?? ''))) {
    if (mode === null) url.searchParams.set('sslmode', 'require')
    if (mode !== 'disable' && !hasPassword(url, environment))
      throw new UsageError(`The database at ${shownAddress(address)} is on another machine, and no password is set.`, {
        hint: 'Write it into the address, as postgres://USER:PASSWORD@HOST/DATABASE, or set PGPASSWORD.',
      })
  }
  // Without this the client checks the certificate for "require" too, and a server of one's own seldom has one that passes.
  if (url.searchParams.has('sslmode')) url.searchParams.set('uselibpqcompat', 'true')
  return url.href.replace(`@${noHost}/`, '@/')
}

const noHost = 'no-host' // stands for a host that is that of the query, or this machine

export function isDatabaseHere(address: string): boolean {
  return isHere(hostText(parse(address)))
}

// "db:5433/longtake": where it is, without who asks.
export function shownAddress(address: string): string {
  const url = parse(address)
  const host = hostText(url) || 'localhost'
  return `${host}${url.port ? `:${url.port}` : ''}${url.pathname}`
}

function parse(address: string): URL {
  try {
    return new URL(address.replace('@/', `@${noHost}/`))
  } catch {
    throw new UsageError('The address of the database of the cluster is not an address.', {
      hint: 'Write it as postgres://USER:PASSWORD@HOST/DATABASE.',
    })
  }
}

function hostText(url: URL): string {
  const name = decodeURIComponent(url.hostname)
  return url.searchParams.get('host') ?? (name === noHost ? '' : name)
}

function isHere(host: string): boolean {
  return host === '' || host.startsWith('/') || isThisMachine(host)
}

function hasPassword(url: URL, environment: Environment): boolean {
  const credentials = url.password || url.searchParams.get('password') || url.searchParams.get('sslcert')
  return (
    Boolean(credentials || environment.PGPASSWORD || environment.PGPASSFILE) || existsSync(join(homedir(), '.pgpass'))
  )
}
