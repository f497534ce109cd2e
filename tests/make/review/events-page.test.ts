import { cpSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { Page } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import { importVerdicts } from '../../../eval/make/review/import-verdicts.ts'
import { openReview } from '../../../eval/make/review/open-review.ts'
import type { ItemView } from '../../../eval/make/review/page-data.ts'
import { staticPage } from '../../../eval/make/review/static-page.ts'
import type { ReviewLine } from '../../../eval/make/review/verdict.ts'
import { axeFaults, overflow } from '../../server/page/browser.ts'
import { chromiumPath, noChromium } from '../../support/chromium.ts'
import { linesIn } from '../../support/line-file.ts'
import { markByKeys, reviewDesk, waitFor } from './desk.ts'
import { filmSet } from './film-set.ts'

const { signal } = new AbortController()
const desk = reviewDesk((made, folder) => cpSync(made, folder, { recursive: true }), filmSet)
const skip = chromiumPath() === undefined
const eventsOn = (page: Page) => page.locator('#eventlist button').allInnerTexts()
const press = async (page: Page, ...keys: string[]) => {
  for (const key of keys) await page.keyboard.press(key)
}
// The key, once an answer is given.
const seen = async (page: Page) => {
  await press(page, '1', 'v')
  await page.locator('#key').waitFor()
}
const onlyOrders = (page: Page) => page.locator('#kind').selectOption('choronological_understanding')

describe(`events that an answer rests on${noChromium}`, () => {
  test.skipIf(skip)('are timed by keys after the key, and what was said stands in the next question', async () => {
    const anna = await openReview({ folder: desk.folder, reviewer: 'anna', share: 0, signal })
    await desk.served(anna, async url => {
      const { page, strange } = await desk.open(url)
      await waitFor(page, 'progress', '0 done')
      const [step] = await Promise.all([page.waitForResponse(/\/next$/), onlyOrders(page)])
      const { question } = ((await step.json()) as { item: ItemView }).item
      await waitFor(page, 'question', question)
      const [first = '', second = '', ...others] = desk.made.items.find(item => item.question === question)!.events!
        .list
      expect(await page.locator('#events').isVisible()).toBe(false)
      await seen(page)
      expect(await eventsOn(page)).toEqual([first, second, ...others])
      await press(page, 't')
      await waitFor(page, 'status', 'Mark an interval first')
      for (let at = 0; at < 40; at++) await press(page, 'Shift+ArrowLeft') // to its begin
      await waitFor(page, 'clock', '0:00.0 /')
      await markByKeys(page)
      await press(page, 't')
      await waitFor(page, 'eventlist', `${first} — 0:01.0–0:06.0`)
      await press(page, 'n')
      await waitFor(page, 'eventlist', `${second} — not in the video`)
      expect([await axeFaults(page), await overflow(page)]).toEqual([[], 0])
      await press(page, 'k')
      await waitFor(page, 'progress', '1 done')
      const [line] = linesIn<ReviewLine>(join(desk.folder, 'verdicts', 'anna.jsonl'))
      expect(line?.events).toEqual({ [first]: [[1, 6]], [second]: 'absent' })
      let again: string | undefined
      for (let done = 1; again === undefined && done < 20; done++) {
        await seen(page)
        again = (await eventsOn(page)).find(text => text.startsWith(first))
        await press(page, 'k')
        await waitFor(page, 'progress', `${done + 1} done`)
      }
      expect(again).toBe(`${first} — 0:01.0–0:06.0`)
      expect(strange).toEqual([])
    })
  })

  test.skipIf(skip)('are kept by the page that opens offline, whose file brings them back', async () => {
    const file = join(desk.folder, 'review.html')
    const { html } = await staticPage({ folder: desk.folder, file, reviewer: 'ben', share: 0, signal })
    writeFileSync(file, html)
    const { page } = await desk.open(pathToFileURL(file).href)
    await onlyOrders(page)
    await seen(page)
    const [first = ''] = await eventsOn(page)
    await press(page, 'n', 'k')
    await waitFor(page, 'progress', '1 done')
    let again: string | undefined
    for (let done = 1; again === undefined && done < 20; done++) {
      await seen(page)
      again = (await eventsOn(page)).find(text => text.startsWith(first))
      await press(page, 'k')
      await waitFor(page, 'progress', `${done + 1} done`)
    }
    expect(again).toBe(`${first} — not in the video`)
    const [download] = await Promise.all([page.waitForEvent('download'), page.locator('#save').click()])
    const saved = join(desk.folder, 'ben.jsonl')
    await download.saveAs(saved)
    expect(linesIn<ReviewLine>(saved)[0]?.events).toEqual({ [first]: 'absent' })
    const { refused, set } = await importVerdicts({ folder: desk.folder, file: saved, reviewer: 'ben', signal })
    expect(refused).toEqual([])
    expect(set?.reviewed.reasons).toHaveProperty('not-in-video')
  })
})
