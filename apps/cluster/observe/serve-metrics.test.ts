import { hostname } from 'node:os'
import { expect, test } from 'vitest'
import { raw } from '../../../tests/server/serving.ts'
import type { Sql } from '../data/sql.ts'
import type { startCounters } from './counters.ts'
import { metricsAddress, serveMetrics } from './serve-metrics.ts'

test('a page behind a rebound name reads nothing, and what fails is an answer and not the end of the worker', async () => {
  const away: Sql = { query: () => new Promise(() => {}) }
  const observed = {
    sql: away,
    engine: { counts: async () => [] },
    get counters(): ReturnType<typeof startCounters> {
      throw new Error('broken')
    },
  }
  const served = await serveMetrics(observed, metricsAddress('0'))
  const { port } = new URL(served.url)
  const ask = (...heads: string[]) =>
    raw(Number(port), `GET /metrics HTTP/1.1\r\n${heads.join('\r\n')}\r\nConnection: close\r\n\r\n`)
  try {
    for (const name of ['evil.example', 'localhost.evil.example', '127.0.0.1.evil.example', 'evil', ''])
      expect(await ask(`Host: ${name}:${port}`), name).toMatch(/^HTTP\/1.1 403/)
    expect(await ask(`Host: 127.0.0.1:${port}`, 'Host: evil.example')).toMatch(/^HTTP\/1.1 40[03]/)
    for (const name of ['127.0.0.1', 'localhost', '[::1]', hostname()])
      expect(await ask(`Host: ${name}:${port}`), name).toMatch(/^HTTP\/1.1 500/)
    expect((await fetch(served.url.replace('metrics', 'live'))).status).toBe(200)
  } finally {
    await served.close()
  }
})
