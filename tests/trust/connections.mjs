// Loaded into a process with --import: writes down whom it connects to or looks up, one line each.
import dns from 'node:dns'
import { appendFileSync } from 'node:fs'
import net from 'node:net'

const note = line => appendFileSync(process.env.CONNECTIONS_LOG, `${line}\n`)

const connect = net.Socket.prototype.connect
net.Socket.prototype.connect = function (...given) {
  const [options] = Array.isArray(given[0]) ? given[0] : given
  if (options?.path === undefined) note(`connect ${options?.host ?? 'localhost'}:${options?.port ?? options}`)
  return connect.apply(this, given)
}
for (const [owner, name] of [
  [dns, 'lookup'],
  [dns.promises, 'lookup'],
]) {
  const before = owner[name]
  owner[name] = function (host, ...rest) {
    note(`lookup ${host}`)
    return before.call(this, host, ...rest)
  }
}
