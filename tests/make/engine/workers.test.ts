import { copyFileSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { askStep } from '../../../eval/make/machine/ask-step.ts'
import { openMedia } from '../../../eval/make/machine/media.ts'
import { openRoles } from '../../../eval/make/machine/roles.ts'
import {
  type AskedCalls,
  type MakeWorkers,
  type OpenedMaking,
  SentMaking,
  SentStep,
  startAhead,
} from '../../../eval/make/machine/workers.ts'
import { makeSet } from '../../../eval/make/make-set.ts'
import { readMakeRequest } from '../../../eval/make/request.ts'
import { resolveConfig } from '../../../src/config/resolve.ts'
import { type ChatBody, startChatServer } from '../../servers/chat-server.ts'
import type { FaultServer } from '../../servers/fault-server.ts'
import { choiceAuthor } from '../recipes/choice-author.ts'
import { filmReply, ownFilm } from '../recipes/films-author.ts'
import { longshotAuthor } from '../recipes/longshot-author.ts'
import { askedFor, ownVideo, serverSettings } from '../recipes/own-video.ts'
import { bytesOf, callsIn } from './talks.ts'

// Every recipe, with its models asked by a worker that knows of the making what is sent to it, and nothing else.
const longshot = longshotAuthor({ said: 6, scenarios: 1 })
const short = ['minMinutes=1', 'perVideo=4']

const recipes = {
  longshot: {
    from: 'short/talk.mp4',
    options: ['minMinutes=0'],
    roles: ['author', 'look', 'listen'],
    author: longshot.reply,
  },
  'videoeval-pro': {
    ...{ from: 'talks', options: short, roles: ['author', 'check', 'glance', 'judge'] },
    author: (body: ChatBody) => ({ content: choiceAuthor(askedFor(body)) }),
  },
  infinibench: { from: 'films', options: [], roles: ['author'], author: ofFilms },
  allvb: { from: 'films', options: [], roles: ['author', 'look'], author: ofFilms },
}
type Name = keyof typeof recipes

let folder: string
let server: FaultServer
let author: (body: ChatBody) => object
let asked = 0
const replies = new Map<string, object>()
const { signal } = new AbortController()

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'longtake-workers-'))
  ownVideo(folder)
  mkdirSync(join(folder, 'short'))
  ownVideo(join(folder, 'short'), 6)
  ownFilm(join(folder, 'films'))
  mkdirSync(join(folder, 'talks'))
  for (const name of ['one', 'two'])
    for (const kind of ['mp4', 'srt'])
      copyFileSync(join(folder, `talk.${kind}`), join(folder, 'talks', `${name}.${kind}`))
  server = await startChatServer(['scripted'], body => {
    asked++
    const key = JSON.stringify(body)
    const reply = replies.get(key) ?? author(body)
    replies.set(key, reply)
    return reply
  })
})
afterAll(async () => {
  await server.close()
  rmSync(folder, { recursive: true, force: true })
})

async function made(recipe: Name, out: string, workers?: MakeWorkers, more: string[] = []) {
  const { from, options, roles } = recipes[recipe]
  const models = roles.map(role => serverSettings(role, server.url)[1] ?? '')
  const set = ['profile=embedded', 'index.tracks.text=false', 'index.tracks.sound=false', ...models, ...more]
  const config = await resolveConfig({ cwd: folder, environment: {}, search: false, flags: { set } })
  const wish = await readMakeRequest({ recipe, cwd: folder, from: [from], options, seed: 1, exclude: [] })
  const request = { wish, out: join(folder, out), copy: false, dryRun: false, concurrency: 1 }
  const home = join(folder, 'home')
  const world = { config, home, environment: {}, version: '0', say() {}, signal, workers }
  const before = asked
  const { set: whole } = await makeSet(request, world)
  expect(whole).toBeDefined()
  return asked - before
}

// What is sent, as it comes out of a store.
const travelled = <Value>(value: Value): Value => JSON.parse(JSON.stringify(value))

// `spent`: of the money of the making, by what the workers say.
function oneWorker(spent = 0) {
  const steps: string[] = []
  const scratch = mkdtempSync(join(folder, 'scratch-'))
  let opened: OpenedMaking | undefined
  const workers: MakeWorkers = {
    index: async () => {},
    open: async making => {
      opened = making
    },
    async ask(all) {
      if (!opened) throw new Error('not opened')
      const { videos, sent } = opened
      const { settings, host } = opened.runtime
      const runtime = { settings: { ...settings, budget: { ...settings.budget, money: undefined } }, host }
      const calls: AskedCalls['calls'] = []
      for (const [at, step] of all.entries()) {
        steps.push(`${step.name} ${step.record.video_id}`)
        const roles = await openRoles({
          ...{ runtime, folder: join(scratch, `${steps.length}-${at}`), redact: value => value, onCall() {} },
          async answer({ key, own }) {
            const answered = travelled(await own())
            calls.push({ key, answered })
            return answered
          },
        })
        const media = openMedia(name => videos.get(name) ?? '', signal)
        const given = { models: roles.models, media, signal }
        await askStep(SentStep.parse(travelled(step)), SentMaking.parse(travelled(sent)), given)
        await roles.close()
      }
      return { calls, isAll: true, spent }
    },
    end: async () => {},
  }
  return { workers, steps }
}

test.each(Object.keys(recipes) as Name[])(
  '%s: a worker asks what is asked without it, and the bytes are the same',
  async name => {
    author = recipes[name].author
    const calls = await made(name, `${name}-alone`)
    expect(callsIn(join(folder, `${name}-alone`))).toBe(calls)
    const { workers, steps } = oneWorker()
    expect(await made(name, name, workers)).toBe(calls)
    expect(bytesOf(join(folder, name))).toEqual(bytesOf(join(folder, `${name}-alone`)))
    expect(new Set(steps).size).toBe(steps.length)
    expect(steps.length).toBeGreaterThan(0)
  },
)

test('equal requests about two videos are two calls, and each has its own reply', async () => {
  const names = Object.keys(bytesOf(join(folder, 'videoeval-pro'))).filter(name => /calls\/\w+-2\.json$/.test(name))
  expect(names.length).toBeGreaterThan(0)
})

const price = 'prices={"openai":{"input":100000,"output":100000}}'

test('replies that are paid for are taken also where the money is at its end', async () => {
  author = recipes.infinibench.author
  const { workers } = oneWorker(1000)
  expect(await made('infinibench', 'paid', workers, [price, 'budget.money=1'])).toBeGreaterThan(1)
})

test('what is asked here is paid of the money that the workers have left', async () => {
  const usage = { inputTokens: 10, outputTokens: 0 }
  const answered = { reply: { text: '', calls: [], stop: 'end' as const, usage, model: 'm' }, seconds: 0 }
  const ask = async () => ({ calls: [{ key: 'theirs', answered }], isAll: false, spent: 3 })
  const { ahead, answer } = startAhead({ ...oneWorker().workers, ask }, 4.5, () => {})
  const step = { name: 'questions' } as SentStep
  let calls = 0
  const call = (key: string) => ({
    ...{ key, n: 1, price: { input: 100_000, output: 0 } },
    own: async () => {
      calls++
      return answered
    },
  })
  await ahead([step])
  await answer(call('theirs'))
  await answer(call('one'))
  await ahead([step])
  await answer(call('two'))
  await answer({ ...call('theirs'), n: 2 })
  await expect(answer(call('three'))).rejects.toThrow('The making has spent 5.00, and budget.money is 4.5.')
  expect(calls).toBe(2)
})

test('calls that the workers were to ask and did not are named, by step and number', async () => {
  const usage = { inputTokens: 10, outputTokens: 0 }
  const own = async () => ({ reply: { text: '', calls: [], stop: 'end' as const, usage, model: 'm' }, seconds: 0 })
  const said: string[] = []
  const workersAre = (isAll: boolean) => ({ ...oneWorker().workers, ask: async () => ({ calls: [], isAll, spent: 0 }) })
  for (const isAll of [true, false]) {
    const { ahead, answer, tell } = startAhead(workersAre(isAll), undefined, line => void said.push(line))
    await ahead([{ name: 'glance' } as SentStep])
    for (const key of ['one', 'two']) await answer({ key, n: 1, price: undefined, own })
    await ahead([])
    tell()
  }
  expect(said).toEqual([
    "glance: 2 calls were asked here, as the workers' requests differed: have they another ffmpeg?",
  ])
})

function ofFilms(body: ChatBody): object {
  const { schema, text } = askedFor(body)
  return { content: JSON.stringify(filmReply(schema, text)) }
}
