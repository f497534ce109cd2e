import { execFileSync } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { get } from 'node:http'
import { loadavg, tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { createRuntime } from '../../src/app/runtime.ts'
import { resolveConfig } from '../../src/config/resolve.ts'
import { routes } from '../../src/core/api/routes.ts'
import { renderTown } from '../../tests/end-to-end/town-video.ts'
import { openBrowser } from '../../tests/server/page/browser.ts'
import { listen, type Serving, startServer } from '../../tests/server/serving.ts'
import { makeLongEntry } from '../../tests/support/long-entry.ts'
import { copyVideo } from '../../tests/support/many-videos.ts'
import { madeBy, replaceBlock } from '../doc-block.ts'
import { type Inspected, inspectedServer } from './inspected.ts'
import { laneFigures, watchFrames } from './lanes.ts'
import { median } from './measure.ts'
import { libraryTimes, pageBytes } from './page.ts'

// What the server takes, against its goals. npm run perf:serve -- [--write] [--only WORD]
const folder = mkdtempSync(join(tmpdir(), 'longtake-perf-serve-'))
const place = (...names: string[]) => join(folder, ...names)
const [load = 0] = loadavg() // before a library is made
const only = process.argv[process.argv.indexOf('--only') + 1]
const isWanted = (what: string) => !process.argv.includes('--only') || what.includes(only ?? '')

// One figure: what it is, the goal, and how it is measured. Those of the page join here, one function a row.
type Row = [what: string, goal: string, measure: () => Promise<string>]
const rows: Row[] = [
  ['server ready after the command', '≤ 700 ms', ready],
  ['ask to first step event, the first question after the start', '≤ 700 ms', coldStep],
  ['ask to first step event, after that', '≤ 100 ms', warmStep],
  ['ask to answer over the server, beside the library alone (paired, 50 questions)', '≤ + 15 ms', besideLibrary],
  [
    '50 viewers, each with all events and ranges of 0.77 MB a second (38 MB/s in all)',
    '≤ 300 MB, p95 ≤ 500 ms',
    viewers,
  ],
  ['event loop while a video is indexed, inside', 'p99 ≤ 50 ms', loopWhileIndexing],
  ['answer of /api/health while a video is indexed, asked every 5 ms', '', healthWhileIndexing],
  ['memory with nothing open', '≤ 130 MB', idleMemory],
  ['memory of each open video of 45 minutes (6,250 rows)', '≤ 10 MB', memoryOf45],
  ['memory of an open entry of 12 hours, 100,000 rows', '≤ 120 MB', memoryOf12],
  ['event loop while a question about these 12 hours is answered, inside', '', loopWhileAsking],
  ['lanes of 100,000 rows: size', '≤ 1 MB', laneBytes],
  ['lanes of 100,000 rows: the first time, index opened on the way', '', lanesCold],
  ['lanes of 100,000 rows: after that', '≤ 500 ms', lanesWarm],
  ['list of 5,000 runs, after the first time', '≤ 300 ms', manyRuns],
  ['page: JavaScript and CSS of the first view, gzipped; all views without hls.js', '≤ 60 kB, ≤ 150 kB', pageSize],
  ['page: first paint, and 200 videos listed', '≤ 600 ms, ≤ 1 s', library200],
  ['page: lanes of 100,000 rows, 240 frames of zoom and pan', 'p95 ≤ 34 ms a frame', laneFrames],
  ['a piece of HLS nobody has asked for yet, 1280 × 720 AVI', '≤ 3 s', () => firstPiece('1280x720')],
  ['a piece of HLS nobody has asked for yet, 1920 × 1080 AVI', '≤ 3 s', () => firstPiece('1920x1080')],
]

const ms = (value: number) => `${value.toFixed(value < 10 ? 1 : 0)} ms`
const mb = (value: number) => `${value.toFixed(0)} MB`
const share = (values: number[], part: number) =>
  [...values].sort((a, b) => a - b)[Math.min(values.length - 1, Math.floor(values.length * part))] ?? Number.NaN
const timed = async (work: () => Promise<unknown>) => {
  const began = performance.now()
  await work()
  return performance.now() - began
}
const residentMegabytes = ({ pid }: Serving) =>
  Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) / 1000

const monitor = `globalThis.delays = process.getBuiltinModule('node:perf_hooks').monitorEventLoopDelay({ resolution: 5 })`
const small = place('home')
const videos = place('videos')

try {
  await makeLibraries()
  const lines = ['| what | goal | measured |', '| --- | --- | --- |']
  for (const [what, goal, measure] of rows) {
    if (!isWanted(what)) continue
    const line = `| ${what} | ${goal} | ${await measure()} |`
    console.log(line)
    lines.push(line)
  }
  if (process.argv.includes('--write'))
    await replaceBlock(
      'performance.md',
      '<!-- measured: serve -->',
      '<!-- end of measured serve -->',
      [
        '',
        madeBy('npm run perf:serve -- --write'),
        `Load ${load.toFixed(1)} at the start${load > 0.5 ? ' (not idle: times mean little)' : ''}.`,
        '',
        ...lines,
        '',
      ].join('\n'),
    )
} finally {
  rmSync(folder, { recursive: true, force: true })
}

// A clip of half a minute with its index; one of a minute and a half that has none; 45 minutes and 12 hours; 5,000 runs.
async function makeLibraries(): Promise<void> {
  mkdirSync(videos)
  await renderTown(join(videos, 'town.mp4'))
  const said = ['The museum has seven hundred paintings.', 'The first tour starts in the morning at ten.']
  const cues = said.map((text, at) => `${at + 1}\n00:00:${at + 1}0,000 --> 00:00:${at + 1}5,000\n${text}\n`)
  writeFileSync(join(videos, 'town.srt'), cues.join('\n'))
  const picture = "testsrc2=s=1280x720:r=30:d=60,hue=h='80*floor(t/4)',noise=alls=5:allf=t"
  const source = [
    '-f',
    'lavfi',
    '-i',
    picture,
    '-f',
    'lavfi',
    '-i',
    'sine=d=60',
    '-c:v',
    'libx264',
    '-preset',
    'veryfast',
  ]
  execFileSync('ffmpeg', ['-v', 'error', '-nostdin', ...source, '-pix_fmt', 'yuv420p', join(videos, 'hard.mp4')])
  if (needs('45 minutes'))
    for (const minutes of [45, 46, 47, 48])
      await makeLongEntry(place('home-45'), place('long'), { hours: minutes / 60, rows: 6250 })
  if (needs('12 hours') || needs('lanes')) await makeLongEntry(place('home-12'), place('long'))
  const server = await startServer([videos], small)
  const id = await add(server, 'town.mp4')
  const done = await answered(server, id, 'How much is a ticket for adults?')
  await add(server, 'hard.mp4')
  await server.stop()
  if (needs('200 videos')) await makeMany()
  if (!needs('5,000 runs')) return
  for (let at = 0; at < 5000; at++) {
    const to = place('home-runs', 'runs', `20261122-${String(at).padStart(6, '0')}-a-question`)
    for (const name of ['environment.json', 'config.json', 'summary.json', 'trace.jsonl'])
      cpSync(join(small, 'runs', done, name), join(to, name))
  }
}

async function makeMany(): Promise<void> {
  const picture = ['-f', 'lavfi', '-i', 'testsrc2=s=320x180:d=4', '-c:v', 'libx264', '-pix_fmt', 'yuv420p']
  execFileSync('ffmpeg', ['-v', 'error', '-nostdin', ...picture, join(videos, 'plain.mp4')])
  const server = await startServer([videos], place('home-many'))
  const id = await add(server, 'plain.mp4')
  const { job } = routes.index.reply.parse((await server.call('POST', `/videos/${id}/index`)).json)
  await server.call('GET', `/jobs/${job}?wait=60`)
  await server.stop()
  const names = Array.from({ length: 199 }, (_, at) => `lecture ${String(at + 1).padStart(3, '0')}.mp4`)
  await copyVideo(place('home-many'), id, place('many'), names)
}

function needs(library: string): boolean {
  return rows.some(([what]) => what.includes(library) && isWanted(what))
}

async function add(server: Serving, path: string): Promise<string> {
  return routes.addVideo.reply.parse((await server.call('POST', '/videos', { path })).json).id
}

async function begin(server: Serving, video: string, question: string): Promise<string> {
  return routes.ask.reply.parse((await server.call('POST', `/videos/${video}/ask`, { question })).json).job
}

// The name of the run.
async function answered(server: Serving, video: string, question: string): Promise<string> {
  const job = await begin(server, video, question)
  const { run = '', state } = routes.job.reply.parse((await server.call('GET', `/jobs/${job}?wait=60`)).json)
  if (state !== 'done') throw new Error(`The question ended as ${state}.`)
  return run
}

async function videoNamed(server: Serving, name: string): Promise<string> {
  const { videos } = routes.videos.reply.parse((await server.call('GET', `/videos?q=${name}`)).json)
  return videos[0]?.id ?? ''
}

async function withServer<T>(
  home: string,
  work: (server: Serving, video: string) => Promise<T>,
  name = '',
): Promise<T> {
  const server = await startServer([videos], home)
  try {
    return await work(server, await videoNamed(server, name))
  } finally {
    await server.stop()
  }
}

async function withInspected<T>(
  home: string,
  work: (server: Inspected, video: string) => Promise<T>,
  name = '',
): Promise<T> {
  const server = await inspectedServer([videos], home)
  try {
    return await work(server, await videoNamed(server, name))
  } finally {
    await server.stop()
  }
}

async function ready(): Promise<string> {
  const times: number[] = []
  for (let time = 0; time < 7; time++) {
    let server: Serving | undefined
    times.push(await timed(async () => (server = await startServer([videos], small))))
    await server?.stop()
  }
  return `${ms(median(times))} (median of 7)`
}

async function firstStep(server: Serving, video: string, question: string): Promise<number> {
  return timed(async () => {
    const job = await begin(server, video, question)
    const isStep = ({ data }: { data: unknown }) => (data as { type?: string }).type === 'step'
    await listen(`${server.api}/jobs/${job}/events`, { authorization: `Bearer ${server.token}` }, isStep)
  })
}

async function coldStep(): Promise<string> {
  const times: number[] = []
  for (let time = 0; time < 5; time++)
    times.push(await withServer(small, (server, video) => firstStep(server, video, `When is tour ${time}?`), 'town'))
  return `${ms(median(times))} (median of 5 starts)`
}

function warmStep(): Promise<string> {
  return withServer(
    small,
    async (server, video) => {
      await answered(server, video, 'Which bus goes to the museum?')
      const times: number[] = []
      for (let time = 0; time < 20; time++) {
        times.push(await firstStep(server, video, `When is tour ${time}?`))
        await sleep(300) // it is answered meanwhile
      }
      return `${ms(median(times))}, p95 ${ms(share(times, 0.95))} (20 questions)`
    },
    'town',
  )
}

// The same question, asked of each in turn; both have answered some before.
function besideLibrary(): Promise<string> {
  return withServer(
    small,
    async (server, id) => {
      const config = await resolveConfig({ cwd: folder, environment: {}, search: false })
      const runtime = await createRuntime({ config, home: small, environment: {} })
      const video = await runtime.openVideo(id)
      const differences: number[] = []
      const alone: number[] = []
      for (let time = -5; time < 50; time++) {
        const text = `Which bus goes to museum ${time + 5}?`
        const over = () => timed(() => answered(server, id, text))
        const inside = () => timed(() => video.ask({ text }))
        const [first, second] = time % 2 === 0 ? [over, inside] : [inside, over]
        const [a, b] = [await first(), await second()]
        const [served, library] = time % 2 === 0 ? [a, b] : [b, a]
        if (time < 0) continue
        differences.push(served - library)
        alone.push(library)
      }
      await video.close()
      await runtime.close()
      return `${median(differences) < 0 ? '-' : '+'} ${ms(Math.abs(median(differences)))} (median; the library alone ${ms(median(alone))})`
    },
    'town',
  )
}

// Each viewer hears all events and reads a range a second, as players do; questions are asked all the while.
function viewers(): Promise<string> {
  return withServer(
    small,
    async (server, id) => {
      const video = routes.video.reply.parse(
        (await server.call('GET', `/videos/${await videoNamed(server, 'hard')}`)).json,
      )
      const latencies: number[] = []
      const piece = 770_000
      const until = performance.now() + 20_000
      let most = 0
      const sampling = setInterval(() => {
        most = Math.max(most, residentMegabytes(server))
      }, 100)
      const heard = Array.from({ length: 50 }, () => hear(server))
      const watching = heard.map(async (_, viewer) => {
        await sleep(viewer * 20)
        while (performance.now() < until) {
          const start = Math.floor(((viewer * 37) % 50) * (Math.max(1, video.bytes - piece) / 50))
          const header = { range: `bytes=${start}-${start + piece - 1}` }
          const took = await timed(() => take(`${server.origin}${video.media.source}`, header))
          latencies.push(took)
          await sleep(Math.max(0, 1000 - took))
        }
      })
      while (performance.now() < until - 3000)
        await answered(server, id, `When is tour ${Math.round(performance.now())}?`)
      await Promise.all(watching)
      clearInterval(sampling)
      await sleep(1000)
      const counts = heard.map(viewer => viewer.stop())
      const lost = counts.filter(count => count !== Math.max(...counts)).length
      const p = (part: number) => ms(share(latencies, part))
      const events = counts.reduce((sum, count) => sum + count, 0)
      return `${mb(most)}, p50 ${p(0.5)}, p95 ${p(0.95)}; ${events.toLocaleString('en')} events, ${lost} viewers lost some (20 s)`
    },
    'town',
  )
}

function take(address: string, headers: Record<string, string>): Promise<void> {
  return new Promise((resolve, reject) => {
    get(address, { headers }, reply => reply.resume().on('end', resolve).on('error', reject)).on('error', reject)
  })
}

// Counts the events that come; nothing else is done with them, so that it is the server that is measured.
function hear(server: Serving): { stop(): number } {
  let count = 0
  const headers = { authorization: `Bearer ${server.token}` }
  const asking = get(`${server.api}/events`, { headers }, reply => {
    let rest = ''
    reply.setEncoding('latin1').on('data', (piece: string) => {
      const blocks = (rest + piece).split('\n\n')
      rest = blocks.pop() ?? ''
      count += blocks.filter(block => block.includes('data: ')).length
    })
    reply.on('error', () => {})
  }).on('error', () => {})
  return {
    stop() {
      asking.destroy()
      return count
    },
  }
}

async function indexHard(server: Serving): Promise<void> {
  const id = await videoNamed(server, 'hard')
  const { job } = routes.index.reply.parse((await server.call('POST', `/videos/${id}/index`)).json)
  for (;;) {
    const { state, error } = routes.job.reply.parse((await server.call('GET', `/jobs/${job}?wait=20`)).json)
    if (state === 'done') return
    if (error) throw new Error(error.message)
  }
}

// What is above the interval at which it looks.
async function delays(server: Inspected, work: () => Promise<unknown>): Promise<string> {
  await server.evaluate(`${monitor}; delays.enable(); 0`)
  await work()
  const [p99 = 0, max = 0] = JSON.parse(
    String(await server.evaluate('JSON.stringify([delays.percentile(99) / 1e6, delays.max / 1e6])')),
  ) as number[]
  return `p99 ${ms(p99 - 5)}, max ${ms(max - 5)}`
}

// In a copy of the library, as what is indexed is not indexed again.
function fresh(): string {
  const home = mkdtempSync(place('copy-'))
  cpSync(join(small, 'library'), join(home, 'library'), { recursive: true })
  return home
}

function loopWhileIndexing(): Promise<string> {
  return withInspected(fresh(), server => delays(server, () => indexHard(server)))
}

function healthWhileIndexing(): Promise<string> {
  return withServer(fresh(), async server => {
    const times: number[] = []
    let isDone = false
    const asking = (async () => {
      while (!isDone) {
        times.push(await timed(() => take(`${server.api}/health`, {})))
        await sleep(5)
      }
    })()
    const took = await timed(() => indexHard(server))
    isDone = true
    await asking
    return `p50 ${ms(median(times))}, p99 ${ms(share(times, 0.99))}, max ${ms(Math.max(...times))} (${times.length} in ${(took / 1000).toFixed(0)} s)`
  })
}

function idleMemory(): Promise<string> {
  return withInspected(small, async server => {
    await server.collect()
    return mb(residentMegabytes(server))
  })
}

function memoryOf45(): Promise<string> {
  return withInspected(place('home-45'), async server => {
    const { videos } = routes.videos.reply.parse((await server.call('GET', '/videos')).json)
    const [first, ...others] = videos.map(({ id }) => id)
    await server.call('GET', `/videos/${first}/lanes`) // with the first comes what all need
    await server.collect()
    const before = residentMegabytes(server)
    for (const id of others) await server.call('GET', `/videos/${id}/lanes`)
    await server.collect()
    return mb((residentMegabytes(server) - before) / others.length)
  })
}

function memoryOf12(): Promise<string> {
  return withInspected(place('home-12'), async (server, id) => {
    await server.collect()
    const before = residentMegabytes(server)
    const sizes: number[] = []
    for (const path of ['lanes', 'rows?from=100&to=4000']) await server.call('GET', `/videos/${id}/${path}`)
    await server.call('GET', `/search?q=budget&video=${id}`)
    await server.collect()
    sizes.push(residentMegabytes(server) - before)
    for (const part of [1, 2]) await answered(server, id, `What is said about the budget in part ${part}?`)
    await server.collect()
    sizes.push(residentMegabytes(server) - before)
    const [opened = 0, asked = 0] = sizes
    return `${mb(opened)}; ${mb(asked)} after two questions, with what answers them`
  })
}

function loopWhileAsking(): Promise<string> {
  return withInspected(place('home-12'), async (server, id) => {
    await answered(server, id, 'What is said about the river?')
    return delays(server, () => answered(server, id, 'What is said about the budget?'))
  })
}

function lanesOf(server: Serving, id: string): Promise<ArrayBuffer> {
  const headers = { authorization: `Bearer ${server.token}` }
  return fetch(`${server.api}/videos/${id}/lanes`, { headers }).then(reply => reply.arrayBuffer())
}

function laneBytes(): Promise<string> {
  return withServer(
    place('home-12'),
    async (server, id) => `${((await lanesOf(server, id)).byteLength / 1e6).toFixed(2)} MB`,
  )
}

function lanesCold(): Promise<string> {
  return withServer(place('home-12'), async (server, id) => ms(await timed(() => lanesOf(server, id))))
}

function lanesWarm(): Promise<string> {
  return withServer(place('home-12'), async (server, id) => {
    const times: number[] = []
    for (let time = 0; time < 11; time++) times.push(await timed(() => lanesOf(server, id)))
    return `${ms(median(times.slice(1)))} (median of 10)`
  })
}

async function manyRuns(): Promise<string> {
  const home = place('home-runs')
  const bytes = statSync(join(home, 'runs', '20261122-000000-a-question', 'summary.json')).size
  return withServer(home, async server => {
    const first = await timed(() => server.call('GET', '/runs'))
    const times: number[] = []
    for (let time = 0; time < 10; time++) times.push(await timed(() => server.call('GET', '/runs')))
    return `${ms(median(times))} (median of 10; the first ${ms(first)}; each summary ${(bytes / 1000).toFixed(0)} kB)`
  })
}

async function pageSize(): Promise<string> {
  const { first, all, hls } = pageBytes(join(import.meta.dirname, '..', '..', 'dist', 'page'))
  const kb = (bytes: number) => `${(bytes / 1000).toFixed(1)} kB`
  return `${kb(first)}; ${kb(all)} (hls.js ${kb(hls)})`
}

function library200(): Promise<string> {
  return withServer(place('home-many'), async server => {
    const browsing = await openBrowser(server)
    const { paint, listed } = await libraryTimes(browsing, 200).finally(browsing.close)
    return `${ms(paint)}, ${ms(listed)} (medians of 5)`
  })
}

function laneFrames(): Promise<string> {
  return withServer(place('home-12'), async (server, id) => {
    const browsing = await openBrowser(server)
    try {
      const { page } = await browsing.open('/jobs')
      await watchFrames(page)
      await page.goto(`${server.origin}/v/${id}`)
      const { ready, draw, frame } = await laneFigures(page)
      return `p50 ${frame.p50}, p95 ${frame.p95} ms; its own work p95 ${draw.p95} ms; ready ${ready} ms after the request`
    } finally {
      await browsing.close()
    }
  })
}

// What a seek waits for: pieces far from each other, as none is made ahead then.
async function firstPiece(size: string): Promise<string> {
  const name = `old-${size}.avi`
  const source = ['-f', 'lavfi', '-i', `testsrc2=s=${size}:r=25:d=120`, '-f', 'lavfi', '-i', 'sine=d=120']
  execFileSync('ffmpeg', ['-v', 'error', '-nostdin', ...source, '-c:v', 'mpeg4', '-q:v', '3', join(videos, name)])
  return withServer(place('home-pieces'), async server => {
    const { media } = routes.addVideo.reply.parse((await server.call('POST', '/videos', { path: name })).json)
    const times: number[] = []
    for (const n of [0, 9, 4, 14, 6]) {
      const piece = `${server.origin}${media.hls.replace('index.m3u8', `${n}.m4s`)}`
      times.push(await timed(async () => (await fetch(piece)).arrayBuffer()))
      await sleep(8000) // until those after it are made
    }
    return `${ms(median(times))} (median of 5)`
  })
}
