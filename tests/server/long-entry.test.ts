import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { decodeLanes } from '../../src/core/api/lanes-format.ts'
import { routes } from '../../src/core/api/routes.ts'
import { makeLongEntry } from '../support/long-entry.ts'
import { type Serving, startServer } from './serving.ts'

// Twelve hours with 100,000 rows, through the API.

const folder = mkdtempSync(join(tmpdir(), 'longtake-serve-long-'))
let server: Serving
let video = ''

beforeAll(async () => {
  video = (await makeLongEntry(join(folder, 'home'), join(folder, 'videos'))).id
  server = await startServer([join(folder, 'videos')], join(folder, 'home'))
})
afterAll(async () => {
  await server?.stop()
  rmSync(folder, { recursive: true, force: true })
})

test('its lanes are all of its rows in less than a megabyte', async () => {
  const headers = { authorization: `Bearer ${server.token}` }
  const reply = await fetch(`${server.api}/videos/${video}/lanes`, { headers })
  const bytes = new Uint8Array(await reply.arrayBuffer())
  expect(bytes.length).toBeLessThan(1_000_000)
  const { columns, duration } = decodeLanes(bytes)
  expect(duration).toBeGreaterThan(12 * 3600)
  expect(columns.reduce((sum, { starts }) => sum + starts.length, 0)).toBeGreaterThanOrEqual(100_000)
  for (const { starts, ends } of columns)
    for (const [at, start] of starts.entries()) {
      if (at > 0 && start < (starts[at - 1] ?? 0)) throw new Error('The starts of a lane are in order.')
      if ((ends[at] ?? 0) < start) throw new Error('A row ends after it begins.')
    }
})

test('its texts come by window and by page, never all at once', async () => {
  const rows = async (query: string) =>
    routes.rows.reply.parse((await server.call('GET', `/videos/${video}/rows?${query}`)).json)
  const window = await rows('from=20000&to=20060&tracks=speech')
  expect(window.rows.length).toBeGreaterThan(50)
  for (const { span } of window.rows) expect(span.end).toBeGreaterThanOrEqual(20_000)
  const first = await rows('')
  expect(first.rows).toHaveLength(500)
  const second = await rows(`cursor=${first.cursor}`)
  expect(second.rows[0]?.span.start).toBeGreaterThanOrEqual(first.rows.at(-1)?.span.start ?? Number.NaN)
})

test('a question about it is answered with its moment', async () => {
  const question = 'What is said in part 31000?'
  const begun = routes.ask.reply.parse((await server.call('POST', `/videos/${video}/ask`, { question })).json)
  const { json } = await server.call('GET', `/jobs/${begun.job}?wait=60`)
  const { state, answer } = routes.job.reply.parse(json)
  expect(state).toBe('done')
  expect(answer?.evidence.some(({ text }) => text.includes('31000'))).toBe(true)
})
