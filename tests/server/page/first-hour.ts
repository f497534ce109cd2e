import { spawnSync } from 'node:child_process'
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { h, toHtml } from '../../../eval/report/page/markup.ts'
import { launchChromium } from '../../support/chromium.ts'
import { startServer } from '../serving.ts'
import { openBrowser } from './browser.ts'

const bin = join(import.meta.dirname, '..', '..', '..', 'bin', 'longtake.mjs')

interface FirstHour {
  folder: string // empty
  cut(target: string, from: number, to: number): void // a part of the demo as a video of its own
  keep(name: string, picture: Buffer): void
}

// The steps of docs/first-hour.md after the demo, each as it looks: on the command line and on the page, with real keys and clicks.
export async function walkFirstHour({ folder, cut, keep }: FirstHour): Promise<void> {
  const home = join(folder, 'home')
  mkdirSync(join(folder, 'my-videos'), { recursive: true })
  cut(join(folder, 'my-videos', 'market.mp4'), 110, 180)
  cut(join(folder, 'my-videos', 'school-garden.mp4'), 60, 110)
  const run = (...args: string[]) => {
    const environment = { ...process.env, LONGTAKE_HOME: home, LONGTAKE_CONFIG: undefined }
    const { stdout, stderr } = spawnSync(process.execPath, [bin, ...args], {
      cwd: folder,
      env: environment,
      encoding: 'utf8',
    })
    return stderr + stdout
  }
  const question = 'Where does the market move to?'
  keep('1-index', await terminalPicture('npx longtake index my-videos', run('index', 'my-videos')))
  keep(
    '2-ask',
    await terminalPicture(`npx longtake my-videos/market.mp4 "${question}"`, run('my-videos/market.mp4', question)),
  )
  const server = await startServer([join(folder, 'my-videos')], home)
  const browser = await openBrowser(server)
  try {
    const { page } = await browser.open('/')
    const look = async (name: string, ready: string, on: Page = page) => {
      await on.locator(ready).first().waitFor()
      await on.waitForTimeout(2500) // stills and the frame of the player have no sign that they are painted
      keep(name, await on.screenshot())
    }
    await look('3-library', '.card .picture img[src]')
    await page.locator('.card a.face', { hasText: 'market' }).click()
    await look('4-video', '.suggestions button')
    const ask = async (text: string) => {
      await page.locator('#ask').fill(text)
      await page.locator('#ask').press('Enter')
    }
    await ask(question)
    await look('5-answer', '.chat-answer .citation')
    await page.locator('.chat-answer .citation').first().click()
    await look('6-citation', '.row-line.current, .chat-answer')
    const answered = new URL(page.url())
    await ask('What colour is her coat?')
    await look('7-not-answered', '.not-answered')
    await page.locator('a[href^="/r/"]').first().click()
    await look('8-replay', '.known .row')
    const { page: phone } = await browser.open(answered.pathname + answered.search, { width: 390, height: 844 })
    await look('9-phone', '.chat-answer', phone)
  } finally {
    await browser.close()
    await server.stop()
  }
}

// A command and all that it printed, as a terminal shows it.
export async function terminalPicture(command: string, output: string): Promise<Buffer> {
  const browser = await launchChromium()
  try {
    const page = await browser.newPage({ viewport: { width: 1060, height: 200 } })
    await page.setContent(
      toHtml(h('div', h('style', terminalStyle), h('pre', h('b', `$ ${command}\n`), output.trimEnd()))),
    )
    return await page.locator('pre').screenshot()
  } finally {
    await browser.close()
  }
}

const terminalStyle = `
body { margin: 0 }
pre { margin: 0; padding: 22px 26px; background: #1b1e26; color: #d6dae3; font: 15px/1.5 'DejaVu Sans Mono', monospace; white-space: pre-wrap }
b { color: #7fb2ee; font-weight: 400 }`
