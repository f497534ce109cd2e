import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { Cause } from '../../../src/core/agent.ts'
import { encodeLanes } from '../../../src/core/api/lanes-format.ts'
import { routes } from '../../../src/core/api/routes.ts'
import type { Track } from '../../../src/core/evidence.ts'
import { renderTown } from '../../end-to-end/town-video.ts'
import { startChatServer } from '../../servers/chat-server.ts'
import { noChromium } from '../../support/chromium.ts'
import { type Serving, startServer } from '../serving.ts'
import { axeFaults, axeFaultsInBothSchemes, type Browsing, looks, openBrowser, overflow, type Tab } from './browser.ts'
import { laneFigures, watchFrames } from './lane-figures.ts'
import { payloads, ranTraces } from './payloads.ts'

// One server, one clip of half a minute that the first test indexes by asking about it, one browser.

const folder = mkdtempSync(join(tmpdir(), 'longtake-page-'))
const place = (...names: string[]) => join(folder, ...names)
const question = 'How much is a ticket for adults?'
const hostile = payloads.filter(text => !/[\n\u0000]/.test(text)).slice(0, 4)

const hostileCue = (text: string, at: number) =>
  `${at + 4}\n00:00:2${6 + at},100 --> 00:00:2${6 + at},900\nworm ${text}`
const subtitles = [
  '1\n00:00:01,000 --> 00:00:05,000\nThe museum has seven hundred paintings and a small garden.',
  '2\n00:00:12,500 --> 00:00:16,000\nThe first tour starts in the morning at ten.',
  '3\n00:00:22,000 --> 00:00:26,000\nPlease leave your bags with the people at the door.',
  ...hostile.map(hostileCue),
]

let server: Serving
let browsing: Browsing
let video = ''
const current = {
  get origin() {
    return server.origin
  },
  get token() {
    return server.token
  },
}

const add = async (name: string): Promise<string> => {
  const { json } = await server.call('POST', '/videos', { path: name })
  return routes.addVideo.reply.parse(json).id
}
let conversations = 0
const fresh = (name: string) => `${name}-${++conversations}` // no conversation of a test, or of its first try
// As before the first try, if the first test is tried again.
const forgetAll = async () => {
  const { jobs } = routes.jobs.reply.parse((await server.call('GET', '/jobs')).json)
  for (const { id } of jobs) await server.call('DELETE', `/jobs/${id}`)
  const { sessions } = routes.sessions.reply.parse((await server.call('GET', '/sessions')).json)
  for (const { name } of sessions) await server.call('DELETE', `/sessions/${name}`)
  await expect.poll(async () => (await server.call('DELETE', `/videos/${video}`)).status).toBe(200)
  await add('town.mp4')
}
const address = (id = video) => `/v/${id}`
const time = (page: Page): Promise<number> => page.evaluate("document.querySelector('video')?.currentTime ?? -1")
// Whether a part of the page is whole in the window.
const inWindow = (selector: string) => `(() => {
  const { top, bottom } = document.querySelector('${selector}').getBoundingClientRect()
  return top >= 0 && bottom <= innerHeight
})()`
const ask = async (page: Page, text: string) => {
  await page.fill('#ask', text)
  await page.press('#ask', 'Enter')
}

describe.skipIf(noChromium !== '')(`the view of a video${noChromium}`, () => {
  beforeAll(async () => {
    mkdirSync(place('videos'), { recursive: true })
    await renderTown(place('videos', 'town.mp4'))
    writeFileSync(place('videos', 'town.srt'), subtitles.join('\n\n')) // nothing has to be transcribed
    server = await startServer([place('videos')], place('home'))
    video = await add('town.mp4')
    browsing = await openBrowser(current)
  })
  afterAll(async () => {
    await browsing?.close()
    await server?.stop()
    rmSync(folder, { recursive: true, force: true })
  })

  let tab: Tab
  afterEach(() => browsing?.closeOthers(tab))
  let cited = '' // the address of a row that an answer cites

  test('a question about a video without an index: its stages, then an answer that cites', async () => {
    await forgetAll()
    tab = await browsing.open(address())
    const { page } = tab
    await page.getByText('Not indexed yet').waitFor()
    const beside = await browsing.openBeside(tab, `${address()}?session=another`)
    await beside.page.getByText('Not indexed yet').waitFor()
    await ask(page, question)
    await beside.page.getByText('Indexing for a question in another conversation').waitFor()
    await beside.page.close()
    await page.locator('.index-progress progress').waitFor()
    expect(await page.locator('.chat-answer').count()).toBe(0)
    await page.locator('.chat-answer').waitFor()
    expect(await page.locator('.chat-answer').textContent()).toContain('12 euro')
    expect(await page.locator('.looked-line').count()).toBe(0) // nothing is missing
    await page.locator('.moments img[src]').first().waitFor()
    expect(await page.locator('.lane-names li', { hasText: 'Searched' }).textContent()).toMatch(/[1-9]/)
  })

  test('a citation brings the player there, and its row lights up in the lanes and in the list', async () => {
    const { page } = tab
    await page.locator('.citation').first().click()
    await page.locator('.cited-line', { hasText: '12 euro' }).waitFor()
    await page.locator('.cited-line button').click()
    const row = page.locator('.row-line.lit')
    await row.waitFor()
    expect(await row.textContent()).toContain('12 euro')
    const start = Number(await row.getAttribute('data-time'))
    await expect.poll(() => time(page)).toBeCloseTo(start, 1)
    expect(await page.getByRole('tab', { name: 'On screen', exact: true }).getAttribute('aria-selected')).toBe('true')
    expect(await page.locator('canvas').getAttribute('aria-valuenow')).toBe(String(Math.round(start)))
    await expect.poll(() => page.url()).toMatch(/[?&]t=[\d.]+-[\d.]+&row=t/)
  })

  test('the list of rows says that they load until they are there, and not that nothing was found', async () => {
    let go = () => {}
    const gate = new Promise<void>(resolve => {
      go = resolve
    })
    const context = tab.page.context()
    await context.route('**/lanes*', async route => {
      await gate
      await route.continue()
    })
    const other = await browsing.openBeside(tab, address())
    await other.page.getByRole('tab', { name: 'Transcript' }).click()
    const none = other.page.locator('.rows-none')
    await none.waitFor()
    expect(await none.textContent()).toBe('Loading…')
    go()
    await other.page.locator('.row-line').first().waitFor()
    await context.unroute('**/lanes*')
    await other.page.close()
  })

  test('the address brings another tab to the same moment and row', async () => {
    const { pathname, search } = new URL(tab.page.url())
    const other = await browsing.openBeside(tab, pathname + search)
    await other.page.locator('.cited-line', { hasText: '12 euro' }).waitFor()
    await expect.poll(() => time(other.page)).toBeCloseTo(Number(/t=([\d.]+)/.exec(search)?.[1]), 1)
    expect(new URL(other.page.url()).search).toBe(search)
    cited = pathname + search
    await other.page.close()
  })

  test('the same by keys alone, from the library to the cited moment in under 20', async () => {
    const { page } = await browsing.open('/')
    await page.locator(`a[href*="${address()}"]`).first().waitFor()
    let keys = 0
    const press = async (key: string) => {
      keys++
      await page.keyboard.press(key)
    }
    const focused = (what: string) => page.evaluate(`document.activeElement?.${what}`)
    await press('Tab')
    await press('Enter') // skips to the content
    expect(await focused('id')).toBe('main')
    while (!String(await focused("getAttribute('href')")).startsWith('/v/') && keys < 20) await press('Tab')
    await press('Enter')
    await page.locator('#ask').waitFor()
    expect(await focused('id')).toBe('main')
    await press('Tab')
    await press('Enter') // skips to the question
    expect(await focused('id')).toBe('ask')
    await page.keyboard.insertText(question)
    await press('Enter')
    await page.locator('.turn').nth(1).locator('.chat-answer').waitFor()
    while (!String(await focused('className')).includes('citation') && keys < 20) await press('Shift+Tab')
    await press('Enter')
    await page.locator('.cited-line').waitFor()
    expect(keys).toBeLessThan(20)
    await expect.poll(() => time(page)).toBeGreaterThan(0)
    await press('a')
    await press('Escape') // out of the field, where n is a letter
    expect(await focused('id')).toBe('main')
    await page.context().close()
  })

  test('the slider of the lanes says time, lane and row; every key does its one thing', async () => {
    const { page } = tab
    const canvas = page.locator('canvas')
    const said = () => canvas.getAttribute('aria-valuetext')
    await canvas.focus()
    await page.keyboard.press('0')
    await page.keyboard.press('ArrowUp')
    await expect.poll(said).toMatch(/Speech/)
    for (let step = 0; step < 4; step++) await page.keyboard.press('[')
    await expect.poll(said).toMatch(/^0:01, Speech: The museum has/)
    await page.keyboard.press(']')
    await expect.poll(said).toMatch(/^0:12, Speech: The first tour/)
    await expect.poll(() => time(page)).toBeCloseTo(12.5, 1)
    const moves: [string, number][] = [
      ['ArrowRight', 17.5],
      ['ArrowLeft', 12.5],
      ['j', 2.5],
      ['l', 12.5],
      ['.', 12.54],
      [',', 12.5],
    ]
    for (const [key, at] of moves) {
      await page.keyboard.press(key)
      await expect.poll(() => time(page), { message: key }).toBeCloseTo(at, 1)
    }
    const close = () => page.getByLabel('Zoom of the lanes').inputValue().then(Number)
    const before = await close()
    await page.keyboard.press('+')
    await expect.poll(close).toBeGreaterThan(before)
    await page.keyboard.press('-')
    await expect.poll(close).toBe(before)
    for (const [key, paused] of [
      ['k', false],
      ['k', true],
      [' ', false],
      [' ', true],
    ] as const) {
      await page.keyboard.press(key)
      await expect.poll(() => page.evaluate("document.querySelector('video')?.paused")).toBe(paused)
    }
    await page.keyboard.press('c')
    expect(await page.inputValue('#ask')).toMatch(/^At 0:1\d $/)
    await page.fill('#ask', '')
  })

  test('a press on the lanes seeks, the wheel zooms around the pointer, a drag pans', async () => {
    const { page } = tab
    const box = (await page.locator('canvas').boundingBox()) as { x: number; y: number; width: number; height: number }
    const close = () => page.getByLabel('Zoom of the lanes').inputValue().then(Number)
    await page.mouse.move(box.x + box.width / 2, box.y + 60)
    const { duration } = routes.video.reply.parse((await server.call('GET', `/videos/${video}`)).json)
    await page.mouse.down()
    await page.mouse.up()
    await expect.poll(() => time(page)).toBeCloseTo(duration / 2, 0)
    await page.mouse.wheel(0, -600)
    await expect.poll(close).toBeGreaterThan(0.1)
    await page.mouse.down()
    await page.mouse.up() // what was below the pointer still is
    await expect.poll(() => time(page)).toBeCloseTo(duration / 2, 0)
    await page.mouse.down()
    await page.mouse.move(box.x + 20, box.y + 60, { steps: 4 })
    await page.mouse.up()
    expect(await time(page)).toBeCloseTo(duration / 2, 0) // a drag is no press
    await page.mouse.move(box.x + box.width / 2, box.y + 60)
    await page.mouse.down()
    await page.mouse.up()
    await expect.poll(() => time(page)).toBeGreaterThan(duration / 2 + 1)
    await page.getByRole('button', { name: 'Fit' }).click()
    expect(await close()).toBe(0)
  })

  test('the filter finds by the words of the index; the list stops following when somebody scrolls', async () => {
    const { page } = tab
    await page.getByRole('tab', { name: 'Transcript' }).first().click()
    await page.locator('.filter').fill('bags')
    await page.locator('.found-rows mark').waitFor()
    expect(await page.locator('.found-rows .row-line').first().textContent()).toContain('Please leave your bags')
    await page.locator('.found-rows .row-line').first().click()
    await expect.poll(() => time(page)).toBeCloseTo(22, 1)
    await expect.poll(() => page.locator('.filter').inputValue()).toBe('')
    await page.locator('.virtual-list').hover()
    await page.mouse.wheel(0, 100)
    await page.getByRole('button', { name: 'Follow the player' }).click()
    await page.getByRole('button', { name: 'Follow the player' }).waitFor({ state: 'detached' })
  })

  test('multiple choice: the chosen option is named', async () => {
    const { page } = tab
    await page.getByRole('tab', { name: 'Ask' }).click()
    await page.getByRole('button', { name: 'Options' }).click()
    await page.fill('[name=options]', 'nine\nten')
    await ask(page, 'When is the first tour?')
    await page.locator('.choices .chosen').waitFor()
    expect(await page.locator('.choices .chosen').textContent()).toContain('ten')
    expect(await page.locator('.ask-options').count()).toBe(0) // they were of that question
  })

  test('the conversation is there after a reload, with its answers', async () => {
    await tab.page.reload()
    await tab.page.locator('.turn').nth(2).waitFor()
    expect(await tab.page.locator('.chat-answer').count()).toBeGreaterThanOrEqual(3)
  })

  test.each([...looks, { width: 1024, height: 768 }])(
    'axe finds nothing at $width px in either scheme; nothing is wider than the window, and the question is in it',
    async look => {
      const { page, complaints } = await browsing.open(address(), look)
      await page.locator('.turn.active .chat-answer').waitFor()
      expect(await overflow(page)).toBe(0)
      expect(await page.evaluate('document.documentElement.scrollHeight - innerHeight')).toBe(0)
      for (const part of ['#ask', '.turn.active .asked', '.player'])
        expect(await page.evaluate(inWindow(part)), part).toBe(true)
      for (const name of ['Ask', 'Transcript', 'On screen', 'Sounds']) {
        await page.getByRole('tab', { name }).click()
        if (name === 'Transcript') await page.locator('.row-line').first().waitFor()
        expect(await axeFaultsInBothSchemes(page), name).toEqual([])
        expect(await page.evaluate(inWindow('#ask')), name).toBe(true)
      }
      expect(complaints).toEqual([])
      await page.context().close()
    },
  )

  test('a conversation opens at the question whose marks the lanes show', async () => {
    const { page } = await browsing.open(address(), { width: 1440, height: 600 })
    await page.locator('.turn.active .chat-answer').waitFor()
    const visible = `(() => {
      const [turn, list] = ['.turn.active', '.turns'].map(name => document.querySelector(name).getBoundingClientRect())
      return turn.bottom <= list.bottom + 16 || turn.top < list.top + 60
    })()`
    await expect.poll(() => page.evaluate(visible)).toBe(true)
    await page.context().close()
  })

  test('the five causes of not answering read and look differently, without a confidence or a verdict', async () => {
    const { page } = await browsing.open('/health')
    await page.route('**/api/sessions/*', async route => {
      const reply = await route.fetch()
      const stored = routes.session.reply.parse(await reply.json())
      const [turn] = stored.turns
      const turns = Cause.options.map((cause, at) => ({
        ...turn,
        turn: at + 1,
        answer: {
          text: 'No.',
          sentences: [{ text: 'No.', cites: [], verdict: 'unseen' }],
          confidence: 0.6,
          abstained: true,
          cause,
          degraded: [],
        },
      }))
      await route.fulfill({ response: reply, json: { ...stored, turns } })
    })
    await page.goto(`${server.origin}${address()}`)
    await page.locator('.not-answered').nth(4).waitFor()
    const titles = await page.locator('.not-answered-title').allTextContents()
    expect(new Set(titles).size).toBe(5)
    const looks: string[] = await page.evaluate(`[...document.querySelectorAll('.not-answered')].map(part => {
      const { borderInlineStartColor, borderTopStyle } = getComputedStyle(part)
      return borderInlineStartColor + borderTopStyle
    })`)
    expect(new Set(looks).size).toBe(5)
    expect(await page.locator('.chat-answer:has(.not-answered) .answer-facts').count()).toBe(0)
    expect(await page.locator('.chat-answer:has(.not-answered) .verdict').count()).toBe(0)
    expect(await axeFaults(page)).toEqual([])
    await page.context().close()
  })

  test('a video that is not there is said under a heading', async () => {
    const { page } = await browsing.open(address('v00000000000000000000'))
    await page.getByText('There is no video with this id.').waitFor()
    expect(await axeFaults(page)).toEqual([])
    await page.context().close()
  })

  test('texts of subtitles, questions and answers stay texts', async () => {
    const { page, complaints } = await browsing.open(`${address()}?session=${fresh('worm')}`)
    const asked: string[] = []
    page.on('request', request => asked.push(request.url()))
    await page.locator('#ask').waitFor()
    await ask(page, `worm ${hostile[0]}`)
    await page.locator('.chat-answer').waitFor()
    await page.getByRole('tab', { name: 'Transcript' }).click()
    await page.locator('.row-line', { hasText: 'worm' }).first().waitFor()
    await page.locator('.filter').fill('worm')
    await page.locator('.found-rows .row-line').first().waitFor()
    expect(ranTraces(await page.evaluate('globalThis.ran'), asked)).toEqual([])
    expect(complaints).toEqual([])
    await page.context().close()
  })

  test('what Chromium shows no picture of is played in pieces, by the browser or by hls.js, at the right second', async () => {
    const picture = [
      '-f',
      'lavfi',
      '-i',
      'testsrc2=s=320x180:d=9',
      '-c:v',
      'libx265',
      '-preset',
      'ultrafast',
      '-x265-params',
      'log-level=none',
    ]
    execFileSync('ffmpeg', ['-v', 'error', '-nostdin', '-y', ...picture, place('videos', 'hevc.mp4')])
    const id = await add('hevc.mp4')
    for (const query of ['?t=7', '?t=7&hls=js']) {
      const { page, complaints } = await browsing.open(address(id) + query)
      await expect.poll(() => page.evaluate("document.querySelector('video')?.videoWidth")).toBe(320)
      await expect.poll(() => time(page)).toBeCloseTo(7, 1)
      const source = String(await page.evaluate("document.querySelector('video')?.src"))
      expect(source).toMatch(query.includes('js') ? /^blob:/ : /index\.m3u8$/)
      expect(complaints).toEqual([])
      await page.context().close()
    }
  })

  test('a file that is gone says so, and what its index holds is read', async () => {
    renameSync(place('videos', 'town.mp4'), place('videos', 'away.mp4'))
    onTestFinished(() => renameSync(place('videos', 'away.mp4'), place('videos', 'town.mp4')))
    const { page } = await browsing.open(address())
    await page.getByText('File missing', { exact: true }).waitFor()
    await page.getByRole('tab', { name: 'Transcript' }).click()
    await page.locator('.row-line', { hasText: 'seven hundred paintings' }).waitFor()
    const jumped = async () => {
      await page.locator('.row-line', { hasText: 'The first tour' }).click()
      return page.locator('canvas').getAttribute('aria-valuenow')
    }
    await expect.poll(jumped).toBe('13')
    expect(await axeFaults(page)).toEqual([])
    await page.context().close()
  })

  // The figures themselves are in docs/performance.md: this one shows that nothing grows with the rows.
  test('100,000 rows over twelve hours are drawn while they are zoomed and panned', async () => {
    const { page } = await browsing.open('/health')
    const duration = 43_200
    const spans = (count: number) =>
      Array.from({ length: count }, (_, at) => ({
        start: (at * duration) / count,
        end: ((at + 0.8) * duration) / count,
      }))
    const counts = { shot: 7000, speech: 43_000, text: 30_000, sound: 20_000 }
    const lanes = Object.entries(counts).map(([lane, count]) => ({ lane: lane as Track, spans: spans(count) }))
    await page.route(`**/api/videos/${video}/lanes`, route =>
      route.fulfill({ body: Buffer.from(encodeLanes({ video, duration }, lanes)) }),
    )
    await page.route(`**/api/videos/${video}`, async route => {
      const reply = await route.fetch()
      await route.fulfill({ response: reply, json: { ...(await reply.json()), duration } })
    })
    await watchFrames(page)
    await page.goto(`${server.origin}${address()}`)
    const { rows, bytes, ready, draw } = await laneFigures(page)
    expect(rows).toBeGreaterThanOrEqual(100_000)
    expect(bytes).toBeLessThanOrEqual(1_000_000)
    expect(ready).toBeLessThan(3000)
    expect(draw.p50).toBeLessThan(16) // a frame's own work; p95 is a matter of what else the machine does
    await page.context().close()
  })

  test('steps are live; after a reload, and after a kill -9 of the server, the page picks the question up and goes on', async () => {
    await browsing.close()
    await server.stop()
    let letGo = () => {}
    const held = new Promise<void>(resolve => {
      letGo = resolve
    })
    // One that asks for one search, and waits with that until it is let go.
    const slow = await startChatServer(['slow'], async ({ messages }) => {
      const sent = JSON.stringify(messages)
      if (sent.includes('adults ticket')) return { content: 'READY' }
      if (sent.includes(question)) await held
      const search = { name: 'search', arguments: '{"query":"adults ticket"}' }
      return { content: null, tool_calls: [{ id: 'c', type: 'function', function: search }] }
    })
    onTestFinished(slow.close)
    const planner = { backend: 'openai', model: 'slow', url: `${slow.url}/v1` }
    writeFileSync(place('slow.json'), JSON.stringify({ models: { planner } }))
    const start = (port = 0) =>
      startServer([place('videos'), '--config', place('slow.json'), '--port', String(port)], place('home'))
    server = await start()
    browsing = await openBrowser(current)
    const { page } = await browsing.open(`${address()}?session=${fresh('held')}`)
    await page.locator('#ask').waitFor()
    await ask(page, question)
    await page.locator('.going .step').first().waitFor() // live, before there is an answer
    expect(await page.locator('.chat-answer').count()).toBe(0)
    await page.reload()
    await page.locator('.going .step').first().waitFor()
    const { port } = server
    await server.kill()
    letGo()
    await page.getByText('The server does not answer').waitFor()
    await page.fill('#ask', 'half a question')
    server = await start(port)
    await page.getByText('The server stopped during this job').first().waitFor()
    await page.getByRole('button', { name: 'Resume' }).click()
    await page.locator('.chat-answer').waitFor()
    expect(await page.locator('.chat-answer').textContent()).toContain('12 euro')
    expect(await page.locator('.turn').count()).toBe(1)
    expect(await page.inputValue('#ask')).toBe('half a question')
    await page.reload()
    await expect.poll(() => page.inputValue('#ask')).toBe('half a question')
    await page.locator('.chat-answer').waitFor()
    await page.locator('.citation').first().click()
    await expect.poll(() => time(page)).toBeGreaterThan(0)
  })

  test('Stop ends a question, which can be resumed', async () => {
    const { page } = await browsing.open(`${address()}?session=${fresh('other')}`)
    await page.locator('#ask').waitFor()
    await ask(page, 'Which bus goes to the museum?')
    await page.getByRole('button', { name: 'Stop' }).click()
    await page.getByRole('button', { name: 'Resume' }).waitFor()
    await page.context().close()
  })

  test('a lane that somebody chose stays chosen if the lanes change after it', async () => {
    const { page } = await browsing.open(`${cited}&session=${fresh('lanes')}`)
    await page.locator('.cited-line').waitFor()
    const canvas = page.locator('canvas')
    await canvas.focus()
    await page.keyboard.press('ArrowUp')
    await expect.poll(() => canvas.getAttribute('aria-valuetext')).toMatch(/Speech/)
    await ask(page, question)
    await page.locator('.chat-answer').waitFor() // whose citations are a lane of their own
    await canvas.focus()
    await page.keyboard.press('ArrowRight')
    await expect.poll(() => canvas.getAttribute('aria-valuetext')).toMatch(/Speech/)
    await page.close()
  })
})
