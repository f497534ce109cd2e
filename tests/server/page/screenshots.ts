import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { runScript } from '../../../scripts/script.ts'
import { pageAddress } from '../../../src/core/api/pages.ts'
import { InputError } from '../../../src/core/errors.ts'
import { type Serving, startServer } from '../serving.ts'
import { type Look, openBrowser } from './browser.ts'
import { terminalPicture, walkFirstHour } from './first-hour.ts'

const root = join(import.meta.dirname, '..', '..', '..')
const demo = join(root, 'demo', 'demo.mp4')
const images = join(root, 'docs', 'images')
const limit = 120_000 // bytes of a picture: they lie in the repository

// npm run screenshots [demo|page|first-hour]...: the pictures of README and docs, all or some. The first runs the demo as a newcomer
// does; the others take its video.
await runScript(async () => {
  const folder = mkdtempSync(join(tmpdir(), 'longtake-screenshots-'))
  const parts = process.argv.slice(2)
  const isAskedFor = (part: string) => parts.length === 0 || parts.includes(part)
  try {
    if (isAskedFor('demo')) await takeDemo(folder)
    if (!existsSync(demo)) throw new InputError(`${demo} is not there.`, { hint: 'Run first: npm run demo' })
    if (isAskedFor('first-hour')) await takeFirstHour(folder)
    if (isAskedFor('page')) await takePage(folder)
  } finally {
    rmSync(folder, { recursive: true })
  }
})

async function takeDemo(folder: string): Promise<void> {
  rmSync(join(root, 'demo'), { recursive: true, force: true })
  const environment = { ...process.env, LONGTAKE_HOME: join(folder, 'demo-home') }
  const output = execFileSync('bash', ['-c', 'npm run --silent demo 2>&1'], {
    cwd: root,
    env: environment,
    encoding: 'utf8',
  })
  const screenshot = join(folder, 'demo.png')
  writeFileSync(screenshot, await terminalPicture('npm run demo', output))
  quantise(screenshot, join(root, 'docs', 'demo.png'))
}

async function takeFirstHour(folder: string): Promise<void> {
  const target = join(images, 'first-hour')
  mkdirSync(target, { recursive: true })
  const hour = join(tmpdir(), 'first-hour') // what is printed has its path
  rmSync(hour, { recursive: true, force: true })
  await walkFirstHour({
    folder: hour,
    cut,
    keep(name, picture) {
      writeFileSync(join(folder, `${name}.png`), picture)
      quantise(join(folder, `${name}.png`), join(target, `${name}.png`))
    },
  })
  rmSync(hour, { recursive: true })
}

async function takePage(folder: string): Promise<void> {
  const videos = makeVideos(folder)
  const server = await startServer([videos, '--profile', 'embedded'], join(folder, 'home'))
  const browser = await openBrowser(server)
  try {
    mkdirSync(images, { recursive: true })
    for (const { name, path, ready, ...look } of await picturesOf(server)) {
      const { page } = await browser.open(path, look)
      await page.locator(ready).first().waitFor()
      await page.waitForTimeout(2500) // stills and the frame of the player have no sign that they are painted
      const screenshot = join(folder, `${name}.png`)
      await page.screenshot({ path: screenshot })
      await page.context().close()
      quantise(screenshot, join(images, `${name}.png`))
    }
  } finally {
    await browser.close()
    await server.stop()
  }
}

function cut(target: string, from: number, to: number): void {
  ffmpeg('-ss', `${from}`, '-to', `${to}`, '-i', demo, '-c', 'copy', target)
}

// The demo, and parts of it as videos of their own: a library of one would show little.
function makeVideos(folder: string): string {
  const videos = join(folder, 'town')
  mkdirSync(join(videos, 'talks'), { recursive: true })
  cut(join(videos, 'council-meeting.mp4'), 0, 200)
  cut(join(videos, 'talks/the-bridge.mp4'), 0, 60)
  cut(join(videos, 'talks/the-school-garden.mp4'), 60, 110)
  cut(join(videos, 'talks/the-market.mp4'), 110, 180)
  cut(join(videos, 'talks/opening.mp4'), 0, 18)
  cut(join(videos, 'talks/fire-alarm.mp4'), 84, 110)
  cut(join(videos, 'talks/next-meeting.mp4'), 150, 180)
  return videos
}

interface Picture extends Look {
  name: string
  path: string
  ready: string // what is seen when it is all there
}

async function picturesOf(server: Serving): Promise<Picture[]> {
  const meeting = await add(server, 'council-meeting.mp4')
  for (const talk of ['talks/the-school-garden.mp4', 'talks/the-market.mp4'])
    await over(server, 'POST', `/videos/${await add(server, talk)}/index`)
  for (const talk of ['talks/fire-alarm.mp4', 'talks/next-meeting.mp4', 'talks/opening.mp4']) await add(server, talk)
  const ask = (question: string, budget?: { steps: number }) =>
    over(server, 'POST', `/videos/${meeting}/ask`, { question, ...(budget ? { budget } : { session: 'meeting' }) })
  const cost = await ask('How much does the new bridge cost?')
  const children = await ask('How many children come every week?')
  const short = await ask('How many children come every week?', { steps: 1 })
  const video = pageAddress('video', { video: meeting }, { t: 60, run: children, session: 'meeting' })
  const answer = '.chat-answer'
  return [
    { name: 'library', path: '/', ready: '.card .picture img[src]' },
    { name: 'video', path: video, ready: answer },
    { name: 'video-dark', path: video, ready: answer, scheme: 'dark' },
    { name: 'video-phone', path: video, ready: answer, width: 390, height: 844 },
    { name: 'run', path: pageAddress('run', { run: cost }, { step: 3 }), ready: '.known .row' },
    { name: 'compare', path: pageAddress('compare', {}, { a: children, b: short }), ready: '.aligned li' },
  ]
}

async function add(server: Serving, path: string): Promise<string> {
  return readField(await server.call('POST', '/videos', { folder: 0, path }), 'id')
}

// The work of a job, to its end; the run that it made, if any.
async function over(server: Serving, method: string, path: string, body?: unknown): Promise<string> {
  const job = readField(await server.call(method, path, body), 'job')
  for (;;) {
    const reply = await server.call('GET', `/jobs/${job}?wait=20`)
    const state = readField(reply, 'state')
    if (state === 'done') return String((reply.json as { run?: string }).run ?? '')
    if (state === 'failed' || state === 'cancelled') throw new Error(`${path}: ${JSON.stringify(reply.json)}`)
  }
}

function readField({ json }: { json: unknown }, field: string): string {
  const value = (json as Record<string, unknown>)[field]
  if (typeof value !== 'string') throw new Error(`There is no "${field}" in ${JSON.stringify(json)}`)
  return value
}

// As few colours as keep it below the limit.
function quantise(from: string, to: string): void {
  for (const colours of [256, 128, 64, 32]) {
    const filter = `split[a][b];[a]palettegen=max_colors=${colours}:stats_mode=single[p];[b][p]paletteuse=dither=none`
    ffmpeg('-i', from, '-vf', filter, '-compression_level', '100', to)
    if (statSync(to).size < limit) break
  }
  console.log(`${to}: ${Math.round(statSync(to).size / 1000)} kB`)
}

function ffmpeg(...args: string[]): void {
  execFileSync('ffmpeg', ['-nostdin', '-v', 'error', '-y', ...args])
}
