import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { routes } from '../../src/core/api/routes.ts'
import { noChromium } from '../support/chromium.ts'
import { makeLongEntry } from '../support/long-entry.ts'
import { call, httpHost } from './mcp-hosts.ts'
import { openBrowser } from './page/browser.ts'
import { type Serving, startServer } from './serving.ts'

// More than 2,500 rows of one track in an hour, by the pages of each door.

const folder = mkdtempSync(join(tmpdir(), 'longtake-long-lists-'))
const count = 2580 // of speech
let server: Serving
let video = ''

beforeAll(async () => {
  const entry = { hours: 1, rows: count / 0.43 }
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
    const { json } = await server.call('GET', `/videos/${video}/rows?tracks=speech&cursor=${cursor}`)
    const page = routes.rows.reply.parse(json)
    expect(page.rows.length).toBeLessThanOrEqual(500)
    return page
  })
const inOrder = Array.from({ length: count }, (_, at) => at)
const numbers = (texts: readonly string[]) => texts.map(text => Number(/In part (\d+) /.exec(text)?.[1]))

test('the pages of the API have every row once, in order', async () => {
  const rows = await rowsOf()
  expect(numbers(rows.map(({ text }) => text))).toEqual(inOrder)
  expect(new Set(rows.map(({ id }) => id)).size).toBe(count)
})

test('the pages of MCP have the same rows, none over 17,000 characters', async () => {
  const rows = await rowsOf()
  const host = await httpHost(server.mcp, server.token, 'modern')
  try {
    const read: string[] = []
    for (let page = 1, pages = 1; page <= pages; page++) {
      const { text } = await call(host, 'read', { video, start: 0, end: 4000, tracks: ['speech'], page })
      expect(text.length).toBeLessThanOrEqual(17_000)
      expect(text).toMatch(new RegExp(`^speech ${count} in `))
      pages = Number(/page \d+ of (\d+)/.exec(text)?.[1])
      read.push(...(text.match(/^s[0-9a-f]{5}(?= )/gm) ?? []))
    }
    expect(read).toEqual(rows.map(({ id }) => id.slice(0, 6)))
  } finally {
    await host.close()
  }
})

// Scrolls by less than what is in sight, and waits until its rows have come.
const scrolled = `(async () => {
  const list = document.querySelector('.virtual-list')
  const found = new Map()
  const frame = () => new Promise(resolve => requestAnimationFrame(resolve))
  for (let top = 0; ; top += list.clientHeight - 48) {
    list.scrollTop = top
    do await frame(); while (list.querySelector('[aria-disabled=true]'))
    for (const row of list.querySelectorAll('[data-row]')) found.set(Number(row.dataset.row), row.textContent)
    if (list.scrollTop + list.clientHeight >= list.scrollHeight) return [...found].sort(([a], [b]) => a - b)
  }
})()`

test.skipIf(noChromium !== '')(`the list of the page shows every row at its place${noChromium}`, async () => {
  const browsing = await openBrowser(server)
  try {
    const { page } = await browsing.open(`/v/${video}`)
    await page.getByRole('tab', { name: 'Transcript' }).click()
    await page.locator('.row-line').first().waitFor()
    const rows = await page.evaluate<[number, string][]>(scrolled)
    expect(rows.map(([at]) => at)).toEqual(inOrder)
    expect(numbers(rows.map(([, text]) => text))).toEqual(inOrder)
  } finally {
    await browsing.close()
  }
})
