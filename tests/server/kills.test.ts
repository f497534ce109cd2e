import { execFileSync, spawn } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Job } from '../../src/core/api/job.ts'
import { isOver } from '../../src/core/api/job-state.ts'
import { routes } from '../../src/core/api/routes.ts'
import { seededRandom } from '../../src/core/basics/numbers.ts'
import { isTemporary } from '../../src/store/temporary.ts'
import { renderTown } from '../end-to-end/town-video.ts'
import { type Heard, listen, type Serving, startServer } from './serving.ts'

// A server that is killed at random moments, while it answers and indexes and a dozen clients listen.

const kills = process.env.LONGTAKE_LONG === '1' ? 50 : 6
const seed = Number(process.env.LONGTAKE_SEED ?? 15)
const draw = seededRandom(seed)
const folder = mkdtempSync(join(tmpdir(), 'longtake-serve-kills-'))
const place = (...names: string[]) => join(folder, ...names)
let server: Serving
let town = ''
const clips: string[] = []

const start = async () => {
  server = await startServer([place('videos')], place('home'))
}
const bearer = () => ({ authorization: `Bearer ${server.token}` })
const job = async (id: string, wait = 0): Promise<Job> => {
  const { status, json } = await server.call('GET', `/jobs/${id}?wait=${wait}`)
  expect(status, JSON.stringify(json)).toBe(200)
  return routes.job.reply.parse(json)
}
const over = async (id: string): Promise<Job> => {
  for (;;) {
    const found = await job(id, 60)
    if (isOver(found.state)) return found
  }
}
const begin = async (path: string, body?: object): Promise<string> => {
  const { status, json } = await server.call('POST', path, body)
  expect(status, JSON.stringify(json)).toBe(202)
  return routes.index.reply.parse(json).job
}
const ask = (question: string) => begin(`/videos/${town}/ask`, { question })
const said = '1\n00:00:12,500 --> 00:00:16,000\nThe first tour starts in the morning at ten.\n'
const questions = ['How much is a ticket for adults?', 'When is the first tour?', 'Which bus goes to the museum?']
const questionOf = (round: number) => questions[round % questions.length] ?? ''

beforeAll(async () => {
  mkdirSync(place('videos'))
  await renderTown(place('videos', 'town.mp4'))
  writeFileSync(place('videos', 'town.srt'), said)
  for (let at = 0; at < kills; at++) {
    const copy = ['-i', place('videos', 'town.mp4'), '-c', 'copy', '-t', '6', '-metadata', `title=${at}`]
    execFileSync('ffmpeg', ['-v', 'error', '-nostdin', ...copy, place('videos', `clip-${at}.mp4`)])
    writeFileSync(place('videos', `clip-${at}.srt`), said.replaceAll('00:00:1', '00:00:0')) // nothing has to be transcribed
  }
  await start()
  const add = async (path: string) =>
    routes.addVideo.reply.parse((await server.call('POST', '/videos', { path })).json).id
  town = await add('town.mp4')
  for (let at = 0; at < kills; at++) clips.push(await add(`clip-${at}.mp4`))
  expect((await over(await begin(`/videos/${town}/index`))).state).toBe('done')
})
afterAll(async () => {
  await server?.stop()
  rmSync(folder, { recursive: true, force: true })
})

const numbered = (heard: Heard[]) => heard.filter(({ id }) => id !== undefined)

// The request that goes on with a job that a kill has left, as it stands in the job.
async function goOn({ goOn = '', question, session }: Job): Promise<string> {
  const [method, path = ''] = goOn.split(' /api')
  expect(method, 'goOn').toBe('POST')
  return begin(path, path.endsWith('/ask') ? { question: question?.text, ...(session && { session }) } : undefined)
}

// The process that was indexing may still be at it: what it removes meanwhile is no half file.
function expectNoHalfFile(): void {
  const files = readdirSync(place('home'), { recursive: true, withFileTypes: true })
  for (const { name, parentPath } of files.filter(entry => entry.isFile() && /\.jsonl?$/.test(entry.name))) {
    const path = join(parentPath, name)
    if (path.split('/').some(isTemporary) || !existsSync(path)) continue // nobody reads temporary ones; they are swept
    const text = readFileSync(path, 'utf8')
    for (const whole of name.endsWith('.json') ? [text] : text.split('\n').slice(0, -1))
      expect(() => JSON.parse(whole), path).not.toThrow()
  }
}

test(
  `after each of ${kills} kills every job is there, no answer is lost, and what was under way goes on (seed ${seed})`,
  async () => {
    const begun = new Map<string, Job | undefined>() // with the job as it was answered for, once it was over
    let number = 0
    const forgetOld = () => {
      // A start keeps the 500 newest jobs and those that are not over; an older answer stays in its run.
      for (const [id, answered] of [...begun].slice(0, Math.max(0, number - 500))) if (answered) begun.delete(id)
    }
    for (let round = 0; round < kills; round++) {
      const unfinished = [...begun].flatMap(([id, answered]) => (answered ? [] : [id]))
      for (const id of unfinished.slice(0, -12)) begun.set(id, await over(id)) // 64 jobs wait at most
      const now = [
        await begin(`/videos/${clips[round]}/index`),
        await ask(questionOf(round)),
        await begin(`/videos/${town}/ask`, { question: questionOf(round + 1), session: `talk-${round}` }),
        ...(round % 2 === 0 ? [] : [await begin(`/videos/${clips[round - 1]}/ask`, { question: questionOf(round) })]),
      ]
      for (const id of now) begun.set(id, undefined)
      number += now.length
      const listening = Array.from({ length: 12 }, (_, at) =>
        listen(`${server.api}/jobs/${now[at % now.length]}/events`, bearer()).catch(() => [] as Heard[]),
      )
      await sleep(draw() * 1800)
      for (const id of begun.keys()) {
        const seen = await job(id)
        if (isOver(seen.state)) begun.set(id, seen)
      }
      await server.kill()
      await Promise.all(listening)
      expectNoHalfFile()
      await start()
      forgetOld()
      const { jobs } = routes.jobs.reply.parse((await server.call('GET', '/jobs')).json)
      const oldest = jobs.length < 200 ? '' : (jobs.at(-1)?.id ?? '') // the list has the 200 newest; ids sort by time
      expect(jobs.map(({ id }) => id)).toEqual(expect.arrayContaining([...begun.keys()].filter(id => id >= oldest)))
      for (const [id, answered] of [...begun]) {
        const left = await job(id)
        if (answered) {
          expect(left, 'what was told is still so').toEqual(answered)
          continue
        }
        expect(['done', 'failed'], JSON.stringify(left)).toContain(left.state)
        if (left.state === 'failed') {
          expect(left.error).toMatchObject({ code: 'interrupted', retryable: true })
          begun.delete(id)
          begun.set(await goOn(left), undefined)
          number++
        } else begun.set(id, left)
      }
    }
    const ended = await Promise.all([...begun.keys()].map(over))
    expect(ended.filter(({ state }) => state !== 'done')).toEqual([])
    const asked = ended.filter(({ kind }) => kind === 'ask')
    const undisturbed = new Map<string, string | undefined>()
    for (const question of questions) undisturbed.set(question, (await over(await ask(question))).answer?.answer.text)
    for (const { question, video, answer, session } of asked)
      if (video.id === town && session === undefined)
        expect(answer?.answer.text, question?.text).toBe(undisturbed.get(question?.text ?? ''))
    for (const { answer } of asked) expect(answer?.answer.text).toBeTruthy()
    for (const clip of clips) {
      const { state } = routes.video.reply.parse((await server.call('GET', `/videos/${clip}`)).json)
      expect(['ready', 'partial']).toContain(state)
    }
    expectNoHalfFile()
  },
  kills * 60_000,
)

test('a process that indexes ends with its server, also when that is killed, and go on makes the index', async () => {
  const copy = ['-i', place('videos', 'town.mp4'), '-c', 'copy', '-t', '16', '-metadata', 'title=orphan']
  execFileSync('ffmpeg', ['-v', 'error', '-nostdin', ...copy, place('videos', 'orphan.mp4')])
  writeFileSync(place('videos', 'orphan.srt'), said)
  const { id } = routes.addVideo.reply.parse((await server.call('POST', '/videos', { path: 'orphan.mp4' })).json)
  const indexing = await begin(`/videos/${id}/index`)
  let child: string | undefined
  while (child === undefined) {
    await sleep(50)
    child = childrenOf(server.pid).find(pid => argumentsOf(pid)?.includes('index'))
  }
  expect(readFileSync(`/proc/${child}/environ`, 'utf8')).toContain('NODE_CHANNEL_FD=')
  while (!(await job(indexing)).stages.some(({ state }) => state === 'running')) await sleep(50)
  await server.kill()
  await ended(child)
  await start()
  expect((await over(await goOn(await job(indexing)))).state).toBe('done')
})

test('one that has a channel to the process that started it ends with that, also where it has nothing to say', async () => {
  const args = JSON.stringify([
    join(import.meta.dirname, '..', '..', 'bin', 'longtake.mjs'),
    'serve',
    '--port',
    '0',
    '--json',
  ])
  const script = `const { spawn } = require('node:child_process')
    const child = spawn(process.execPath, ${args}, { stdio: ['ignore', 'pipe', 'ignore', 'ipc'] })
    child.stdout.once('data', () => console.log(child.pid))`
  const environment = { ...process.env, LONGTAKE_HOME: place('home-of-child'), LONGTAKE_CONFIG: undefined }
  const parent = spawn(process.execPath, ['-e', script], { env: environment, stdio: ['ignore', 'pipe', 'ignore'] })
  const pid = await new Promise<string>(resolve => parent.stdout.once('data', said => resolve(String(said).trim())))
  parent.kill('SIGKILL')
  await ended(pid)
})

async function ended(pid: string): Promise<void> {
  const began = performance.now()
  while (argumentsOf(pid) !== undefined && performance.now() - began < 10_000) await sleep(50)
  expect(argumentsOf(pid), 'a process that is to end').toBeUndefined()
}

function childrenOf(pid: number): string[] {
  return readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim().split(' ')
}

// Of a process; nothing where it has ended.
function argumentsOf(pid: string): string[] | undefined {
  try {
    const text = readFileSync(`/proc/${pid}/cmdline`, 'utf8')
    return text === '' ? undefined : text.split('\0')
  } catch {
    return undefined
  }
}

test('twelve tabs hear the same, each from where it was', async () => {
  const id = await ask('What is said about bags?')
  const heard = await Promise.all(
    Array.from({ length: 12 }, () => listen(`${server.api}/jobs/${id}/events`, bearer()).then(numbered)),
  )
  const [first = []] = heard
  expect(first.map(one => Number(one.id))).toEqual(first.map((_, at) => at + 1))
  for (const one of heard) expect(one).toEqual(first)
  const later = await Promise.all(
    first
      .slice(0, 12)
      .map((_, at) =>
        listen(`${server.api}/jobs/${id}/events`, { ...bearer(), 'last-event-id': String(at) }).then(numbered),
      ),
  )
  for (const [at, one] of later.entries()) expect(one).toEqual(first.slice(at))
})
