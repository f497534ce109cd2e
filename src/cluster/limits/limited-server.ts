import type { ServerName } from '../../core/backend.ts'
import type { ServerLimits } from './rates.ts'

// Which of the limits are a server's: those of its address, else those of its host, else those of its provider.
export function limitsOf(
  { address, provider }: ServerName,
  limits: Readonly<Record<string, ServerLimits>>,
): { name: string; limits: ServerLimits } | undefined {
  const wanted = plain(address)
  const names = Object.keys(limits)
  const name =
    names.find(given => plain(given) === wanted) ??
    names.find(given => hostOf(given) !== undefined && plain(given) === hostOf(address)) ??
    names.find(given => given === provider)
  const found = name === undefined ? undefined : limits[name]
  return name === undefined || !found ? undefined : { name: plain(name), limits: found }
}

// Two spellings of one address are one server, on every machine.
function plain(address: string): string {
  if (!URL.canParse(address)) return address
  const { origin, pathname } = new URL(address)
  return origin === 'null' ? address : `${origin}${pathname.replace(/\/+$/, '')}`
}

function hostOf(address: string): string | undefined {
  if (!URL.canParse(address)) return undefined
  const { origin } = new URL(address)
  return origin === 'null' ? undefined : origin
}
