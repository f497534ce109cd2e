import { spawn } from 'node:child_process'
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { indexedTown } from '../end-to-end/town-video.ts'
import { type ChatBody, startChatServer } from '../servers/chat-server.ts'
import type { FaultServer } from '../servers/fault-server.ts'

// scripts/study.ts as an author starts it, with two planners over the OpenAI protocol: one is right with tools and in the agent and guesses
// without them, the other is wrong everywhere.

const root = join(import.meta.dirname, '..', '..')
const folder = mkdtempSync(join(tmpdir(), 'longtake-study-'))
let home: string
let server: FaultServer

beforeAll(async () => {
  server = await startChatServer(['strong', 'weak'], body => reply(body as Request))
  const town = await indexedTown(folder)
  home = town.home
  mkdirSync(join(folder, 'data'))
  symlinkSync(town.video, join(folder, 'data', 'town.mp4'))
  const ask = (question: string, answer: string, options: string[]) =>
    JSON.stringify({
      ...{ video: 'town.mp4', question, options: options.map((text, at) => `${'ABCD'[at]}. ${text}`), answer },
      answer_text: options['ABCD'.indexOf(answer)],
    })
  const prices = ask('How much is a ticket for adults?', 'B', ['9 euro', '12 euro', '30 euro', 'nothing'])
  const room = ask('Which room is named on the screen?', 'B', ['Room 9', 'Room 204', 'Room 31', 'none'])
  writeFileSync(join(folder, 'data', 'test.jsonl'), `${prices}\n${room}\n`)
  for (const model of ['strong', 'weak']) {
    const role = { backend: 'openai', url: server.url, model, accepts: ['text', 'image'] }
    const roles = Object.fromEntries(['planner', 'writer', 'verifier', 'vision'].map(name => [name, role]))
    writeFileSync(
      join(folder, `${model}.json`),
      JSON.stringify({ profile: 'embedded', graph: 'converse', models: roles }),
    )
  }
})
afterAll(async () => {
  await server.close()
  rmSync(folder, { recursive: true, force: true })
})

type Request = ChatBody & { tools?: { function: { name: string } }[]; response_format?: object }

function reply({ model, messages, tools = [], response_format }: Request): object {
  const text = JSON.stringify(messages)
  const call = (name: string, input: object) => ({
    content: null,
    tool_calls: [{ id: 'c1', type: 'function', function: { name, arguments: JSON.stringify(input) } }],
  })
  const has = (name: string) => tools.some(one => one.function.name === name)
  const right = model === 'strong'
  const said = text.includes('Which room') ? 'Room 204' : '12 euro'
  if (has('answer')) {
    const [, row = ''] = new RegExp(`\\b([a-z][0-9a-f]{10})\\b(?:(?!\\\\n).)*${said}`).exec(text) ?? []
    const claims = [{ text: `It says ${said}.`, cites: [row] }]
    return call('answer', { claims, text: `It says ${said}.`, confidence: 0.9, choice: right ? 1 : 3 })
  }
  if (has('read')) {
    if (right && !text.includes('"role":"tool"')) return call('read', {})
    return { content: right ? `It is written at [0:00.0-0:09.0].\nAnswer: ${said}` : 'Answer: D' }
  }
  if (response_format) return { content: '{"claims":[{"claim":1,"reason":"it says so","verdict":"supported"}]}' }
  return { content: 'D' }
}

async function study(place: string, ...more: string[]) {
  const models = ['strong', 'weak'].flatMap(name => ['--model', join(folder, `${name}.json`)])
  const words = [place, '--data', `videoeval-pro=${join(folder, 'data')}`, ...models, ...more]
  const script = join(root, 'scripts', 'study.ts')
  const child = spawn(process.execPath, ['--import', 'tsx', script, ...words, '--', '--task', 'mcq'], {
    cwd: root,
    env: { ...process.env, LONGTAKE_HOME: home, LONGTAKE_CONFIG: undefined, CI: 'true' },
  })
  let [out, err] = ['', '']
  child.stdout.setEncoding('utf8').on('data', piece => {
    out += piece
  })
  child.stderr.setEncoding('utf8').on('data', piece => {
    err += piece
  })
  const code = await new Promise<number | null>(done => child.on('close', done))
  return { code, out, err }
}

test('a study is forecast without a request, run, resumed without another, and told in a page and tables', async () => {
  const out = mkdtempSync(join(folder, 'study-'))
  const asked = () => server.seen.filter(({ path }) => path.endsWith('/chat/completions')).length
  const begun = asked()
  const forecast = await study(out, '--dry-run', '--by', 'alone')
  expect(forecast.code, forecast.err).toBe(0)
  expect(forecast.out).toContain('2 questions')
  expect(readdirSync(out)).toEqual([])
  expect(asked()).toBe(begun)

  const ran = await study(out)
  expect(ran.code, ran.err).toBe(0)
  const [set] = readdirSync(out, { withFileTypes: true }).filter(one => one.isDirectory())
  const runs = join(out, set!.name)
  const scoreOf = (name: string) =>
    JSON.parse(readFileSync(join(runs, name, 'scores.json'), 'utf8')).strict.metrics.mcq as number
  const scores = Object.fromEntries(readdirSync(runs).map(name => [name, scoreOf(name)]))
  expect(scores).toEqual({
    ...{ 'strong-alone': 0, 'strong-host': 100, 'strong-longtake': 100 },
    ...{ 'weak-alone': 0, 'weak-host': 0, 'weak-longtake': 0 },
  })
  const table = readFileSync(join(out, 'table.md'), 'utf8')
  expect(table).toMatch(/strong/)
  for (const file of ['report.html', 'table.tex']) expect(readFileSync(join(out, file), 'utf8')).toContain('100')

  const before = asked()
  rmSync(join(runs, 'weak-host', 'summary.json')) // as if it had been stopped before its end
  rmSync(join(out, 'table.md'))
  const again = await study(out)
  expect(again.code, again.err).toBe(0)
  expect(again.err).toContain('resumed')
  expect(asked()).toBe(before)
  expect(readFileSync(join(out, 'table.md'), 'utf8')).toBe(table)
})
