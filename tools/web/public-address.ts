import { BlockList, isIPv4, isIPv6 } from 'node:net'

// Whether an address lies in the open internet: not this machine, not its network, no cloud's metadata service, no relay
// into one of these.
export function isPublicAddress(address: string): boolean {
  const plain = unmapped(address.replace(/^\[|\]$/g, '').replace(/%.*$/, ''))
  if (isIPv4(plain)) return !closed.check(plain, 'ipv4')
  return isIPv6(plain) && !closed.check(plain, 'ipv6')
}

const closedNetworks: [string, number][] = [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.0.2.0', 24],
  ['192.88.99.0', 24],
  ['192.168.0.0', 16],
  ['198.18.0.0', 15],
  ['198.51.100.0', 24],
  ['203.0.113.0', 24],
  ['224.0.0.0', 4],
  ['240.0.0.0', 4],
  ['::', 96], // also the addresses that once carried an IPv4 one
  ['64:ff9b:1::', 48],
  ['100::', 64],
  ['2001::', 23],
  ['2001:db8::', 32],
  ['2002::', 16],
  ['3fff::', 20],
  ['5f00::', 16],
  ['fc00::', 7],
  ['fe80::', 10],
  ['fec0::', 10],
  ['ff00::', 8],
]

const closed = new BlockList()
for (const [network, prefix] of closedNetworks) closed.addSubnet(network, prefix, isIPv4(network) ? 'ipv4' : 'ipv6')

// An IPv4 address that is written as an IPv6 one: ::ffff:10.0.0.1, 64:ff9b::a00:1.
function unmapped(address: string): string {
  if (!isIPv6(address)) return address
  const { hostname } = new URL(`http://[${address}]`)
  const words = /^\[(?:::ffff|64:ff9b:):([0-9a-f]{1,4}):([0-9a-f]{1,4})\]$/.exec(hostname)
  if (!words) return address
  const [high = 0, low = 0] = words.slice(1).map(word => Number.parseInt(word, 16))
  return [high >> 8, high & 255, low >> 8, low & 255].join('.')
}
