import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { z } from 'zod'
import { routes } from '../../src/core/api/routes.ts'
import { makeLongEntry } from '../support/long-entry.ts'
import { call, httpHost } from './mcp-hosts.ts'
import { type Serving, startServer } from './serving.ts'

// More than 2,500 rows of an hour, by the pages of both doors.

const folder = mkdtempSync(join(tmpdir(), 'longtake-long-lists-'))
const texts = 810
let server: Serving
let video = ''

beforeAll(async () => {
  const entry = { hours: 1, rows: texts / 0.3 }
  video = (await makeLongEntry(join(folder, 'home'), join(folder, 'videos'), entry)).id
  server = await startServer([join(folder, 'videos')], join(folder, 'home'))
})
afterAll(async () => {
  await server?.stop()
  rmSync(folder, { recursive: true, force: true })
})

async function pageAfterPage<Row>(page: (cursor?: string) => Promise<{ rows: Row[]; cursor?: string }>) {
  const found: Row[] = []
  let cursor: string | undefined
  do {
    const { rows, cursor: next } = await page(cursor)
    expect(rows.length).toBeGreaterThan(0)
    found.push(...rows)
    cursor = next
  } while (cursor !== undefined)
  return found
}

const rowsOf = () =>
  pageAfterPage(async (cursor = '0') => {
    const { json } = await server.call('GET', `/videos/${video}/rows?cursor=${cursor}`)
    const page = routes.rows.reply.parse(json)
    expect(page.rows.length).toBeLessThanOrEqual(500)
    return page
  })

test('the pages of the API have every row once, in order', async () => {
  const rows = await rowsOf()
  expect(rows.length).toBeGreaterThan(2500)
  expect(new Set(rows.map(({ id }) => id)).size).toBe(rows.length)
  const starts = rows.map(({ span }) => span.start)
  expect(starts).toEqual([...starts].sort((a, b) => a - b))
  const pages = rows.flatMap(({ track, text }) => (track === 'text' ? Number(/page (\d+)$/.exec(text)?.[1]) : []))
  expect(pages).toEqual(Array.from({ length: texts }, (_, at) => at))
})

test('the replies of MCP have the same rows, none over 8,000 characters', async () => {
  const rows = await rowsOf()
  const Page = z.object({
    rows: z.array(z.object({ row: z.string() })),
    total: z.number(),
    cursor: z.string().optional(),
  })
  const host = await httpHost(server.mcp, server.token, 'modern')
  try {
    const read = await pageAfterPage(async cursor => {
      const { text, data } = await call(host, 'read', { video, from: 0, to: 4000, ...(cursor && { cursor }) })
      expect(Math.max(text.length, JSON.stringify(data).length)).toBeLessThanOrEqual(8000)
      const page = Page.parse(data)
      expect(page.total).toBe(rows.length)
      return page
    })
    expect(read.map(({ row }) => row)).toEqual(rows.map(({ id }) => id))
  } finally {
    await host.close()
  }
})
