import { cpSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { Page } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import { openReview } from '../../../eval/make/review/open-review.ts'
import type { ReviewLine } from '../../../eval/make/review/verdict.ts'
import { axeFaultsInBothSchemes, overflow } from '../../server/page/browser.ts'
import { chromiumPath, noChromium } from '../../support/chromium.ts'
import { commandLine } from '../../support/command-line.ts'
import { linesIn } from '../../support/line-file.ts'
import { markByKeys, reviewDesk, waitFor } from './desk.ts'

const { signal } = new AbortController()
const desk = reviewDesk((made, folder) => cpSync(made, folder, { recursive: true }))
const anna = () => openReview({ folder: desk.folder, reviewer: 'anna', share: 0.2, signal })

const linesOf = (reviewer: string) => linesIn<ReviewLine>(join(desk.folder, 'verdicts', `${reviewer}.jsonl`))
const boardOf = () => JSON.parse(readFileSync(join(desk.folder, 'benchmark.json'), 'utf8'))
const textOf = (page: Page, id: string) => page.locator(`#${id}`).innerText()
const itemAsked = async (page: Page) => {
  const asked = await textOf(page, 'question')
  return desk.made.items.find(({ question }) => question === asked)!
}
const until = (page: Page, holds: string) => expect.poll(() => page.evaluate(holds)).toBe(true)

const isInView = (box: { y: number; height: number } | null) => box !== null && box.y >= 0 && box.y + box.height <= 800

const skip = chromiumPath() === undefined

describe(`the page of a review${noChromium}`, () => {
  test.skipIf(skip)(
    'is worked by keys alone: answer, interval, key, keep, drop with reasons, fix, undo; nothing leaves the host',
    async () => {
      await desk.served(await anna(), async url => {
        const { page, strange } = await desk.open(url)
        const { keyboard } = page
        await waitFor(page, 'progress', '0 done, 6 left for you')
        const first = await itemAsked(page)
        expect(await page.locator('#key').isVisible()).toBe(false)
        await keyboard.press('k')
        await waitFor(page, 'status', 'See the key first')
        await keyboard.press('v')
        await waitFor(page, 'status', 'Answer first')
        if (first.video === 'talk') await until(page, 'document.querySelector("video").readyState > 0')
        // An interval from 1 to 6 seconds, then the answer, then the key.
        await markByKeys(page)
        await keyboard.press('2')
        await keyboard.press('Enter')
        await page.locator('#key').waitFor()
        expect(await textOf(page, 'right')).toContain(first.answer)
        expect(await textOf(page, 'rows')).toContain(first.answer)
        expect(await page.locator('#marks .clue').count()).toBe(1)
        await keyboard.press('4')
        await keyboard.press('k')
        await waitFor(page, 'progress', '1 done')
        expect(linesOf('anna').at(-1)).toMatchObject({
          ...{
            item: first.id,
            verdict: 'keep',
            answered: first.options![1],
            confidence: 4,
            clues: [[1, 6]],
            reasons: [],
          },
        })
        // A drop, with two reasons by their letters.
        const second = await itemAsked(page)
        for (const key of ['1', 'v', 'd', 'c', 'j', 'Enter']) await keyboard.press(key)
        await waitFor(page, 'progress', '2 done')
        expect(linesOf('anna').at(-1)).toMatchObject({
          item: second.id,
          verdict: 'drop',
          reasons: ['ambiguous', 'leak'],
        })
        // Taken back, and fixed instead: first so that the checks refuse it.
        await keyboard.press('u')
        await waitFor(page, 'progress', '1 done')
        expect((await itemAsked(page)).id).toBe(second.id)
        await page.locator('#key').waitFor()
        await keyboard.press('f')
        await page.locator('#fields textarea').first().focus()
        await keyboard.press('Control+a')
        await keyboard.type(`Is it ${second.answer}?`)
        await keyboard.press('Control+Enter')
        await waitFor(page, 'status', 'does not pass the checks')
        await keyboard.press('Control+a')
        await keyboard.type(second.question.replace('What', 'Which'))
        await page.reload() // what is written outlives it
        await page.locator('#fields textarea').first().focus()
        expect(await page.locator('#fields textarea').first().inputValue()).toBe(
          second.question.replace('What', 'Which'),
        )
        await keyboard.press('Control+Enter')
        await waitFor(page, 'progress', '2 done')
        expect(linesOf('anna').at(-1)).toMatchObject({
          ...{ item: second.id, verdict: 'fix', fixed: { question: second.question.replace('What', 'Which') } },
        })
        await keyboard.press('?')
        expect(await page.locator('dialog').isVisible()).toBe(true)
        await keyboard.press('Escape')
        await page.locator('#help').focus()
        await keyboard.press(' ') // the button's own key, and no playing
        expect(await page.locator('dialog').isVisible()).toBe(true)
        await keyboard.press('Escape')
        for (let left = 4; left > 0; left--) {
          await waitFor(page, 'progress', `${left} left for you`)
          for (const key of ['1', 'v', 'k']) await keyboard.press(key)
        }
        await waitFor(page, 'status', 'Nothing is left for you')
        expect(strange).toEqual([expect.stringContaining('400 (Bad Request)')]) // the refused fix
        await page.context().close()
      })
      const { reviewed } = boardOf()
      expect(reviewed).toMatchObject({ items: 6, of: 6, human: { answered: 6, marked: 1 } })
    },
  )

  test.skipIf(skip)(
    'shows stills of what the browser cannot play and says so, fits 400 pixels, and is sound to axe',
    async () => {
      await desk.served(await anna(), async url => {
        const { page, strange } = await desk.open(url, 400)
        await waitFor(page, 'progress', '0 done')
        for (let seen = ''; (await itemAsked(page)).video !== 'walk'; ) {
          seen = await textOf(page, 'progress')
          for (const key of ['1', 'v', 'k']) await page.keyboard.press(key)
          await until(page, `document.querySelector('#progress').textContent !== ${JSON.stringify(seen)}`)
        }
        await waitFor(page, 'unplayed', 'cannot play walk: stills instead')
        expect(await page.locator('#stills img').count()).toBe(8)
        await page.keyboard.press('Shift+ArrowRight')
        await until(
          page,
          'document.querySelector("#still").src.endsWith("/5.0") && document.querySelector("#still").naturalWidth > 0',
        )
        for (const key of ['1', 'v']) await page.keyboard.press(key)
        await page.locator('#key').waitFor()
        expect(await overflow(page)).toBe(0)
        for (const verdict of ['Keep k', 'Fix f', 'Drop d'])
          await expect.soft(page.getByRole('button', { name: verdict }).boundingBox()).resolves.toSatisfy(isInView)
        expect(strange).toEqual([])
        expect(await axeFaultsInBothSchemes(page)).toEqual([])
        await page.context().close()
      })
    },
  )

  test.skipIf(skip)('is there for nobody without the token, nor for a page of another origin', async () => {
    await desk.served(await anna(), async url => {
      const { origin } = new URL(url)
      expect((await fetch(`${origin}/${'x'.repeat(43)}/`)).status).toBe(404)
      expect((await fetch(origin)).status).toBe(400)
      expect((await fetch(url)).status).toBe(200)
      expect((await fetch(url, { headers: { origin: 'http://example.org' } })).status).toBe(403)
      const json = { 'content-type': 'application/json' }
      expect((await fetch(`${url}next`, { method: 'POST', headers: json, body: '{"kind":7}' })).status).toBe(400)
      expect((await fetch(`${url}toString`, { method: 'POST', headers: json, body: '{}' })).status).toBe(404)
    })
  })

  test.skipIf(skip)(
    'as one file plays videos by their path, keeps verdicts over a reload, and saves them for --import',
    async () => {
      const line = commandLine()
      const file = join(desk.folder, '..', `page of ${desk.folder.split('/').at(-1)}.html`)
      expect(await line.run('bench', 'review', desk.folder, '--static', file)).toMatchObject({ code: 0, stderr: '' })
      const { page, strange } = await desk.open(pathToFileURL(file).href)
      await waitFor(page, 'progress', '0 done, 6 left')
      for (let left = 6; left > 0; left--) {
        await waitFor(page, 'progress', `${left} left`)
        const { video } = await itemAsked(page)
        if (video === 'talk') await until(page, 'document.querySelector("video").readyState > 0')
        else expect(await page.locator('#stills img').count()).toBe(8)
        for (const key of ['2', 'v', left === 4 ? 'd' : 'k']) await page.keyboard.press(key)
        if (left === 4) for (const key of ['d', 'Enter']) await page.keyboard.press(key)
      }
      await waitFor(page, 'status', 'Nothing is left')
      page.on('dialog', dialog => void dialog.accept())
      await page.reload()
      await waitFor(page, 'progress', '6 done')
      await page.locator('#save').click()
      await waitFor(page, 'status', 'Write your name first')
      await page.locator('#name').fill('ben')
      const [download] = await Promise.all([page.waitForEvent('download'), page.locator('#save').click()])
      expect(download.suggestedFilename()).toBe('verdicts-ben.jsonl')
      const saved = join(desk.folder, '..', 'verdicts-ben.jsonl')
      await download.saveAs(saved)
      expect(strange).toEqual([])
      await page.context().close()
      expect(await line.run('bench', 'review', desk.folder, '--import', saved)).toMatchObject({ code: 0 })
      expect(linesOf('ben')).toHaveLength(6)
      const { reviewed } = boardOf()
      expect(reviewed).toMatchObject({ items: 6, reasons: { trivial: 1 } })
    },
  )
})
