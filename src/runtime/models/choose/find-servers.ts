import { connect } from 'node:net'
import { hostUrl } from '../../../../models/http/ollama.ts'
import { type Preset, presets } from '../../../../models/http/presets.ts'
import type { Host } from '../../../core/backend.ts'
import { errorText } from '../../../core/errors.ts'
import type { FoundServer } from './found-server.ts'
import { listServer } from './list-server.ts'

const connectMilliseconds = 300

// The servers of models that listen on the usual ports of this machine, in the order of the presets, and the one of OLLAMA_HOST.
// LONGTAKE_SERVERS names other addresses or ports in place of the usual ones, "off" none; a server on this machine is never
// asked through a proxy.
export async function findServers(host: Host): Promise<FoundServer[]> {
  const places = placesToLook(host.environment)
  const servers = await Promise.all(
    places.map(async ({ url, preset }) => {
      if (!(await listens(url))) return undefined
      return listServer({ url, guess: preset, found: true }, host).catch(error => {
        host.signal.throwIfAborted()
        // Who is known to listen there is missed; anything else may be no server of models at all.
        return preset?.urlEnv ? { preset, url, models: [], fault: errorText(error) } : undefined
      })
    }),
  )
  return servers.filter(server => server !== undefined)
}

interface ServerAddress {
  url: string
  preset?: Preset // the one that usually listens there
}

// Where servers are looked for: what is said in messages too.
export function placesToLook(environment: Host['environment']): ServerAddress[] {
  const listed = (environment.LONGTAKE_SERVERS ?? process.env.LONGTAKE_SERVERS)?.trim()
  const named = presets.flatMap(preset => {
    const address = preset.port === undefined || !preset.urlEnv ? undefined : environment[preset.urlEnv]?.trim()
    return address ? [{ url: hostUrl(address), preset }] : []
  })
  const usual = presets
    .filter(preset => preset.port !== undefined && !named.some(place => place.preset === preset))
    .map(preset => ({ url: preset.url, preset }))
  const places: ServerAddress[] = [...named, ...(listed ? listedPlaces(listed) : usual)]
  return places.filter(({ url }, at) => URL.canParse(url) && places.findIndex(other => other.url === url) === at)
}

function listedPlaces(listed: string): ServerAddress[] {
  if (/^(off|none)$/i.test(listed)) return []
  return listed
    .split(/[\s,]+/)
    .filter(one => one !== '')
    .map(one => ({ url: one.includes('://') ? one : `http://${/^\d+$/.test(one) ? '127.0.0.1:' : ''}${one}` }))
}

// Whether anything accepts a connection there: where nothing does, nothing else is loaded.
export function listens(url: string): Promise<boolean> {
  const { hostname, port, protocol } = new URL(url)
  const to = { host: hostname.replace(/^\[|\]$/g, ''), port: Number(port) || (protocol === 'https:' ? 443 : 80) }
  return new Promise(done => {
    const socket = connect({ ...to, timeout: connectMilliseconds })
    const end = (found: boolean) => {
      socket.destroy()
      done(found)
    }
    socket.once('connect', () => end(true))
    socket.once('error', () => end(false))
    socket.once('timeout', () => end(false))
  })
}
