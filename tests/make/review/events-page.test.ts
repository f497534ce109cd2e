import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { importVerdicts } from '../../../eval/review/import-verdicts.ts'
import { openReview } from '../../../eval/review/open-review.ts'
import { staticPage } from '../../../eval/review/static-page.ts'
import type { ReviewLine } from '../../../eval/review/verdict.ts'
import type { ItemView } from '../../../eval/review/view.ts'
import { serveReview } from '../../../src/server/review-server.ts'
import { chromiumPath, launchChromium, noChromium } from '../../support/chromium.ts'
import { events, filmSet } from './film-set.ts'
import type { FixtureSet } from './reviewed-set.ts'

const { signal } = new AbortController()
let made: FixtureSet
let browser: Browser
beforeAll(async () => {
  made = await filmSet()
  if (chromiumPath()) browser = await launchChromium([])
})
afterAll(async () => {
  await browser?.close()
  made.remove()
})

const skip = chromiumPath() === undefined
const marksOn = (page: Page) => page.locator('#eventlist button').allInnerTexts()
const press = async (page: Page, ...keys: string[]) => {
  for (const key of keys) await page.keyboard.press(key)
}
const marked = (page: Page, text: string) => page.locator('#eventlist').filter({ hasText: text }).waitFor()
// One on the order of events, whatever the queue begins with.
const onlyOrders = (page: Page) => page.locator('#kind').selectOption('choronological_understanding')

test.skipIf(skip)(
  `events are timed by keys: an interval, absent, and what was said stands in the next question${noChromium}`,
  async () => {
    const review = await openReview({ folder: made.folder, reviewer: 'anna', share: 0, signal })
    const { url, close } = await serveReview(review, 0, () => {})
    const page = await (await browser.newContext({ viewport: { width: 1200, height: 800 } })).newPage()
    await page.goto(url)
    await page.locator('#question').filter({ hasText: /./ }).waitFor()
    const [step] = await Promise.all([page.waitForResponse(/\/next$/), onlyOrders(page)])
    const { question } = ((await step.json()) as { item: ItemView }).item
    await page.locator('#question').filter({ hasText: question }).waitFor()
    const asked = made.items.find(item => item.question === question)!
    const [first = '', second = ''] = asked.events!.list
    expect(await page.locator('#events').isVisible()).toBe(false)
    await press(page, '1', 'v')
    await page.locator('#events').waitFor()
    expect(await marksOn(page)).toEqual(asked.events!.list)
    await page.evaluate('document.querySelector("video").pause()')
    await press(page, 't')
    await page.locator('#status').filter({ hasText: 'Mark an interval first' }).waitFor()
    await page.evaluate('seek(10)')
    await page.locator('#clock').filter({ hasText: '0:10.0' }).waitFor()
    await press(page, 'i', 'ArrowRight')
    await page.locator('#clock').filter({ hasText: '0:11.0' }).waitFor()
    await press(page, 'o', 't')
    await marked(page, '0:10.0–0:11.0')
    await press(page, 'n')
    await marked(page, 'not in the video')
    await press(page, 'k')
    await page.locator('#progress').filter({ hasText: '1 done' }).waitFor()
    const [line] = readFileSync(join(made.folder, 'verdicts', 'anna.jsonl'), 'utf8')
      .trim()
      .split('\n')
    expect((JSON.parse(line!) as ReviewLine).events).toEqual({ [first]: [[10, 11]], [second]: 'absent' })
    // The next question that has the first event.
    for (let step = 0; step < 20; step++) {
      await press(page, '1', 'v')
      await page.locator('#events').waitFor()
      const texts = await marksOn(page)
      const own = texts.find(text => text.startsWith(first))
      if (own) {
        expect(own).toBe(`${first} — 0:10.0–0:11.0`)
        break
      }
      await press(page, 'k')
      await page
        .locator('#progress')
        .filter({ hasText: `${step + 2} done` })
        .waitFor()
    }
    close()
    await review.close()
  },
)

test.skipIf(skip)(
  `the page that opens offline keeps them too, and its file brings them back${noChromium}`,
  async () => {
    const file = join(made.folder, 'review.html')
    const { html } = await staticPage({ folder: made.folder, file, reviewer: 'ben', share: 0, signal })
    writeFileSync(file, html)
    const page = await (await browser.newContext({ acceptDownloads: true })).newPage()
    await page.goto(pathToFileURL(file).href)
    await onlyOrders(page)
    const of: string[] = []
    for (let step = 0; step < 2; step++) {
      await page.locator('#question').waitFor()
      await press(page, '1', 'v')
      await page.locator('#events').waitFor()
      const [first = ''] = await marksOn(page)
      of.push(first)
      if (step === 0) await press(page, 'n')
      await press(page, 'k')
      await page
        .locator('#progress')
        .filter({ hasText: `${step + 1} done` })
        .waitFor()
    }
    const [download] = await Promise.all([page.waitForEvent('download'), page.locator('#save').click()])
    mkdirSync(join(made.folder, 'got'), { recursive: true })
    const saved = join(made.folder, 'got', 'ben.jsonl')
    await download.saveAs(saved)
    const lines = readFileSync(saved, 'utf8')
      .trim()
      .split('\n')
      .map(line => JSON.parse(line) as ReviewLine)
    expect(lines[0]?.events).toEqual({ [of[0]!]: 'absent' })
    expect(events.map(([text]) => text)).toContain(of[0])
    const { imported, refused } = await importVerdicts({ folder: made.folder, file: saved, reviewer: 'ben', signal })
    expect([imported, refused]).toEqual([2, []])
  },
)
