import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { connect, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Validator } from '@seriousme/openapi-schema-validator'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { z } from 'zod'
import { Job } from '../../src/core/api/job.ts'
import { decodeLanes } from '../../src/core/api/lanes-format.ts'
import { Problem } from '../../src/core/api/problem.ts'
import { type Route, type RouteName, routes } from '../../src/core/api/routes.ts'
import { renderTown } from '../end-to-end/town-video.ts'
import { listen, type Reply, raw, type Serving, startServer } from './serving.ts'

// One server, one clip of half a minute: it is indexed by the first question, and everything else is asked of it then.

const folder = mkdtempSync(join(tmpdir(), 'longtake-serve-'))
const place = (...names: string[]) => join(folder, ...names)
const key = 'KEY-of-programs-0123456789'
const environment = { SERVE_KEY: key }
const args = [place('videos'), '--set', 'serve.keyVariable=SERVE_KEY']
let server: Serving
let video = ''
let job = ''
let run = ''
let slow: Socket[] = []

const subtitles = [
  '1\n00:00:01,000 --> 00:00:05,000\nThe museum has seven hundred paintings and a small garden.',
  '2\n00:00:12,500 --> 00:00:16,000\nThe first tour starts in the morning at ten.',
  '3\n00:00:22,000 --> 00:00:26,000\nPlease leave your bags with the people at the door.',
].join('\n\n')

const bearer = () => ({ authorization: `Bearer ${server.token}` })
const get = async <Shape extends z.ZodType>(path: string, shape: Shape): Promise<z.output<Shape>> => {
  const { status, json } = await server.call('GET', path)
  expect(status, `${path} ${JSON.stringify(json)}`).toBe(200)
  return shape.parse(json)
}
const begin = async (path: string, body?: object): Promise<string> => {
  const { status, json } = await server.call('POST', path, body)
  expect(status, JSON.stringify(json)).toBe(202)
  return routes.ask.reply.parse(json).job
}
const waitFor = (id: string) => get(`/jobs/${id}?wait=60`, Job)

beforeAll(async () => {
  mkdirSync(place('videos', 'more'), { recursive: true })
  mkdirSync(place('private'))
  await renderTown(place('videos', 'town.mp4'))
  writeFileSync(place('videos', 'town.srt'), subtitles) // nothing has to be transcribed
  writeFileSync(place('private', 'secret.mp4'), readFileSync(place('videos', 'town.mp4')))
  symlinkSync(place('private', 'secret.mp4'), place('videos', 'link.mp4'))
  symlinkSync(place('private'), place('videos', 'linked'))
  server = await startServer(args, place('home'), environment)
  const added = await server.call('POST', '/videos', { path: 'town.mp4' })
  video = routes.addVideo.reply.parse(added.json).id
  job = await begin(`/videos/${video}/ask`, { question: 'How much is a ticket for adults?', session: 'town' })
  slow = Array.from({ length: 500 }, () => {
    const socket = connect(server.port, '127.0.0.1', () => socket.write('GET /api/health HTTP/1.1\r\nHost: 127'))
    return socket.on('error', () => {})
  })
})
afterAll(async () => {
  await server?.stop()
  rmSync(folder, { recursive: true, force: true })
})

test('a question about a video without an index makes it first, in a process of its own; steps come before the answer', async () => {
  const isStage = ({ data }: { data: unknown }) => (data as { type?: string }).type === 'stage'
  await listen(`${server.api}/jobs/${job}/events`, bearer(), isStage)
  expect((await get(`/videos/${video}`, routes.video.reply)).state).toBe('indexing')
  const heard = await listen(`${server.api}/jobs/${job}/events`, bearer())
  const types = heard.map(({ data }) => (data as { type?: string }).type)
  for (const [before, after] of [
    ['stage', 'run'],
    ['run', 'step'],
    ['tool-end', 'answer'],
  ])
    expect(types.indexOf(before)).toBeLessThan(types.indexOf(after))
  expect(types.indexOf('stage')).toBeGreaterThan(-1)
  const last = heard.at(-1)
  expect(last?.event).toBe('job')
  const done = Job.parse(last?.data)
  expect(done.state).toBe('done')
  expect(done.answer?.answer.text).toContain('12 euro')
  expect(done.answer?.evidence[0]?.text).toContain('12 euro')
  run = done.run ?? ''
  const indexed = await get(`/videos/${video}`, routes.video.reply)
  expect(indexed).toMatchObject({ state: 'ready', missing: [] })
})

test('500 clients that never end their request are sent away, and hold nobody up', async () => {
  const began = performance.now()
  expect((await fetch(`${server.api}/health`)).status).toBe(200)
  expect(performance.now() - began).toBeLessThan(1000)
  const closed = slow.map(
    socket => socket.closed || new Promise<void>(resolve => socket.once('close', () => resolve())),
  )
  for (const socket of slow) socket.resume()
  await Promise.all(closed)
})

test('events go on after Last-Event-ID: none is lost and none comes twice', async () => {
  const whole = await listen(`${server.api}/jobs/${job}/events`, bearer())
  const numbered = whole.filter(({ id }) => id !== undefined)
  expect(numbered.map(({ id }) => Number(id))).toEqual(numbered.map((_, at) => at + 1))
  const middle = numbered[Math.floor(numbered.length / 2)]
  const rest = await listen(`${server.api}/jobs/${job}/events`, { ...bearer(), 'last-event-id': middle?.id ?? '' })
  expect(rest.filter(({ id }) => id !== undefined)).toEqual(numbered.slice(Number(middle?.id)))
})

test('where nothing is to be indexed, the id of an event is its line of trace.jsonl', async () => {
  const second = await begin(`/videos/${video}/ask`, { question: 'When is the first tour?', options: ['nine', 'ten'] })
  const heard = await listen(`${server.api}/jobs/${second}/events`, bearer())
  const { run: name = '', answer } = Job.parse(heard.at(-1)?.data)
  expect(answer?.answer.choice).toBe(1)
  const lines = readFileSync(place('home', 'runs', name, 'trace.jsonl'), 'utf8')
    .trimEnd()
    .split('\n')
  expect(heard.filter(({ id }) => id !== undefined).map(({ data }) => data)).toEqual(
    lines.map(line => JSON.parse(line)),
  )
})

test('the stream of all jobs goes on where it was, by a signed path as well', async () => {
  const { live } = await get('/jobs', routes.jobs.reply)
  const isAnswer = ({ data }: { data: unknown }) => (data as { event?: { type: string } }).event?.type === 'answer'
  const isStep = ({ data }: { data: unknown }) => (data as { event?: { type: string } }).event?.type === 'step'
  const listening = listen(`${server.origin}${live}`, {}, isStep)
  const asked = await begin(`/videos/${video}/ask`, { question: 'Which bus goes to the museum?' })
  const first = await listening
  const rest = await listen(`${server.api}/events`, { ...bearer(), 'last-event-id': first.at(-1)?.id ?? '' }, isAnswer)
  const lines = [...first, ...rest].flatMap(({ event, data }) =>
    event === 'job' ? [] : [(data as { job: string; event: unknown }).event],
  )
  const { run: name = '' } = await waitFor(asked)
  const trace = readFileSync(place('home', 'runs', name, 'trace.jsonl'), 'utf8')
    .trimEnd()
    .split('\n')
  expect(lines).toEqual(trace.slice(0, lines.length).map(line => JSON.parse(line)))
  expect(await server.call('GET', '/jobs').then(({ json }) => JSON.stringify(json))).toContain(asked)
})

test('a conversation understands what a question refers to', async () => {
  const asked = await begin(`/videos/${video}/ask`, { question: 'And what is said right after that?', session: 'town' })
  const { state, answer } = await waitFor(asked)
  expect(state).toBe('done')
  expect(answer?.session).toBe('town')
  const { turns } = await get('/sessions/town', routes.session.reply)
  expect(turns).toHaveLength(2)
})

test('lanes, rows, search, still and source say the same as the index', async () => {
  const bytes = await fetch(`${server.api}/videos/${video}/lanes`, { headers: bearer() }).then(one => one.arrayBuffer())
  const { columns, duration } = decodeLanes(new Uint8Array(bytes))
  expect(duration).toBe(30)
  const { rows } = await get(`/videos/${video}/rows?tracks=text`, routes.rows.reply)
  expect((await get(`/videos/${video}/rows?tracks=text&index=so-far`, routes.rows.reply)).rows).toEqual(rows)
  const texts = columns.find(({ lane }) => lane === 'text')
  expect([...(texts?.starts ?? [])]).toEqual(rows.map(({ span }) => Math.round(span.start * 1000)))
  const whole = await get(`/videos/${video}/rows/${rows[0]?.id}`, routes.row.reply)
  expect(whole).toMatchObject({ id: rows[0]?.id, video })
  const { hits } = await get(`/search?q=museum&video=${video}`, routes.search.reply)
  const all = await get('/search?q=museum', routes.search.reply)
  expect(all.hits[0]?.evidence.id).toBe(hits[0]?.evidence.id)
  const { media } = await get(`/videos/${video}`, routes.video.reply)
  const still = await fetch(`${server.origin}${media.still}11.5.jpg`)
  expect(still.headers.get('content-type')).toBe('image/jpeg')
  expect(Buffer.from(await still.arrayBuffer()).readUInt16BE()).toBe(0xffd8)
  const file = readFileSync(place('videos', 'town.mp4'))
  const part = await fetch(`${server.origin}${media.source}`, { headers: { range: 'bytes=1000-1999' } })
  expect(part.status).toBe(206)
  expect(part.headers.get('content-range')).toBe(`bytes 1000-1999/${file.length}`)
  expect(Buffer.from(await part.arrayBuffer()).equals(file.subarray(1000, 2000))).toBe(true)
  const whole2 = await fetch(`${server.origin}${media.source}`)
  expect(Buffer.from(await whole2.arrayBuffer()).equals(file)).toBe(true)
})

// Each route with what it takes, and with what it must refuse: then the status and the code.
const good: Record<
  Exclude<
    RouteName,
    'jobEvents' | 'events' | 'lanes' | 'upload' | 'forgetVideo' | 'forgetSession' | 'report' | 'reportQuestion'
  >,
  () => [string, object?]
> = {
  health: () => ['/health'],
  openapi: () => ['/openapi.json'],
  doctor: () => ['/doctor?depth=look'],
  settings: () => ['/settings'],
  videos: () => ['/videos?q=TOWN&state=ready'],
  addVideo: () => ['/videos', { path: place('videos', 'town.mp4') }],
  video: () => [`/videos/${video}`],
  folders: () => ['/folders'],
  folder: () => ['/folders/0?path=more/..'],
  rows: () => [`/videos/${video}/rows?from=5&to=20`],
  row: () => [`/videos/${video}/rows/${firstRow}`],
  search: () => ['/search?q=ticket&tracks=text,speech&k=3&after=1&before=29'],
  tools: () => ['/tools'],
  callTool: () => ['/tools/read', { video, start: '0:05', end: 20 }],
  index: () => [`/videos/${video}/index`],
  ask: () => [`/videos/${video}/ask`, { question: 'Who speaks?', budget: { steps: 2 }, graph: 'single-pass' }],
  askLibrary: () => ['/ask', { question: 'How much is a ticket?', settings: { 'models.writer': 'rules' } }],
  answering: () => ['/answering'],
  tryAnswering: () => ['/answering/try', { settings: { 'models.writer': 'rules' } }],
  chooseProfile: () => ['/profile', { profile: 'auto' }], // which it has
  jobs: () => ['/jobs'],
  cluster: () => ['/cluster'],
  job: () => [`/jobs/${job}`],
  cancelJob: () => [`/jobs/${job}`],
  runs: () => ['/runs?state=finished'],
  run: () => [`/runs/${run}`],
  trace: () => [`/runs/${run}/trace?after=3`],
  state: () => [`/runs/${run}/states/1`],
  call: () => [`/runs/${run}/calls/${firstCall()}`],
  reports: () => ['/reports'],
  fork: () => [`/runs/${run}/fork`, { round: 0, settings: { 'budget.steps': 3 } }],
  compare: () => [`/compare?a=${run}&b=${run}`],
  resume: () => [`/runs/${stopped()}/resume`],
  sessions: () => ['/sessions'],
  session: () => ['/sessions/town'],
  forkSession: () => ['/sessions/town/fork', { at: 1, as: 'other' }],
}
const nobody = 'v00000000000000000000'
const bad: Record<RouteName, [path: () => string, status: number, code: string, body?: unknown]> = {
  health: [() => '/health?x=1', 200, ''],
  openapi: [() => '/openapi.json/', 404, 'unknown'],
  doctor: [() => '/doctor?depth=deep', 400, 'usage'],
  settings: [() => '/settings/models', 404, 'unknown'],
  videos: [() => '/videos?state=good', 400, 'usage'],
  addVideo: [() => '/videos', 400, 'usage', { path: 'town.mp4', upload: 'u0' }],
  upload: [() => '/uploads?name=a.mp4', 422, 'unreadable'],
  video: [() => `/videos/${nobody}`, 404, 'unknown'],
  forgetVideo: [() => '/videos/..%2F..', 404, 'unknown'],
  folders: [() => '/folders?q=', 200, ''],
  folder: [() => '/folders/9', 404, 'unknown'],
  lanes: [() => `/videos/${nobody}/lanes`, 404, 'unknown'],
  rows: [() => `/videos/${video}/rows?from=-1`, 400, 'usage'],
  row: [() => `/videos/${video}/rows/x`, 404, 'unknown'],
  search: [() => '/search?q=a&nth=1', 400, 'usage'],
  tools: [() => '/tools/', 404, 'unknown'],
  callTool: [() => '/tools/read', 400, 'usage', { video: 'town.mp4', start: 'noon' }],
  index: [() => `/videos/${nobody}/index`, 404, 'unknown'],
  ask: [() => `/videos/${video}/ask`, 400, 'usage', { question: 'Who?', surprise: true }],
  askLibrary: [() => '/ask', 400, 'usage', { question: 'Who?', session: 'x' }],
  answering: [() => '/answering/', 404, 'unknown'],
  tryAnswering: [() => '/answering/try', 400, 'usage', { settings: { 'models.writer': 'openai' } }],
  chooseProfile: [() => '/profile', 403, 'forbidden', { profile: 'remote' }],
  jobs: [() => '/jobs/', 404, 'unknown'],
  cluster: [() => '/cluster/x', 404, 'unknown'],
  job: [() => `/jobs/${job}?wait=forever`, 400, 'usage'],
  cancelJob: [() => '/jobs/j0', 404, 'unknown'],
  jobEvents: [() => '/jobs/j0/events', 404, 'unknown'],
  events: [() => '/events/x', 404, 'unknown'],
  runs: [() => '/runs?cursor=x', 400, 'usage'],
  run: [() => '/runs/..', 404, 'unknown'],
  trace: [() => '/runs/none/trace', 404, 'unknown'],
  state: [() => `/runs/${run}/states/999`, 404, 'unknown'],
  call: [() => `/runs/${run}/calls/..%2Fconfig`, 404, 'unknown'],
  resume: [() => `/runs/${run}/resume`, 409, 'conflict'],
  reports: [() => '/reports?cursor=x', 400, 'usage'],
  report: [() => `/reports/${run}`, 404, 'unknown'],
  reportQuestion: [() => '/reports/..%2F../questions/q', 404, 'unknown'],
  fork: [() => `/runs/${run}/fork`, 404, 'unknown', { round: 99 }],
  compare: [() => `/compare?a=${run}&b=none`, 404, 'unknown'],
  sessions: [() => '/sessions/none', 404, 'unknown'],
  session: [() => '/sessions/..%2Fruns', 400, 'usage'],
  forgetSession: [() => '/sessions/none', 404, 'unknown'],
  forkSession: [() => '/sessions/town/fork', 400, 'usage', { at: -1, as: 'x' }],
}
let firstRow = ''
const firstCall = () =>
  readdirSync(place('home', 'runs', run, 'calls'))
    .find(name => name.endsWith('.json'))
    ?.slice(0, -5)

// A run as a kill leaves it: without its summary.
function stopped(): string {
  rmSync(place('home', 'runs', run, 'summary.json'))
  return run
}

test.each([
  { 'models.planner': 'openai' }, // a server that this one does not ask
  { 'models.planner.url': 'http://127.0.0.1:1' },
  { 'models.writer': '/bin/sh' },
  { 'models.transcribe': 'off' },
  { 'index.level': 'quick' },
  { 'policy.verifier': 'off' },
  { 'models.planner': 'off' },
  { 'models.planner.model': 'other' }, // rules ask no server
])('a question chooses who answers it among what this server has: not %j', async settings => {
  for (const [path, body] of [
    [`/videos/${video}/ask`, { question: 'Who?', settings }],
    ['/ask', { question: 'Who?', settings }],
    ['/answering/try', { settings }],
  ] as const) {
    const { status, json } = await server.call('POST', path, body)
    expect(status, path).toBe(400)
    expect(Problem.parse(json).error.code).toBe('usage')
  }
})

test('every route answers as its schema says, and refuses what it cannot take', async () => {
  firstRow = (await get(`/videos/${video}/rows`, routes.rows.reply)).rows[0]?.id ?? ''
  for (const [name, [path, status, code, body]] of Object.entries(bad)) {
    const { method } = routes[name as RouteName]
    const reply = await server.call(method, path(), body ?? (method === 'POST' ? {} : undefined))
    expect.soft(reply.status, `${name} ${JSON.stringify(reply.json)}`).toBe(status)
    if (code !== '') expect.soft(Problem.parse(reply.json).error.code, name).toBe(code)
  }
  const misspelt = await server.call('POST', `/videos/${video}/ask`, { qestion: 'Who?' })
  expect(Problem.parse(misspelt.json).error.message).toContain('qestion')
  for (const [name, given] of Object.entries(good)) {
    const route: Route = routes[name as RouteName]
    const [path, body] = given()
    const { status, json } = await server.call(route.method, path, body)
    expect.soft(status, `${name} ${JSON.stringify(json)}`).toBe(route.status ?? 200)
    expect.soft((route.reply as z.ZodType).safeParse(json).error, name).toBeUndefined()
  }
  const resumed = (await get('/jobs', routes.jobs.reply)).jobs.find(one => one.run === run && one.id !== job)
  const { state, answer } = await waitFor(resumed?.id ?? '')
  expect({ state, text: answer?.answer.text }).toMatchObject({
    state: 'done',
    text: expect.stringContaining('12 euro'),
  })
  expect((await server.call('DELETE', '/sessions/other')).json).toEqual({ removed: 'other' })
})

test('the OpenAPI document is valid and names every route of the table', async () => {
  const { json } = await server.call('GET', '/openapi.json')
  const { valid, errors } = await new Validator().validate(json as Record<string, unknown>)
  expect(errors).toBeUndefined()
  expect(valid).toBe(true)
  const { paths } = z.object({ paths: z.record(z.string(), z.record(z.string(), z.unknown())) }).parse(json)
  const named = Object.entries(paths).flatMap(([path, methods]) =>
    Object.keys(methods).map(method => `${method} ${path}`),
  )
  const table = Object.values<Route>(routes).map(
    ({ method, path }) => `${method.toLowerCase()} ${path.replace(/:(\w+)/g, '{$1}')}`,
  )
  expect(named.sort()).toEqual(table.sort())
})

test('every view is the same page, which carries nothing; what is no view or file of it is not there', async () => {
  const html = await (await fetch(server.origin)).text()
  for (const path of ['/v/any?t=1', '/search?q=a', '/runs', '/r/x', '/compare', '/reports/x', '/jobs', '/health'])
    expect.soft(await (await fetch(`${server.origin}${path}`)).text(), path).toBe(html)
  const [, script = ''] = /src="([^"]+)"/.exec(html) ?? []
  const { status, headers } = await fetch(`${server.origin}${script}`)
  expect([status, headers.get('content-type')]).toEqual([200, 'text/javascript; charset=utf-8'])
  expect(headers.get('cache-control')).toContain('immutable')
  for (const path of [
    '/index.html',
    '/main.js',
    '/v',
    '/v/a/b',
    '/../package.json',
    '/..%2fpackage.json',
    '/icon.svg/',
  ])
    expect.soft((await fetch(`${server.origin}${path}`, { headers: bearer() })).status, path).toBe(404)
})

test('who types an address that is none sees the page, which says so; a program reads it', async () => {
  const page = await fetch(`${server.origin}/nope`, { headers: { accept: 'text/html,*/*' } })
  expect([page.status, page.headers.get('content-type')]).toEqual([404, 'text/html; charset=utf-8'])
  const problem = await fetch(`${server.origin}/nope`)
  expect([problem.status, Problem.parse(await problem.json()).error.code]).toEqual([404, 'unknown'])
})

test('without a token, with a wrong one and with the key of programs', async () => {
  const status = async (headers: Record<string, string>) => (await fetch(`${server.api}/videos`, { headers })).status
  expect(await status({})).toBe(401)
  expect(await status({ authorization: 'Bearer wrong' })).toBe(401)
  expect(await status({ authorization: `Basic ${server.token}` })).toBe(401)
  expect(await status({ cookie: `token=${server.token}` })).toBe(401)
  expect((await fetch(`${server.api}/videos?token=${server.token}`)).status).toBe(401)
  expect(await status({ authorization: `Bearer ${key}` })).toBe(200)
  expect((await fetch(`${server.api}/health`)).status).toBe(200)
})

test('a page of another name, origin or site gets nothing', async () => {
  const { port, token } = server
  const ask = (lines: string[], target = '/api/videos', method = 'GET') =>
    raw(
      port,
      [`${method} ${target} HTTP/1.1`, ...lines, `Authorization: Bearer ${token}`, 'Connection: close', '', ''].join(
        '\r\n',
      ),
    )
  const own = `Host: 127.0.0.1:${port}`
  const codes = async (...given: Parameters<typeof ask>) => (await ask(...given)).slice(9, 12)
  expect(await codes([own])).toBe('200')
  for (const host of ['evil', `evil:${port}`, '127.0.0.1', `127.0.0.1.evil:${port}`, '127.0.0.1:1', `127.1:${port}`])
    expect.soft(await codes([`Host: ${host}`]), host).toBe('403')
  expect.soft(await codes([own, `Host: evil:${port}`]), 'two hosts').not.toBe('200')
  expect.soft(await codes([own], `http://evil:${port}/api/videos`), 'a whole address').toBe('403')
  expect(await codes([own, `Origin: http://127.0.0.1:${port}`])).toBe('200')
  for (const origin of [
    'http://evil',
    'null',
    `https://127.0.0.1:${port}`,
    'http://127.0.0.1:1',
    `http://localhost:${port}`,
  ])
    expect.soft(await codes([own, `Origin: ${origin}`]), origin).toBe('403')
  for (const site of ['cross-site', 'same-site', 'anything'])
    expect.soft(await codes([own, `Sec-Fetch-Site: ${site}`]), site).toBe('403')
  expect(await codes([own, 'Sec-Fetch-Site: same-origin'])).toBe('200')
  const opens = ['Sec-Fetch-Site: cross-site', 'Sec-Fetch-Mode: navigate', 'Sec-Fetch-Dest: document']
  expect(await codes([own, ...opens], '/')).toBe('200')
  expect(await codes([own, ...opens])).toBe('403')
  expect(await codes([own, ...opens.with(2, 'Sec-Fetch-Dest: iframe')], '/')).toBe('403')
  const led = await ask([`Host: localhost:${port}`], '/api/health')
  expect(led).toMatch(/^HTTP\/1.1 308 [\s\S]*location: http:\/\/127\.0\.0\.1:\d+\/api\/health/i)
  expect(await codes([`Host: localhost:${port}`], '/api/videos', 'DELETE')).toBe('403')
  expect(
    await codes([own, 'Origin: http://evil', 'Access-Control-Request-Method: POST'], '/api/videos', 'OPTIONS'),
  ).toBe('403')
})

test('no reply lets a page read, frame, sniff or keep it, and none sets a cookie', async () => {
  for (const path of ['/', '/api/health', '/api/videos', '/api/none', '/media/x/y/source']) {
    const { headers } = await fetch(`${server.origin}${path}`)
    expect.soft(headers.get('content-security-policy'), path).toMatch(/default-src 'none';.* frame-ancestors 'none'/)
    expect.soft(headers.get('cross-origin-resource-policy'), path).toBe('same-origin')
    expect.soft(headers.get('cross-origin-opener-policy'), path).toBe('same-origin')
    expect.soft(headers.get('x-content-type-options'), path).toBe('nosniff')
    expect.soft(headers.get('referrer-policy'), path).toBe('no-referrer')
    expect.soft([headers.get('set-cookie'), headers.get('access-control-allow-origin')], path).toEqual([null, null])
  }
})

test('a signature opens the path that it is of, and no other', async () => {
  const { media } = await get(`/videos/${video}`, routes.video.reply)
  const { live } = await get('/jobs', routes.jobs.reply)
  const status = async (path: string) => (await fetch(`${server.origin}${path}`)).status
  const [, , signature = ''] = media.source.split('/')
  expect(await status(media.source)).toBe(200)
  for (const path of [
    `/media/x/${video}/source`,
    media.source.replace(signature, signature.slice(0, -2)),
    media.source.replace(video, nobody),
    media.source.replace('/source', '/sourcex'),
    `${media.still}1.png`,
    `${media.still}..%2F1.jpg`,
    `/live/${signature}/events`,
    `/media/${live.split('/')[2]}/${video}/source`,
  ])
    expect.soft(await status(path), path).toBe(404)
})

test('no spelling of a path leads out of the folders', async () => {
  const spellings = [
    ...['..', '../private/secret.mp4', 'more/../../private/secret.mp4', '/etc/passwd', './/../private/secret.mp4'],
    ...['link.mp4', 'linked/secret.mp4', 'linked', 'more/../linked/secret.mp4', place('private', 'secret.mp4')],
    ...[`${place('videos')}/../private/secret.mp4`, `${place('videos')}-other/secret.mp4`, '~/secret.mp4', 'none.mp4'],
    ...[
      'file:///etc/passwd',
      'concat:town.mp4|/etc/passwd',
      'http://127.0.0.1:1/x.mp4',
      '\\..\\private',
      'a'.repeat(4000),
    ],
    ...['%2e%2e/private/secret.mp4', '..%2fprivate', '....//private/secret.mp4', '/proc/self/environ', '/dev/zero'],
  ]
  for (const path of spellings) {
    const { status, json } = await server.call('POST', '/videos', { path })
    expect.soft(status, `${path} ${JSON.stringify(json)}`).toBe(403)
    const listed = await server.call('GET', `/folders/0?path=${encodeURIComponent(path)}`)
    expect.soft(listed.status, path).toBe(403)
  }
  expect((await server.call('POST', '/videos', { path: 'town.mp4\0.txt' })).status).toBe(400)
  expect((await server.call('POST', '/videos', { path: 'more' })).status).toBe(422)
  const { entries } = await get('/folders/0', routes.folder.reply)
  expect(entries.map(({ name }) => name)).toEqual(['more', 'town.mp4'])
})

test('a body that is too large, no JSON or of another type is refused', async () => {
  const post = async (body: string, type = 'application/json') =>
    (await fetch(`${server.api}/videos`, { method: 'POST', body, headers: { ...bearer(), 'content-type': type } }))
      .status
  expect(await post('{"path":"town.mp4"}', 'text/plain')).toBe(400)
  expect(await post('{"path":')).toBe(400)
  expect(await post(`{"path":"town.mp4"}${' '.repeat(1_100_000)}`)).toBe(400)
  expect(await post('[]')).toBe(400)
})

test('a killed server forgets no job: what was answered is there, what was under way goes on', async () => {
  const asked = await begin(`/videos/${video}/ask`, { question: 'Where are bags left?' })
  await listen(`${server.api}/jobs/${asked}/events`, bearer(), ({ data }) => (data as { type?: string }).type === 'run')
  const indexing = await begin(`/videos/${video}/index`)
  await server.kill()
  server = await startServer(args, place('home'), environment)
  const { jobs } = await get('/jobs', routes.jobs.reply)
  expect(jobs.map(({ id }) => id)).toEqual(expect.arrayContaining([job, asked, indexing]))
  expect((await get(`/jobs/${job}`, Job)).answer?.answer.text).toContain('12 euro')
  const ended: Job[] = []
  for (const id of [asked, indexing]) {
    const left = await get(`/jobs/${id}`, Job)
    if (left.state === 'done') ended.push(left)
    else {
      expect(left.error).toMatchObject({ code: 'interrupted', retryable: true })
      const [method = '', path = ''] = (left.goOn ?? '').split(' /api')
      ended.push(await waitFor(await begin(path)))
      expect(method).toBe('POST')
    }
  }
  expect(ended.map(({ state }) => state)).toEqual(['done', 'done'])
  expect(ended[0]?.answer?.answer.text).toMatch(/bags|door/)
})

test('other machines are let in only with a key and a name', async () => {
  const open = ['--host', '0.0.0.0']
  const named = [...open, '--trust-host', 'nas.local']
  const keyed = ['--set', 'serve.keyVariable=SERVE_KEY']
  for (const [given, key] of [
    [open, ''],
    [named, ''],
    [[...open, ...keyed], environment.SERVE_KEY],
    [[...named, ...keyed], 'short'],
  ] as const)
    await expect(startServer([...given], place('open'), { SERVE_KEY: key }), given.join(' ')).rejects.toThrow(
      /ended with 2/,
    )
  const other = await startServer([...named, ...keyed], place('open'), environment)
  const hello = (host: string) =>
    raw(other.port, `GET /api/health HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n\r\n`)
  expect(await hello(`nas.local:${other.port}`)).toMatch(/^HTTP\/1.1 200/)
  expect(await hello(`127.0.0.1:${other.port}`)).toMatch(/^HTTP\/1.1 403/)
  await other.stop()
})

test('a second server on the same data folder is refused', async () => {
  await expect(startServer([], place('home'))).rejects.toThrow('Another "longtake serve" uses the data folder')
})

test('a job that is cancelled ends, and what waits goes before what runs', async () => {
  const ids = await Promise.all(
    [1, 2, 3, 4].map(number => begin(`/videos/${video}/ask`, { question: `What is said in part ${number}?` })),
  )
  const ended = await Promise.all(ids.map(async id => Job.parse((await server.call('DELETE', `/jobs/${id}`)).json)))
  for (const { state } of ended) expect(['cancelled', 'done']).toContain(state)
  expect(ended.at(-1)?.state).toBe('cancelled')
})

test('64 jobs wait; one more is told to come again', async () => {
  const path = `/videos/${video}/index`
  const ids: string[] = []
  let refused: Reply | undefined
  while (!refused && ids.length < 80) {
    const reply = await server.call('POST', path)
    if (reply.status === 202) ids.push(routes.index.reply.parse(reply.json).job)
    else refused = reply
  }
  expect(refused?.status).toBe(429)
  expect(Problem.parse(refused?.json).error).toMatchObject({ code: 'queue_full', retryable: true })
  expect(Number(refused?.headers.get('retry-after'))).toBeGreaterThan(0)
  expect(ids.length).toBeGreaterThanOrEqual(64)
  await Promise.all(ids.map(id => server.call('DELETE', `/jobs/${id}`)))
})

test('forgetting a video removes its index and leaves its file', async () => {
  const { jobs } = await get('/jobs', routes.jobs.reply)
  for (const { id } of jobs) await waitFor(id) // those that the contract has begun
  const { status, json } = await server.call('DELETE', `/videos/${video}`)
  expect({ status, json }).toMatchObject({ status: 200, json: { removed: video } })
  expect(statSync(place('videos', 'town.mp4')).size).toBeGreaterThan(0)
  expect((await server.call('GET', `/videos/${video}`)).status).toBe(404)
  expect((await get('/videos', routes.videos.reply)).videos).toEqual([])
  expect((await get('/search?q=museum', routes.search.reply)).notSearched).toEqual([])
})

test('the token is in its own file only, the key in none, and the server says neither', async () => {
  const { token } = server
  const written = readdirSync(place('home'), { recursive: true, withFileTypes: true })
    .filter(entry => entry.isFile())
    .map(entry => join(entry.parentPath, entry.name))
  expect(written.length).toBeGreaterThan(20)
  const holding = (secret: string) => written.filter(file => readFileSync(file, 'latin1').includes(secret))
  expect(holding(token)).toEqual([place('home', 'serve', 'token')])
  expect(holding(key)).toEqual([])
  for (const secret of [token, key]) expect(server.said().includes(secret)).toBe(false)
  expect(server.said()).not.toContain('fault of longtake')
})
