import { mkdirSync, writeFileSync } from 'node:fs'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { routes } from '../../../src/core/api/routes.ts'
import { h264, type MediaFolder, mediaFolder } from '../../media-fixtures.ts'
import { plainCaption } from '../../support/captions.ts'
import { noChromium } from '../../support/chromium.ts'
import { type Serving, startServer } from '../serving.ts'
import { axeFaults, type Browsing, openBrowser, overflow } from './browser.ts'

// Two voices, one of which says its name, and three shots; the first and the last show somebody who is described alike.
const lines = [
  [1, 'Hello, this is Diane in New Jersey.'],
  [2, 'The ticket costs twelve dollars.'],
  [1, 'It cost ten when I was young.'],
]
const somebody = { looks: 'a woman in a red coat', does: 'stands', name: '' }
const caption = (people: object[], place: string) => ({
  ...{ purpose: 'caption', text: JSON.stringify({ ...plainCaption, objects: [], people, place }) },
})

let media: MediaFolder
let server: Serving
let browsing: Browsing
let address = ''
const time = (page: Page): Promise<number> => page.evaluate("document.querySelector('video')?.currentTime ?? -1")

describe.skipIf(noChromium !== '')(`captions and people in the view of a video${noChromium}`, () => {
  beforeAll(async () => {
    media = mediaFolder()
    mkdirSync(media.path('videos'))
    const colours = ['red', 'blue', 'green']
    const shots = colours.flatMap(colour => ['-f', 'lavfi', '-i', `color=${colour}:s=320x180:r=5:d=10`])
    const joined = [
      '-f',
      'lavfi',
      '-i',
      'anullsrc=d=30',
      '-filter_complex',
      '[0][1][2]concat=n=3:v=1[v]',
      '-map',
      '[v]',
      '-map',
      '3:a',
    ]
    media.ffmpeg('videos/call.mp4', [...shots, ...joined], h264)
    const cues = lines.map(
      ([who, text], at) => `00:0${at * 3}.000 --> 00:0${at * 3 + 2}.000\n<v Speaker ${who}>${text}`,
    )
    writeFileSync(media.path('videos/call.vtt'), `WEBVTT\n\n${cues.join('\n\n')}\n`)
    const replies = [caption([somebody], 'a hall'), caption([], 'a street'), caption([somebody], 'a garden')]
    const settings = {
      profile: 'embedded',
      models: { speakers: { backend: 'sherpa' }, vision: { backend: 'scripted', replies } }, // subtitles tell the voices
      index: { tracks: { text: false, sound: false }, captions: { mode: 'shots' } },
    }
    writeFileSync(media.path('settings.json'), JSON.stringify(settings))
    server = await startServer([media.path('videos'), '--config', media.path('settings.json')], media.path('home'))
    const { json } = await server.call('POST', '/videos', { path: 'call.mp4' })
    const { id } = routes.addVideo.reply.parse(json)
    address = `/v/${id}`
    await server.call('POST', `/videos/${id}/index`)
    const state = async () => routes.video.reply.parse((await server.call('GET', `/videos/${id}`)).json).state
    await vi.waitUntil(async () => (await state()) === 'ready', { timeout: 60_000, interval: 200 })
    browsing = await openBrowser(server)
  })
  afterAll(async () => {
    await browsing?.close()
    await server?.stop()
    media?.remove()
  })

  test('names stand with what gives them, who is only described is numbered, and times and rows jump', async () => {
    const { page, complaints } = await browsing.open(address)
    await page.getByRole('tab', { name: 'People' }).click()
    const list = page.locator('.people-list')
    expect(await list.locator('h2').allTextContents()).toEqual([
      'Diane (speaker 1)',
      'Speaker 2',
      'Person 1: woman in a red coat',
    ])
    expect(await list.textContent()).toContain('"Diane": says so: "Hello, this is Diane in New Jersey."')
    await list.getByRole('button', { name: 'Person 1: woman in a red coat appears at 0:20' }).click()
    await expect.poll(() => time(page)).toBeCloseTo(20, 1)
    await list.getByRole('button', { name: 'Row 1 of "Diane"' }).click()
    await expect.poll(() => time(page)).toBeCloseTo(0, 1)
    await page.locator('.cited-line', { hasText: 'this is Diane' }).waitFor()
    expect(complaints).toEqual([])
    await page.context().close()
  })

  test('captions and people have lanes of their own, which keys reach', async () => {
    const { page } = await browsing.open(address)
    await page.getByText('Evidence', { exact: true }).click()
    const names = page.locator('.lane-names li')
    await expect.poll(() => names.filter({ hasText: 'Captions' }).textContent()).toMatch(/3/)
    expect(await names.filter({ hasText: 'People' }).textContent()).toMatch(/[1-9]/)
    const canvas = page.locator('canvas')
    await canvas.focus()
    const lane = () => names.filter({ has: page.locator('.caption') }).getAttribute('class')
    for (let step = 0; step < 8 && (await lane()) !== 'chosen'; step++) await page.keyboard.press('ArrowDown')
    await page.keyboard.press(']')
    await expect.poll(() => canvas.getAttribute('aria-valuetext')).toMatch(/^0:10, Captions: /)
    await page.context().close()
  })

  test.each([
    { width: 1280, height: 900 },
    { width: 400, height: 844 },
  ])('axe finds nothing at $width px with the people open, and nothing is wider than the window', async look => {
    const { page, complaints } = await browsing.open(address, look)
    await page.getByRole('tab', { name: 'People' }).click()
    await page.locator('.people-list h2').first().waitFor()
    expect(await axeFaults(page)).toEqual([])
    expect(await overflow(page)).toBe(0)
    expect(complaints).toEqual([])
    await page.context().close()
  })

  test('a video of which nothing of it is known has neither the list nor the lanes', async () => {
    const { page } = await browsing.open(address)
    await page.route(`**/api${address.replace('/v/', '/videos/')}`, async route => {
      const reply = await route.fetch()
      const {
        people: _,
        coverage: { caption: __, ...coverage },
        ...rest
      } = (await reply.json()) as {
        people: unknown
        coverage: { caption: unknown }
      }
      await route.fulfill({ response: reply, json: { ...rest, coverage } })
    })
    await page.route('**/lanes', route => route.abort())
    await page.reload()
    await page.getByText('Evidence', { exact: true }).click()
    await page.locator('canvas[aria-busy=false]').waitFor()
    expect(await page.locator('.lane-names li').count()).toBe(0)
    expect(await page.getByRole('tab', { name: 'People' }).count()).toBe(0)
    await page.context().close()
  })
})
