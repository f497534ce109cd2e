import { mkdirSync, writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { madeBy, replaceBlock } from '../../scripts/doc-block.ts'
import { Job } from '../../src/core/api/job.ts'
import { type Route, routes } from '../../src/core/api/routes.ts'
import { h264, type MediaFolder, mediaFolder, picture, tone } from '../media-fixtures.ts'
import { type Serving, startServer } from './serving.ts'

// The event loop of the server under the largest request that each route lets in. LONGTAKE_WRITE=1 writes the figures into
// docs/reliability.md.

const most = 1000 // milliseconds
const bodyBytes = 999_000

let media: MediaFolder
let server: Serving
let video = ''
let run = ''
const socket = () => media.path('loop.sock')
const figures = new Map<string, number>()
const accepted = new Map<string, number>() // requests that were carried out

beforeAll(async () => {
  media = mediaFolder()
  mkdirSync(media.path('videos'))
  media.ffmpeg(join('videos', 'clip.mp4'), picture(3), tone(3), h264, '-c:a', 'aac', '-shortest')
  writeFileSync(media.path(join('videos', 'clip.srt')), '1\n00:00:00,500 --> 00:00:02,000\nThe gate code is 8812.\n')
  server = await startServer([media.path('videos')], media.path('home'), {
    NODE_OPTIONS: `--import=${join(import.meta.dirname, 'loop-delay.mjs')}`,
    LONGTAKE_LOOP_SOCKET: socket(),
  })
  video = routes.addVideo.reply.parse((await server.call('POST', '/videos', { path: 'clip.mp4' })).json).id
  run =
    (await answered(await server.call('POST', `/videos/${video}/ask`, { question: 'What is the gate code?' }))) ?? ''
})
afterAll(async () => {
  await server?.stop()
  media?.remove()
})

// Milliseconds since it was last asked.
function longestHold(): Promise<number> {
  return new Promise((resolve, reject) => {
    let said = ''
    connect(socket())
      .setEncoding('utf8')
      .on('data', piece => {
        said += piece
      })
      .on('error', reject)
      .on('close', () => resolve(Number(said)))
  })
}

async function answered({ json }: { json: unknown }): Promise<string | undefined> {
  const { job } = routes.ask.reply.parse(json)
  const { json: ended } = await server.call('GET', `/jobs/${job}?wait=60`)
  return Job.parse(ended).run
}

async function send(path: string, body: string | Uint8Array | undefined, type = 'application/json', method = 'POST') {
  const reply = await fetch(`${server.origin}${path}`, {
    method,
    headers: { authorization: `Bearer ${server.token}`, ...(body !== undefined && { 'content-type': type }) },
    body: body as string,
    signal: AbortSignal.timeout(60_000),
  })
  const text = path.endsWith('/events') ? '' : await reply.text()
  if (path.endsWith('/events')) await reply.body?.cancel()
  return { status: reply.status, text }
}

const fill = (text: string, length: number) => text.repeat(Math.ceil(length / text.length)).slice(0, length)
const json = (value: unknown) => JSON.stringify(value)

// Bodies of a megabyte that are none of what a route wants: deep, wide, and long.
const strange = [
  `${'['.repeat(bodyBytes / 2)}${']'.repeat(bodyBytes / 2)}`,
  `{${Array.from({ length: 60_000 }, (_, at) => `"k${at}":[{}]`).join(',')}}`.slice(0, bodyBytes),
  `{"question":"${fill('\\u202e<a ', bodyBytes - 20)}"}`,
  `[${fill('1e9,', bodyBytes - 10)}1]`,
]

// The largest bodies of each route that takes one.
const longQuestions = ['a ', 'When was it before 1:02 and after ', '"x" ', '汉', '12 ', '@', 'not '].map(text =>
  fill(text, 20_000),
)
const largest: Record<string, () => (string | Uint8Array)[]> = {
  addVideo: () => [json({ path: fill('../x', 4096) }), json({ path: 'clip.mp4' })],
  upload: () => [new Uint8Array(64e6)],
  ask: () => [
    ...longQuestions.map(question => json({ question })),
    json({
      question: fill('b? ', 20_000),
      options: Array.from({ length: 100 }, (_, at) => fill(`option ${at} `, 200)),
    }),
  ],
  askLibrary: () => longQuestions.slice(0, 1).map(question => json({ question })),
  callTool: () => [json({ video, words: fill('x ', 900_000), start: fill('1:', 90_000) })],
  fork: () => [json({ round: 0, settings: { 'budget.steps': 1 } }), json({ round: 1e9, settings: {} })],
  tryAnswering: () => [
    json({ settings: { 'models.writer': 'rules' } }),
    json({ settings: Object.fromEntries(Array.from({ length: 40_000 }, (_, at) => [`models.x${at}`, 'rules'])) }),
    json({ settings: { 'models.writer': fill('x', bodyBytes - 50) } }),
  ],
  chooseProfile: () => [json({ profile: fill('x', bodyBytes - 50) }), json({ profile: 'auto' })],
  forkSession: () => [json({ at: 0, as: fill('x', bodyBytes - 50) })],
}

const pathOf = ({ path }: Route) =>
  path
    .replace(':video', video)
    .replace(':run', run)
    .replace(':tool', 'find')
    .replace(/:\w+/g, () => fill('%2e%2e%2fx', 8000))

const inTable = Object.entries<Route>(routes)
const elsewhere: Record<string, () => [path: string, body: string | Uint8Array, type?: string][]> = {
  'POST /v1/chat/completions': () => {
    const pairs = Array.from({ length: 249 }, (_, at) => [
      { role: 'user', content: fill(`What is ${at}? `, 1900) },
      { role: 'assistant', content: fill('<think>x</think> ', 1900) },
    ]).flat()
    const question = { role: 'user', content: 'What is the gate code?' }
    const parts = Array.from({ length: 64 }, (_, at) => ({
      type: 'video_url',
      video_url: { url: `file:///${at}${fill('/..', 4000)}` },
    }))
    const model = 'longtake/clip'
    const dataVideo = { type: 'video_url', video_url: { url: `data:video/mp4;base64,${fill('A', 31e6)}` } }
    return [
      ['/v1/chat/completions', json({ model, messages: [...pairs, question] })],
      [
        '/v1/chat/completions',
        json({ model, messages: [{ role: 'user', content: [...parts, { type: 'text', text: 'x' }] }] }),
      ],
      [
        '/v1/chat/completions',
        json({ model, messages: [{ role: 'user', content: [dataVideo, { type: 'text', text: 'x' }] }] }),
      ],
      ['/v1/chat/completions', `[${fill('{},', 31e6)}1]`],
      ...strange.map((body): [string, string] => ['/v1/chat/completions', body]),
    ]
  },
  'POST /v1/responses': () => [
    ['/v1/responses', json({ model: 'longtake/clip', input: fill('What is the gate code? ', 19_000) })],
    ...strange.map((body): [string, string] => ['/v1/responses', body]),
  ],
  'POST /v1/files': () => {
    const part = (head: string, body: string) => `--b\r\nContent-Disposition: form-data; ${head}\r\n\r\n${body}\r\n`
    const fields = Array.from({ length: 20 }, (_, at) => part(`name="f${at}"`, fill('x', 10_000))).join('')
    const file = part('name="file"; filename="a.mp4"', fill('\r\n--', 32e6))
    return [['/v1/files', `${fields}${file}--b--\r\n`, 'multipart/form-data; boundary=b']]
  },
  'POST /mcp': () => [
    [
      '/mcp',
      json({
        jsonrpc: '2.0',
        id: 1,
        method: 'tools/call',
        params: { name: 'ask', arguments: { video, question: fill('x ', 900_000) } },
      }),
    ],
    ...strange.map((body): [string, string] => ['/mcp', body]),
  ],
}

async function measured(name: string, work: () => Promise<unknown>): Promise<void> {
  await longestHold()
  await work()
  figures.set(name, Math.max(figures.get(name) ?? 0, await longestHold()))
}

test.each(inTable.map(([name]) => name))('route %s holds the server for less than a second', async name => {
  const route: Route = routes[name as keyof typeof routes]
  const title = `${route.method} /api${route.path}`
  const path = `/api${pathOf(route)}`
  if (route.body) {
    expect(Object.keys(largest), 'a route with a body has a largest one').toContain(name)
    for (const body of [...(largest[name]?.() ?? []), ...(route.body === 'bytes' ? [] : strange)])
      await measured(title, async () => {
        const { status, text } = await send(path, body, route.body === 'bytes' ? 'application/octet-stream' : undefined)
        expect(status, text.slice(0, 300)).not.toBe(500)
        if (['ask', 'askLibrary'].includes(name) && status === 202)
          expect(await answered({ json: JSON.parse(text) })).toBeDefined()
        accepted.set(name, (accepted.get(name) ?? 0) + (status < 300 ? 1 : 0))
      })
  } else if (route.method !== 'DELETE' || !route.path.startsWith('/videos'))
    await measured(title, async () => {
      const query = route.query && route.method === 'GET' ? `?q=${fill('%F0%9F%98%80', 7000)}` : ''
      for (const address of [path, `${path}${query}`])
        expect((await send(address, undefined, undefined, route.method)).status).not.toBe(500)
    })
  expect(figures.get(title) ?? 0).toBeLessThan(most)
})

test('the largest requests were carried out, and a hold is seen', () => {
  expect(Object.fromEntries(accepted)).toEqual({
    addVideo: 1,
    upload: 0,
    ask: 8,
    askLibrary: 1,
    callTool: 0,
    chooseProfile: 1,
    fork: 1,
    tryAnswering: 1,
    forkSession: 0,
  })
  expect(Math.max(...figures.values())).toBeGreaterThan(5)
})

test.each(Object.keys(elsewhere))('%s holds the server for less than a second', async name => {
  for (const [path, body, type] of elsewhere[name]?.() ?? [])
    await measured(name, async () => expect((await send(path, body, type)).status).not.toBe(500))
  expect(figures.get(name)).toBeLessThan(most)
})

test.runIf(process.env.LONGTAKE_WRITE)('the figures are written', async () => {
  const rows = [...figures].sort(([, a], [, b]) => b - a).map(([name, ms]) => `| ${name} | ${Math.round(ms)} ms |`)
  const command = madeBy('LONGTAKE_WRITE=1 npx vitest run tests/server/event-loop.test.ts')
  await replaceBlock(
    'reliability.md',
    '<!-- made: event loop -->',
    '<!-- end -->',
    [command, '', '| largest request of | event loop held |', '| --- | --- |', ...rows].join('\n'),
  )
})
