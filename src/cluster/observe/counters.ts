import type { Family } from './exposition.ts'

// What one worker counts of itself, from its start.
export interface Counters {
  cache(found: boolean): void // a result or a source was wanted: it lay in the local library, or had to be fetched
  bytes(direction: 'in' | 'out', count: number): void // to and from the store
  waited(server: string, seconds: number): void // for the limit of a model server
  families(): Family[]
}

export function startCounters(): Counters {
  const cache = { hit: 0, miss: 0 }
  const bytes = { in: 0, out: 0 }
  const waits = new Map<string, number>()
  const byLabel = (label: string, counts: Iterable<[string, number]>) =>
    [...counts].map(([name, value]) => ({ labels: { [label]: name }, value }))
  return {
    cache: found => void cache[found ? 'hit' : 'miss']++,
    bytes: (direction, count) => {
      bytes[direction] += count
    },
    waited: (server, seconds) => void waits.set(server, (waits.get(server) ?? 0) + seconds),
    families: () => [
      {
        name: 'longtake_cache_lookups_total',
        type: 'counter',
        help: 'Results and sources that this worker wanted, by whether they lay in its library.',
        samples: byLabel('outcome', Object.entries(cache)),
      },
      {
        name: 'longtake_store_bytes_total',
        type: 'counter',
        help: 'Bytes that this worker read from the store (in) and wrote to it (out).',
        samples: byLabel('direction', Object.entries(bytes)),
      },
      {
        name: 'longtake_limiter_wait_seconds_total',
        type: 'counter',
        help: 'Seconds that calls of this worker waited for the limit of a model server.',
        samples: byLabel('server', waits),
      },
    ],
  }
}
