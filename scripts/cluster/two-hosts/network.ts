import { type ChildProcess, type SpawnOptions, spawn, spawnSync } from 'node:child_process'

export type HostName = 'data' | 'one' | 'two'

export interface Network {
  address(host: HostName): string
  command(host: HostName, words: readonly string[]): [string, ...string[]] // the same, there
  spawn(host: HostName, words: readonly string[], options: SpawnOptions): ChildProcess
  link(host: HostName, state: 'up' | 'down'): void
  slow(host: HostName): string // says how
  fast(host: HostName): void
  remove(): void
}

const hosts: Record<HostName, number> = { data: 1, one: 11, two: 12 }
const ways = [
  ['netem', 'delay', '150ms', '40ms', 'loss', '1%', 'rate', '4mbit'],
  ['tbf', 'rate', '1mbit', 'burst', '32kbit', 'latency', '800ms'], // where the kernel has no netem: packets wait for a narrow link
]

// Hosts with addresses of their own on one switch, and this process beside them at .254. Nothing outside can be reached from there.
export function makeNetwork(mark = `lt${process.pid}`): Network {
  const base = `10.${100 + (process.pid % 100)}.${(process.pid >> 8) % 250}`
  const space = (host: HostName | 'switch') => `${mark}-${host}`
  const inside = (host: HostName | 'switch', words: string[]) => ip(['netns', 'exec', space(host), ...words])
  const port = (host: HostName) => `p-${host}`
  const names = Object.keys(hosts) as HostName[]
  const made = [...names, 'switch' as const]
  const remove = () => {
    for (const host of made) ip(['netns', 'del', space(host)], true)
    ip(['link', 'del', `${mark}-r`], true)
  }
  try {
    for (const host of made) {
      ip(['netns', 'add', space(host)])
      inside(host, ['ip', 'link', 'set', 'lo', 'up'])
    }
    inside('switch', ['ip', 'link', 'add', 'br0', 'type', 'bridge'])
    inside('switch', ['ip', 'link', 'set', 'br0', 'up'])
    const plug = (end: string) => {
      inside('switch', ['ip', 'link', 'set', end, 'master', 'br0'])
      inside('switch', ['ip', 'link', 'set', end, 'up'])
    }
    for (const host of names) {
      ip([
        'link',
        'add',
        port(host),
        'netns',
        space('switch'),
        'type',
        'veth',
        'peer',
        'name',
        'eth0',
        'netns',
        space(host),
      ])
      plug(port(host))
      inside(host, ['ip', 'address', 'add', `${base}.${hosts[host]}/24`, 'dev', 'eth0'])
      inside(host, ['ip', 'link', 'set', 'eth0', 'up'])
    }
    ip(['link', 'add', `${mark}-r`, 'type', 'veth', 'peer', 'name', 'p-root', 'netns', space('switch')])
    plug('p-root')
    ip(['address', 'add', `${base}.254/24`, 'dev', `${mark}-r`])
    ip(['link', 'set', `${mark}-r`, 'up'])
  } catch (error) {
    remove()
    throw error
  }
  const shape = (host: HostName, words: string[], mayFail = false) =>
    ip(
      ['netns', 'exec', space(host), 'tc', 'qdisc', words[0] ?? '', 'dev', 'eth0', 'root', ...words.slice(1)],
      mayFail,
    ) &&
    ip(
      ['netns', 'exec', space('switch'), 'tc', 'qdisc', words[0] ?? '', 'dev', port(host), 'root', ...words.slice(1)],
      mayFail,
    )
  const command = (host: HostName, words: readonly string[]): [string, ...string[]] => [
    'ip',
    ...['netns', 'exec', space(host), ...words],
  ]
  return {
    command,
    remove,
    address: host => `${base}.${hosts[host]}`,
    spawn(host, words, options) {
      const [program, ...rest] = command(host, words)
      return spawn(program, rest, options)
    },
    // At the switch, as a cable that is pulled: the host itself sees nothing but silence.
    link: (host, state) => void inside('switch', ['ip', 'link', 'set', port(host), state]),
    slow(host) {
      const way = ways.find(words => shape(host, ['replace', ...words], true))
      if (!way) throw new Error('tc can slow no link here (neither netem nor tbf).')
      return way.join(' ')
    },
    fast: host => void shape(host, ['del'], true),
  }
}

function ip(words: string[], mayFail = false): boolean {
  const { status, stderr, error } = spawnSync('ip', words, { encoding: 'utf8', stdio: ['ignore', 'ignore', 'pipe'] })
  if (status !== 0 && !mayFail) throw new Error(`ip ${words.join(' ')}: ${stderr || error}`)
  return status === 0
}
