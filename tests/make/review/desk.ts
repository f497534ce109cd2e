import { mkdtempSync } from 'node:fs'
import { join } from 'node:path'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, beforeEach, expect } from 'vitest'
import { type ReviewDoor, serveReview } from '../../../apps/serve/server/review-server.ts'
import { chromiumPath, launchChromium } from '../../support/chromium.ts'
import { type FixtureSet, fixtureSet } from './reviewed-set.ts'

export interface Desk {
  made: FixtureSet
  folder: string // of this test, beside the made set
  open(address: string, width?: number): Promise<Opened>
  // While a review is served.
  served(door: Served, work: (url: string) => Promise<void>): Promise<void>
}

type Served = ReviewDoor & { close(): Promise<unknown> }

export interface Opened {
  page: Page
  strange: string[] // faults of the page, and what it asked of others
}

// For the tests of a file: a made set, of six items as a rule, a folder for each test, and a browser that reaches this machine alone.
export function reviewDesk(
  lay: (made: string, folder: string) => void,
  make: () => Promise<FixtureSet> = () => fixtureSet(6),
): Desk {
  let browser: Browser | undefined
  const desk = { open, served } as Desk
  beforeAll(async () => {
    desk.made = await make()
    if (chromiumPath()) browser = await launchChromium(['--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1'])
  })
  afterAll(async () => {
    await browser?.close()
    desk.made.remove()
  })
  beforeEach(() => {
    desk.folder = mkdtempSync(join(desk.made.folder, '..', 'set-'))
    lay(desk.made.folder, desk.folder)
  })

  async function open(address: string, width = 1200): Promise<Opened> {
    const page = await (await browser!.newContext({ viewport: { width, height: 800 } })).newPage()
    page.setDefaultTimeout(60_000)
    const strange: string[] = []
    page.on('console', message => message.type() === 'error' && strange.push(message.text()))
    page.on('pageerror', error => strange.push(error.message))
    const own = address.slice(0, address.lastIndexOf('/') + 1)
    page.on('request', request => {
      const url = request.url()
      const near =
        url.startsWith(own) || (own.startsWith('file:') && url.startsWith('file:')) || /^(data|blob):/.test(url)
      if (!near) strange.push(url)
    })
    await page.goto(address)
    return { page, strange }
  }
  return desk
}

async function served(door: Served, work: (url: string) => Promise<void>): Promise<void> {
  const said: string[] = []
  const { url, close } = await serveReview(door, 0, line => said.push(line))
  try {
    await work(url)
  } finally {
    close()
    await door.close()
  }
  expect(said).toEqual([])
}

export const waitFor = (page: Page, id: string, text: string | RegExp) =>
  page.locator(`#${id}`).filter({ hasText: text }).waitFor()

// By keys: an interval from 1 to 6 seconds of a video that stands at its begin.
export async function markByKeys(page: Page): Promise<void> {
  await page.keyboard.press('ArrowRight')
  await waitFor(page, 'clock', '0:01.0')
  await page.keyboard.press('i')
  await page.keyboard.press('Shift+ArrowRight')
  await waitFor(page, 'clock', '0:06.0')
  await page.keyboard.press('o')
  await waitFor(page, 'intervals', '0:01.0–0:06.0')
}
