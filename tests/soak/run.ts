import { execFileSync, spawnSync } from 'node:child_process'
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statfsSync,
  writeFileSync,
} from 'node:fs'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { madeBy, replaceBlock } from '../../scripts/doc-block.ts'
import { Job } from '../../src/core/api/job.ts'
import { isOver } from '../../src/core/api/job-state.ts'
import { seededRandom } from '../../src/core/basics/numbers.ts'
import { isTemporary } from '../../src/store/temporary.ts'
import { killAllWith, orphansWith } from '../kills/processes.ts'
import { type Serving, startServer } from '../server/serving.ts'

// One server for a long time: questions and indexes with kill -9, a full disk and jumps of the clock in between.
// npm run soak -- [--seed 1] [--short] [--asks 10000] [--indexes 200] [--minutes 18] [--write]. Exit 0 if all that is promised holds.
const { values } = parseArgs({
  options: {
    seed: { type: 'string', default: '1' },
    short: { type: 'boolean', default: false },
    asks: { type: 'string' },
    indexes: { type: 'string' },
    minutes: { type: 'string' },
    write: { type: 'boolean', default: false },
  },
})
const count = (text: string | undefined, short: number, long: number) => Number(text ?? (values.short ? short : long))
const asks = count(values.asks, 300, 10_000)
const indexes = count(values.indexes, 6, 200)
const minutes = count(values.minutes, 4, 18)
const kills = values.short ? 2 : 10
const askers = 8
const draw = seededRandom(Number(values.seed))
const began = performance.now()
const isLate = () => performance.now() - began > minutes * 60_000
const say = (line: string) =>
  console.error(`${String(Math.round((performance.now() - began) / 1000)).padStart(5)} s  ${line}`)

const folder = mkdtempSync(join(tmpdir(), 'longtake-soak-'))
const place = (...names: string[]) => join(folder, ...names)
const [home, socket, clock] = [place('home'), place('loop.sock'), place('clock')]
for (const name of ['home', 'videos', 'tmp']) mkdirSync(place(name))
writeFileSync(clock, '+0')
const clockLibrary = ['x86_64', 'aarch64']
  .map(arch => `/usr/lib/${arch}-linux-gnu/faketime/libfaketime.so.1`)
  .find(existsSync)
const mayMount = process.platform === 'linux' && process.getuid?.() === 0
const skipped = [
  ...(mayMount ? [] : ['the full disk (only root may mount a small one)']),
  ...(clockLibrary ? [] : ['jumps of the clock (libfaketime is not installed)']),
]
const wrong: string[] = []
const seen = { asked: 0, again: 0, indexed: 0, refused: 0, kills: 0, jumps: 0, full: 0, held: 0, largest: 0 }
let isWhole = true // the disk has room
let server!: Serving
let memory: number[] = [] // MB of the server that lives now

const clean = async () => {
  await killAllWith(folder)
  if (mayMount) spawnSync('umount', ['-l', home])
  rmSync(folder, { recursive: true, force: true })
}
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
  process.once(signal, () => void clean().finally(() => process.exit(130)))

try {
  if (mayMount) mount('size=6g')
  makeVideos()
  await start()
  const expected = new Map<string, string>() // code that is said, by the id of a video
  for (let at = 0; at <= indexes; at++) {
    const { json } = await server.call('POST', '/videos', { path: `${at}.mp4` })
    expected.set((json as { id: string }).id, codeOf(at))
  }
  const [first = '', ...others] = expected.keys()
  await settle(`/videos/${first}/index`, {})
  say(`${expected.size} videos; ${asks} questions, ${indexes} indexes, ${kills} kills, seed ${values.seed}`)
  let left = asks
  const ready = [first]
  const ask = async () => {
    while (left > 0 && !isLate()) {
      left--
      const video = ready[Math.floor(draw() * ready.length)] ?? first
      const job = await settle(`/videos/${video}/ask`, { question: `What is the gate code of hall ${left % 7}?` })
      const text = job?.answer?.answer.text ?? ''
      if (!job || text.includes(expected.get(video) ?? '')) seen.asked += job ? 1 : 0
      else wrong.push(`a wrong answer: ${JSON.stringify(text.slice(0, 100))}`)
    }
  }
  const index = async () => {
    for (const video of others) {
      if (isLate()) return
      if (!(await settle(`/videos/${video}/index`, {}))) continue
      seen.indexed++
      ready.push(video)
    }
  }
  const isDone = new AbortController()
  const work = Promise.all([...Array.from({ length: askers }, ask), index()]).finally(() => isDone.abort())
  const watching = watch(isDone.signal)
  await disturb(() => 1 - left / asks, isDone.signal)
  await work
  await watching
  checkMemory()
  await checkAnswers()
  for (let nth = 0; nth < 2; nth++) {
    const code = await server.stop()
    if (code !== 0 && code !== 143) wrong.push(`the server ended with ${code}: ${server.said().slice(-300)}`)
    if (nth === 0) await start() // what was half-written when it ended goes when the next one starts
  }
  for (const pid of await orphansWith(place('tmp'), 20)) wrong.push(`a process lives on: ${wordsOf(pid)}`)
  const names = [...readdirSync(home, { recursive: true, encoding: 'utf8' }), ...readdirSync(place('tmp'))]
  const leftFiles = names.filter(name => isTemporary(name.split('/').at(-1) ?? '') || name.startsWith('longtake-'))
  wrong.push(...leftFiles.slice(0, 5).map(name => `a temporary file was left: ${name}`))
  if (seen.asked < asks || seen.indexed < indexes) wrong.push(`the ${minutes} minutes were over first`)
  if (seen.held >= 1000) wrong.push(`the event loop was held for ${Math.round(seen.held)} ms`)
} finally {
  await clean()
}

const line = [
  `${seen.asked} questions and ${seen.indexed} indexes in ${Math.round((performance.now() - began) / 1000)} s`,
  `${seen.kills} kills, ${seen.full} times a full disk, ${seen.jumps} jumps of the clock`,
  `${seen.again} asked again after these, ${seen.refused} refused while the disk was full`,
  `server at most ${seen.largest} MB`,
  `event loop held ${Math.round(seen.held)} ms at most`,
].join('; ')
console.log(`soak: ${line}`)
for (const what of skipped) console.log(`skipped: ${what}`)
for (const what of [...new Set(wrong)].slice(0, 20)) console.log(`wrong: ${what}`)
if (values.write) {
  const command = `npm run soak -- --seed ${values.seed}${values.short ? ' --short' : ''} --write`
  const ends = [
    ...skipped.map(what => `Skipped: ${what}.`),
    wrong.length > 0 ? `Wrong: ${wrong.slice(0, 5).join('; ')}.` : 'Nothing was wrong.',
  ]
  await replaceBlock(
    'reliability.md',
    '<!-- made: soak -->',
    '<!-- end -->',
    `${madeBy(command)}\n\n${line}. ${ends.join(' ')}`,
  )
}
process.exit(wrong.length > 0 ? 1 : 0)

function wordsOf(pid: number): string {
  const path = `/proc/${pid}/cmdline`
  return existsSync(path) ? readFileSync(path, 'utf8').replaceAll('\0', ' ').slice(0, 200) : 'gone since'
}

function codeOf(at: number): string {
  return String(4000 + at * 7)
}

function mount(options: string, ...more: string[]): void {
  execFileSync('mount', ['-t', 'tmpfs', '-o', [...more, options, 'mode=700'].join(','), 'tmpfs', home])
}

// Of one picture: each has another content by its title.
function makeVideos(): void {
  const one = place('one.mp4')
  const ffmpeg = (...args: string[]) => execFileSync('ffmpeg', ['-nostdin', '-v', 'error', ...args])
  ffmpeg(
    '-f',
    'lavfi',
    '-i',
    'testsrc2=s=64x36:r=5:d=4',
    '-f',
    'lavfi',
    '-i',
    'sine=d=4',
    '-shortest',
    '-pix_fmt',
    'yuv420p',
    one,
  )
  for (let at = 0; at <= indexes; at++) {
    ffmpeg('-i', one, '-c', 'copy', '-metadata', `title=${at}`, place('videos', `${at}.mp4`))
    const said = `1\n00:00:00,500 --> 00:00:03,500\nThe gate code of hall ${at % 7} and of all halls is ${codeOf(at)}.\n`
    writeFileSync(place('videos', `${at}.srt`), said)
  }
}

async function start(): Promise<void> {
  rmSync(socket, { force: true })
  memory = []
  server = await startServer([place('videos'), '--profile', 'embedded'], home, {
    TMPDIR: place('tmp'),
    LONGTAKE_SERVERS: 'off',
    NODE_OPTIONS: `--import=${join(import.meta.dirname, '..', 'server', 'loop-delay.mjs')}`,
    LONGTAKE_LOOP_SOCKET: socket,
    ...(clockLibrary && {
      ...{ LD_PRELOAD: clockLibrary, FAKETIME_TIMESTAMP_FILE: clock, FAKETIME_CACHE_DURATION: '1' },
      ...{ FAKETIME_DONT_FAKE_MONOTONIC: '1', DONT_FAKE_MONOTONIC: '1' },
    }),
  })
}

// A job to its good end, begun again as often as a kill or a full disk ended it. Undefined: the time was over first.
async function settle(path: string, body: object): Promise<Job | undefined> {
  let id: string | undefined // of a job that was accepted: from then on the server must know it
  while (!isLate()) {
    const wasWhole = isWhole
    const lives = seen.kills
    const request = id === undefined ? server.call('POST', path, body) : server.call('GET', `/jobs/${id}?wait=20`)
    const reply = await request.catch(() => undefined) // the server was killed
    if (!reply || reply.status === 429 || reply.status === 503) {
      await sleep(200)
    } else if (id === undefined && reply.status === 202) {
      id = (reply.json as { job: string }).job
    } else if (id !== undefined && reply.status === 200) {
      const job = Job.parse(reply.json)
      if (job.state === 'done') return job
      if (!isOver(job.state)) continue
      if (!job.goOn && wasWhole && isWhole && lives === seen.kills && seen.full === 0)
        wrong.push(`a job failed by itself: ${job.error?.message}`)
      seen.again++
      id = undefined
      await sleep(100)
    } else {
      if (isWhole && wasWhole && lives === seen.kills)
        wrong.push(`${path}: ${reply.status} ${JSON.stringify(reply.json).slice(0, 200)}`)
      seen.refused++
      if (id !== undefined && reply.status === 404) wrong.push(`the accepted job ${id} is not known any more`)
      id = undefined
      await sleep(500)
    }
  }
  return undefined
}

// The last third goes undisturbed, so that memory shows.
async function disturb(share: () => number, over: AbortSignal): Promise<void> {
  const kinds = [
    ...Array<string>(kills).fill('kill'),
    ...(mayMount ? ['full', 'full'] : []),
    ...(clockLibrary ? ['+2h', '-3d', '+400d'] : []),
  ]
  const moments = kinds.map(kind => ({ kind, at: 0.03 + draw() * 0.6 })).sort((a, b) => a.at - b.at)
  for (const { kind, at } of moments) {
    while (share() < at && !over.aborted) await sleep(100)
    if (over.aborted) return
    say(`${kind} at ${Math.round(100 * share())} % of the questions`)
    if (kind === 'kill') {
      seen.kills++
      await server.kill()
      for (const pid of await orphansWith(place('tmp'), 20))
        wrong.push(`a process outlived its server by 20 s: ${wordsOf(pid)}`)
      await start()
    } else if (kind === 'full') {
      seen.full++
      isWhole = false
      const { bsize, blocks, bavail } = statfsSync(home)
      mount(`size=${(blocks - bavail) * bsize + 65_536}`, 'remount')
      await sleep(3000)
      mount('size=6g', 'remount')
      isWhole = true
    } else {
      seen.jumps++
      writeFileSync(clock, kind)
      await sleep(1500)
    }
  }
}

// Every two seconds: how large the server is, and how long its event loop was held since.
async function watch(over: AbortSignal): Promise<void> {
  while (!over.aborted) {
    await sleep(2000, undefined, { signal: over }).catch(() => {})
    const held = await new Promise<number>(resolve => {
      let text = ''
      const client = connect(socket)
        .setEncoding('utf8')
        .on('data', piece => (text += piece))
      client.on('error', () => {}).on('close', () => resolve(Number(text)))
    })
    seen.held = Math.max(seen.held, held)
    const status = existsSync(`/proc/${server.pid}/status`) ? readFileSync(`/proc/${server.pid}/status`, 'utf8') : ''
    const size = Math.round(Number(/VmRSS:\s+(\d+)/.exec(status)?.[1] ?? 0) / 1024)
    if (size > 0) memory.push(size)
    seen.largest = Math.max(seen.largest, size)
    if (memory.length % 15 === 0) say(`${seen.asked} answered, ${seen.indexed} indexed, ${size} MB`)
  }
}

// Of the life without a kill, after its first fifth: the last quarter is no larger than the one after the warming up.
function checkMemory(): void {
  const median = (list: number[]) => [...list].sort((a, b) => a - b)[Math.floor(list.length / 2)] ?? 0
  const warm = memory.slice(Math.floor(memory.length / 5))
  const quarter = Math.ceil(warm.length / 4)
  const [early, late] = [median(warm.slice(0, quarter)), median(warm.slice(-quarter))]
  say(`memory of the last life: ${early} MB, at its end ${late} MB`)
  if (warm.length >= 8 && late > 1.3 * early + 60) wrong.push(`memory grew from ${early} to ${late} MB`)
  if (seen.largest > 700) wrong.push(`the server took ${seen.largest} MB`)
}

// What was answered can still be read.
async function checkAnswers(): Promise<void> {
  const runs = readdirSync(join(home, 'runs')).filter(name => !isTemporary(name))
  const whole = runs.filter(
    name => existsSync(join(home, 'runs', name, 'answer.json')) || existsSync(join(home, 'runs', name, 'summary.json')),
  )
  if (whole.length < seen.asked) wrong.push(`${whole.length} runs on the disk for ${seen.asked} answers`)
  for (let i = 0; i < 50; i++) {
    const name = whole[Math.floor(draw() * whole.length)] ?? ''
    const { status } = await server.call('GET', `/runs/${name}`)
    if (status !== 200) wrong.push(`the run ${name} cannot be read: ${status}`)
  }
}
