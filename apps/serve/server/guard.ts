import { pageAt } from '../../../src/core/api/pages.ts'
import { Refused } from '../../../src/core/api/problem.ts'
import { equalInConstantTime } from './sign.ts'

export interface Names {
  own: readonly string[] // "127.0.0.1:4747": the exact Host values that are served
  elsewhere: readonly string[] // "localhost:4747": led to the first of them, so that there is one origin
}

interface Head {
  method: string
  target: string // as it stands in the request line
  rawHeaders: readonly string[] // names and values in turn
}

type Entry = { to: 'serve' } | { to: 'redirect'; location: string }

// Looks at the head of a request before anything else does: where it wants to go and which page sends it. A foreign page gets
// nothing, whatever name it has found for this machine.
export function guard(names: Names, head: Head): Entry {
  const { method, target } = head
  const host = single(head, 'host')
  if (!target.startsWith('/')) throw new Refused('forbidden', 'The request line must hold a path.')
  const elsewhere = host !== undefined && names.elsewhere.includes(host)
  if (elsewhere && !isModelEndpoint(target) && (method === 'GET' || method === 'HEAD')) {
    fromOwnPage(names, head)
    return { to: 'redirect', location: `http://${names.own[0]}${target}` }
  }
  if (host === undefined || (!(elsewhere && isModelEndpoint(target)) && !names.own.includes(host)))
    throw new Refused('forbidden', 'This server does not have that name.', `Use http://${names.own[0]}/.`)
  fromOwnPage(names, head)
  return { to: 'serve' }
}

// The model endpoint under "localhost", as its clients are used to it: a client that is led on leaves its key behind. Nobody else
// answers to that name, and a page of that origin gets nothing here either.
function isModelEndpoint(target: string): boolean {
  const served = `http://localhost${target}` // dots lead the router elsewhere
  return URL.canParse(served) && new URL(served).pathname.startsWith('/v1/')
}

function fromOwnPage(names: Names, head: Head): void {
  const origin = single(head, 'origin')
  if (origin !== undefined && !names.own.some(name => origin === `http://${name}`))
    throw new Refused('forbidden', 'Pages of other origins get nothing from this server.')
  const site = single(head, 'sec-fetch-site')
  if (site === undefined || site === 'same-origin' || site === 'none') return
  if (opensPage(head)) return
  throw new Refused('forbidden', 'Pages of other sites get nothing from this server.')
}

// A link elsewhere may open a view of the page: what is there carries nothing.
function opensPage(head: Head): boolean {
  const path = head.target.replace(/[?#].*/s, '')
  const opens = single(head, 'sec-fetch-mode') === 'navigate' && single(head, 'sec-fetch-dest') === 'document'
  return head.method === 'GET' && pageAt(path) !== undefined && opens
}

// A header that comes twice says two things: it is refused.
function single({ rawHeaders }: Head, name: string): string | undefined {
  const values = rawHeaders.filter((_, at) => at % 2 === 1 && rawHeaders[at - 1]?.toLowerCase() === name)
  if (values.length > 1) throw new Refused('forbidden', `The header ${name} comes more than once.`)
  return values[0]?.trim()
}

const maxWrong = 10 // tokens a second

// Whether a request bears one of the keys. The right one always passes: wrong ones of a stranger never lock the owner out. After ten
// wrong ones in a second, the others are answered as too many.
export function keyCheck(keys: readonly string[], now: () => number = () => performance.now()) {
  let wrong: number[] = []
  return (authorization: string | undefined): void => {
    const [, given] = /^Bearer +(\S+)$/i.exec(authorization ?? '') ?? []
    if (given === undefined)
      throw new Refused(
        'token',
        'This needs the token of the server.',
        'Send "Authorization: Bearer TOKEN"; longtake serve prints it.',
      )
    const fits = keys.map(key => equalInConstantTime(key, given)) // all of them, so that time does not say which
    if (fits.includes(true)) return
    wrong = wrong.filter(time => now() - time < 1000)
    if (wrong.length >= maxWrong) throw new Refused('too_many_attempts', 'Too many wrong tokens. Wait a second.')
    wrong.push(now())
    throw new Refused('token', 'This is not the token of the server.', 'longtake serve prints it.')
  }
}
