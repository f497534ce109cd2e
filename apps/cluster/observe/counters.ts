import { counter, type MetricFamily } from './exposition.ts'

export type Counted =
  | { what: 'cache'; outcome: 'hit' | 'miss' } // a result was wanted: it lay in the worker's library, or was fetched
  | { what: 'bytes'; direction: 'in' | 'out'; bytes: number } // from and to the store
  | { what: 'wait'; server: string; seconds: number } // for the limit of a model server

// What one worker counts of itself, from its start.
export interface Counters {
  count(counted: Counted): void
  families(): MetricFamily[]
}

export function startCounters(): Counters {
  const cache = { hit: 0, miss: 0 }
  const bytes = { in: 0, out: 0 }
  const waits = new Map<string, number>()
  const byLabel = (label: string, counts: Iterable<[string, number]>) =>
    [...counts].map(([name, value]) => ({ labels: { [label]: name }, value }))
  return {
    count(counted) {
      if (counted.what === 'cache') cache[counted.outcome]++
      else if (counted.what === 'bytes') bytes[counted.direction] += counted.bytes
      else waits.set(counted.server, (waits.get(counted.server) ?? 0) + counted.seconds)
    },
    families: () => [
      counter(
        'longtake_cache_lookups_total',
        'Results and sources that this worker wanted, by whether they lay in its library.',
        byLabel('outcome', Object.entries(cache)),
      ),
      counter(
        'longtake_store_bytes_total',
        'Bytes that this worker read from the store (in) and wrote to it (out).',
        byLabel('direction', Object.entries(bytes)),
      ),
      counter(
        'longtake_limiter_wait_seconds_total',
        'Seconds that calls of this worker waited for the limit of a model server.',
        byLabel('server', waits),
      ),
    ],
  }
}
