import { cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { z } from 'zod'
import { Comparison } from '../../src/core/api/compare.ts'
import { Job } from '../../src/core/api/job.ts'
import { Problem } from '../../src/core/api/problem.ts'
import { routes } from '../../src/core/api/routes.ts'
import { RunDetails } from '../../src/core/api/run.ts'
import { longtakeHere } from '../end-to-end/longtake.ts'
import { indexedTown } from '../end-to-end/town-video.ts'
import { type Serving, startServer } from './serving.ts'

// One server and a clip of half a minute. What is asked with other settings is asked by the command line, in the same data folder.

const folder = mkdtempSync(join(tmpdir(), 'longtake-runs-'))
const home = join(folder, 'home')
const video = join(folder, 'town.mp4')
const question = 'When does the first tour start?'
const withoutSpeech = ['--set', 'index.tracks.speech=false']
// A planner that searches for something else first.
const replies = [{ calls: [{ name: 'search', arguments: { query: 'bus' } }] }, 'READY']
const scripted = { backend: 'scripted', replies, atEnd: 'repeat-last' }
let server: Serving
let plain = ''
let silent = ''
let other = ''

async function longtake(...args: string[]): Promise<unknown> {
  const { code, out, err } = await longtakeHere([...args, '--json'], { home })
  if (code !== 0) throw new Error(err)
  return JSON.parse(out)
}
const ask = async (...settings: string[]): Promise<string> => {
  const { run } = z.object({ run: z.string() }).parse(await longtake('ask', video, question, ...settings))
  return run.split('/').at(-1) ?? ''
}
const get = async <Shape extends z.ZodType>(path: string, shape: Shape): Promise<z.output<Shape>> => {
  const { status, json } = await server.call('GET', path)
  expect(status, `${path} ${JSON.stringify(json)}`).toBe(200)
  return shape.parse(json)
}
const details = (run: string) => get(`/runs/${run}`, RunDetails)
const compare = (a: string, b: string) => get(`/compare?a=${a}&b=${b}`, Comparison)
const fork = async (run: string, round: number, settings: object = {}) => {
  const { status, json } = await server.call('POST', `/runs/${run}/fork`, { round, settings })
  expect(status, JSON.stringify(json)).toBe(202)
  const job = await get(`/jobs/${routes.fork.reply.parse(json).job}?wait=60`, Job)
  expect(job.error).toBeUndefined()
  return details(job.run ?? '')
}
const lastRound = ({ rounds }: z.output<typeof RunDetails>) => rounds.at(-1)?.round ?? -1

beforeAll(async () => {
  await indexedTown(folder)
  const lines = '1\n00:00:12,500 --> 00:00:16,000\nThe first tour starts in the morning at ten.\n'
  writeFileSync(join(folder, 'town.srt'), lines)
  plain = await ask()
  silent = await ask(...withoutSpeech)
  other = await ask('--set', `models.planner=${JSON.stringify(scripted)}`)
  server = await startServer([folder], home)
})
afterAll(async () => {
  await server?.stop()
  rmSync(folder, { recursive: true, force: true })
})

test('a run is a list of steps with their calls, new rows and states', async () => {
  const { steps, states, rounds, answer, question: asked, usage } = await details(plain)
  expect(asked?.text).toBe(question)
  expect(answer?.answer.text).toContain('ten')
  expect(steps.map(({ step, node }) => `${step} ${node}`)).toEqual(
    ['overview', 'plan', 'act', 'plan', 'draft', 'check', 'answer'].map((node, at) => `${at + 1} ${node}`),
  )
  expect(steps.map(({ state }) => state)).toEqual(states.slice(1))
  expect(rounds[0]).toEqual({ round: 0, state: 1 })
  expect(usage?.calls).toBeGreaterThan(0)
  const act = steps[2]
  expect(act?.tools.map(({ tool, kind }) => [tool, kind])).toEqual([
    ['search', 'search'],
    ['timeline', 'list'],
  ])
  expect(act?.tools[0]).toMatchObject({ span: { lane: 'searched', span: { start: 0, end: 30 } }, outcome: 'found' })
  expect(act?.fresh).toContain(act?.tools[0]?.found.find(({ track }) => track === 'speech')?.id)
  const purposes = steps.map(({ calls }) => calls.map(({ purpose, by }) => purpose ?? by).sort())
  expect(purposes).toEqual([[], ['plan'], ['search', 'timeline'], ['plan'], ['write'], ['check'], []])
  const call = steps[4]?.calls[0]?.call
  expect(await get(`/runs/${plain}/calls/${call}`, routes.call.reply)).toMatchObject({ request: { purpose: 'write' } })
})

test('limits of one question are settings that differ, and a fork has them where it names no others', async () => {
  const id = (await details(plain)).video?.id ?? ''
  const { json } = await server.call('POST', `/videos/${id}/ask`, { question, budget: { steps: 1 } })
  const { run: limited = '' } = await get(`/jobs/${routes.ask.reply.parse(json).job}?wait=60`, Job)
  const settings = async (other: string) => (await compare(limited, other)).settings
  expect(await settings(plain)).toEqual([expect.objectContaining({ setting: 'budget.steps', a: 1 })])
  expect(await settings((await fork(limited, 0)).id)).toEqual([])
  const freer = await fork(limited, 0, { 'budget.steps': 3 })
  expect(await settings(freer.id)).toEqual([expect.objectContaining({ setting: 'budget.steps', a: 1, b: 3 })])
})

test('state N is the checkpoint after step N', async () => {
  const lines = readFileSync(join(home, 'runs', plain, 'checkpoints.jsonl'), 'utf8')
    .trimEnd()
    .split('\n')
  const folded: Record<string, unknown> = {}
  let compared = 0
  for (const line of lines.map(text => JSON.parse(text))) {
    if (!line.checkpoint) continue
    for (const name of line.gone) delete folded[name]
    for (const [name, { more }] of Object.entries<{ more: unknown[] }>(line.grown))
      folded[name] = [...(folded[name] as unknown[]), ...more]
    Object.assign(folded, line.values)
    const state = line.metadata.step - 1
    if (state < 0) continue
    const own = Object.fromEntries(Object.entries(folded).filter(([name]) => !/^(__|branch:)/.test(name)))
    const { values } = await get(`/runs/${plain}/states/${state}`, routes.state.reply)
    expect(values).toEqual(own)
    compared++
  }
  expect(compared).toBe((await details(plain)).states.length)
})

test('a run does not part from itself', async () => {
  const { divergence, steps, settings, same, cited } = await compare(plain, plain)
  expect(divergence).toBeUndefined()
  expect(steps.every(pair => pair.same)).toBe(true)
  expect({ settings, same }).toEqual({ settings: [], same: { question: true, video: true, index: true } })
  expect([cited.both.length, cited.onlyA.length, cited.onlyB.length]).toEqual([1, 0, 0])
})

test('without speech the first search is the first to find something else; the command line names the same', async () => {
  const found = await compare(plain, silent)
  expect(found.settings).toEqual([{ setting: 'index.tracks.speech', a: true, b: false }])
  expect(found.same).toEqual({ question: true, video: true, index: false })
  expect(found.divergence).toMatchObject({
    ...{ at: 2, kind: 'other result' },
    a: { step: 3, node: 'act', tool: 'search', outcome: 'found' },
    b: { step: 3, node: 'act', tool: 'search', outcome: 'nothing' },
  })
  expect(found.cited.onlyA.map(({ track }) => track)).toEqual(['speech'])
  expect(found.b.answer?.abstained).toBe(true)
  const { schemaVersion, ...said } = (await longtake('runs', 'compare', plain, silent)) as Record<string, unknown>
  expect(schemaVersion).toBe(1)
  expect(Comparison.parse(said)).toEqual(found)
})

test('with another planner the first other call is named', async () => {
  const { divergence, settings } = await compare(plain, other)
  expect(divergence).toMatchObject({ kind: 'other input', a: { tool: 'search' }, b: { input: { query: 'bus' } } })
  expect(settings.map(one => one.setting)).toContain('models.planner.backend')
})

test('a fork from the last round gives the same answer, and makes only the calls that come after', async () => {
  const whole = await details(plain)
  const forked = await fork(plain, lastRound(whole))
  expect(forked.answer?.answer).toEqual(whole.answer?.answer)
  expect(forked.forked).toMatchObject({ run: plain, step: 3 })
  expect(forked.steps.map(({ run }) => run)).toEqual([plain, plain, plain, ...Array(4).fill(undefined)])
  expect(forked.steps.slice(3).flatMap(({ calls }) => calls.map(({ purpose }) => purpose))).toEqual([
    ...['plan', 'write', 'check'],
  ])
  expect(forked.usage?.calls).toBe(3)
  expect(forked.usage?.calls).toBeLessThan(whole.usage?.calls ?? 0)
  const { divergence, settings, same } = await compare(plain, forked.id)
  expect({ divergence, settings, same }).toEqual({
    ...{ divergence: undefined, settings: [] },
    same: { question: true, video: true, index: true },
  })
})

test('a fork goes its own way with another planner or another policy, and costs what comes after', async () => {
  const before = await details(other)
  const replanned = await fork(other, 0, { 'models.planner': 'rules' })
  const parted = await compare(other, replanned.id)
  expect(parted.settings.map(one => one.setting)).toEqual(
    expect.arrayContaining(['models.planner.backend', 'models.planner.replies']),
  )
  expect(parted.divergence).toMatchObject({ at: 2, kind: 'other input', a: { input: { query: 'bus' } } })
  expect(parted.divergence?.b?.tool).toBe('search')
  expect(replanned.answer?.answer.text).toContain('ten')
  expect(before.steps[2]?.tools[0]?.input).toMatchObject({ query: 'bus' }) // what was forked stays as it was

  const quick = { 'policy.lookBeforeAnswer': false, 'policy.noveltyGuard': false }
  const quicker = await fork(silent, 1, quick)
  const ended = await compare(silent, quicker.id)
  expect(ended.settings.map(one => one.setting).sort()).toEqual(Object.keys(quick))
  expect(ended.divergence).toMatchObject({ kind: 'other call', a: { tool: 'search' }, b: { node: 'draft' } })
  expect(quicker.usage?.calls).toBe(
    quicker.steps.flatMap(one => one.calls).filter(one => one.kind === 'chat').length - chatsBefore(quicker),
  )
  expect(quicker.usage?.calls).toBeLessThan((await details(silent)).usage?.calls ?? 0)
})

// Calls of the steps that a fork has taken over.
function chatsBefore({ steps }: z.output<typeof RunDetails>): number {
  return steps.filter(one => one.run !== undefined).flatMap(one => one.calls.filter(({ kind }) => kind === 'chat'))
    .length
}

test('a fork gets no new power, and no state that the run has not', async () => {
  for (const [settings, about] of [
    [{ 'permissions.code': true }, 'permissions.code'],
    [{ 'tools.files': '/tmp/tool.ts' }, 'tools.files'],
    [{ 'tools.sets': 'all' }, 'tools.sets'],
    [{ 'index.level': 'quick' }, 'index.level'],
    [{ 'models.planner.url': 'http://127.0.0.1:1' }, 'models.planner.url'],
    [{ 'models.planner': 'openai' }, 'models.planner'],
    [{ 'models.planner': 'off' }, 'models.planner off'],
    [{ 'models.verifier': 'off' }, 'models.verifier off'],
    [{ 'models.planner.model': 'other' }, 'models.planner'],
    [{ 'models.planner': '{"backend":"langchain","module":"/tmp/x.mjs"}' }, 'models.planner'],
    [{ 'models.transcribe': 'pocketsphinx' }, 'models.transcribe'],
    [{ 'policy.nothing': true }, 'nothing'],
    [{ 'policy.verifier': 'perhaps' }, 'verifier'],
    [{ 'policy.__proto__': true }, '__proto__'],
    [{ graph: 'single-pass' }, 'graph'],
  ] as const) {
    const { status, json } = await server.call('POST', `/runs/${plain}/fork`, { round: 0, settings })
    expect.soft(status, `${about} ${JSON.stringify(json)}`).toBe(400)
    expect.soft(Problem.safeParse(json).data?.error.message, about).toContain(about)
  }
  const none = await server.call('POST', `/runs/${plain}/fork`, { round: 99 })
  expect(none.status).toBe(404)
  expect(Problem.parse(none.json).error.hint).toBe('It has 0, 1.')
})

test('a run folder has no power over the API: what the server was not started with is refused, and nothing of it is run', async () => {
  const proof = join(folder, 'ran.txt')
  const code = join(folder, 'evil.mjs')
  writeFileSync(
    code,
    `import { writeFileSync } from 'node:fs'; writeFileSync(${JSON.stringify(proof)}, ''); export default {}`,
  )
  const name = 'hostile'
  const place = join(home, 'runs', name)
  cpSync(join(home, 'runs', plain), place, { recursive: true })
  rmSync(join(place, 'summary.json'))
  const config = JSON.parse(readFileSync(join(place, 'config.json'), 'utf8'))
  const about = JSON.parse(readFileSync(join(place, 'environment.json'), 'utf8'))
  const sight = { backend: 'openai', url: 'http://127.0.0.1:9/v1', model: 'x' }
  for (const [wanted, named] of [
    [{ tools: { ...config.tools, files: [code] } }, 'tools.files'],
    [
      { tools: { ...config.tools, servers: { notes: { command: process.execPath, args: [code] } } } },
      'tools.servers.notes.command',
    ],
    [{ tools: { ...config.tools, web: { provider: 'searxng', url: 'http://127.0.0.1:9' } } }, 'tools.web.url'],
    [{ permissions: { ...config.permissions, code: true } }, 'permissions.code'],
    [{ models: { ...config.models, planner: { backend: 'langchain', module: code } } }, 'models.planner'],
    [{ models: { ...config.models, vision: sight } }, 'models.vision'],
    [{ models: { ...config.models, vision: { ...sight, apiKeyEnv: 'HOME' } } }, 'models.vision'],
    [{ models: { ...config.models, readText: { backend: 'vlm', chat: sight } } }, 'models.readText'],
    [{ models: { ...config.models, voice: { backend: 'silero', model: '/etc/passwd' } } }, 'models.voice'],
    [{ server: { url: 'http://127.0.0.1:9/v1', apiKeyEnv: 'HOME' } }, 'server.apiKeyEnv'],
    [{ index: { ...config.index, overview: 'written' } }, 'index.overview'],
    [{ index: { ...config.index, maxHours: 9000 } }, 'index.maxHours'],
    [{ policy: { ...config.policy, budgets: false } }, 'policy.budgets'],
    [{ budget: { ...config.budget, tokens: 1e9 } }, 'budget.tokens'],
  ] as const) {
    writeFileSync(join(place, 'config.json'), JSON.stringify({ ...config, ...wanted }))
    for (const [does, body] of [
      ['resume', undefined],
      ['fork', { round: 0, settings: {} }],
    ] as const) {
      const { status, json } = await server.call('POST', `/runs/${name}/${does}`, body)
      const error = Problem.safeParse(json).data?.error
      expect.soft(status, `${does} ${named} ${JSON.stringify(json)}`).toBe(409)
      expect.soft(error?.message, does).toContain(named)
      expect.soft(error?.hint, does).toContain(`longtake ask --resume ${name}`)
    }
  }
  writeFileSync(join(place, 'config.json'), JSON.stringify(config))
  writeFileSync(join(place, 'environment.json'), JSON.stringify({ ...about, budget: { steps: 1000 } }))
  expect((await server.call('POST', `/runs/${name}/resume`)).status).toBe(409)
  // Another file under the id of the video is neither opened nor added.
  const elsewhere = { ...about, video: { ...about.video, path: join(folder, 'nothing-there.mp4') } }
  writeFileSync(join(place, 'environment.json'), JSON.stringify(elsewhere))
  const { json } = await server.call('POST', `/runs/${name}/resume`)
  const job = await get(`/jobs/${routes.resume.reply.parse(json).job}?wait=60`, Job)
  expect(job).toMatchObject({ state: 'done', run: name })
  expect(existsSync(proof)).toBe(false)
  rmSync(place, { recursive: true })
})

test('the states of a run folder give no permission, and its limits and what was spent are numbers', async () => {
  const proof = join(folder, 'tool-ran.txt')
  const tool = join(folder, 'dangerous.mjs')
  writeFileSync(
    tool,
    `import { writeFileSync } from 'node:fs'
    const run = async () => (writeFileSync(${JSON.stringify(proof)}, ''), { evidence: [] })
    export default { name: 'run_it', description: 'runs it, where somebody allows it', input: { type: 'object', properties: {} }, danger: 'code', run }`,
  )
  const armedHome = join(folder, 'armed')
  for (const part of ['library', 'runs']) cpSync(join(home, part), join(armedHome, part), { recursive: true })
  const place = join(armedHome, 'runs', 'states')
  cpSync(join(home, 'runs', plain), place, { recursive: true })
  rmSync(join(place, 'summary.json'))
  const read = (name: string) => readFileSync(join(place, name), 'utf8')
  const [config, about] = ['config.json', 'environment.json'].map(name => JSON.parse(read(name)))
  writeFileSync(join(place, 'config.json'), JSON.stringify({ ...config, tools: { ...config.tools, files: [tool] } }))
  const lines = read('checkpoints.jsonl')
    .trimEnd()
    .split('\n')
    .map(line => JSON.parse(line))
  const states = lines.slice(0, 1 + lines.findIndex(line => line.values && 'branch:to:act' in line.values))
  const { values, ...last } = states.pop()
  const put = (more: object) => {
    const made = { ...last, values: { ...values, ...more } }
    writeFileSync(join(place, 'checkpoints.jsonl'), [...states, made].map(line => `${JSON.stringify(line)}\n`).join(''))
  }
  const armed = await startServer([folder, '--set', `tools.files=${JSON.stringify([tool])}`], armedHome)
  try {
    const does = async (way: string, body?: object) => {
      const { json } = await armed.call('POST', `/runs/states/${way}`, body)
      const { job } = z.object({ job: z.string() }).parse(json)
      return Job.parse((await armed.call('GET', `/jobs/${job}?wait=60`)).json)
    }
    const calls = [{ id: 'x', name: 'run_it', arguments: {} }]
    put({ permits: { code: true, network: true, servers: true }, calls })
    const { run = '' } = await does('resume')
    expect(readFileSync(join(armedHome, 'runs', run, 'trace.jsonl'), 'utf8')).toContain('run_it needs the permission')
    expect(existsSync(proof)).toBe(false)
    rmSync(join(place, 'summary.json'))
    for (const more of [
      { spent: { ...values.spent, calls: 0, inputTokens: -1e12, outputTokens: 0, frames: 0, seconds: 0, money: 0 } },
      { spent: { calls: 'none' } },
      { round: -1e9 },
    ]) {
      put(more)
      expect.soft((await does('resume')).error?.message, JSON.stringify(more)).toContain('is damaged')
    }
    put({})
    for (const budget of [{ steps: 'Infinity' }, { seconds: [1e9] }, { money: null }]) {
      writeFileSync(join(place, 'environment.json'), JSON.stringify({ ...about, budget }))
      expect.soft((await armed.call('POST', '/runs/states/resume')).status, JSON.stringify(budget)).toBe(507)
    }
  } finally {
    await armed.stop()
  }
})

test('a limit that a request has named may be named again by its run', async () => {
  const id = (await details(plain)).video?.id ?? ''
  const { json } = await server.call('POST', `/videos/${id}/ask`, { question, budget: { steps: 50 } })
  const { run = '' } = await get(`/jobs/${routes.ask.reply.parse(json).job}?wait=60`, Job)
  const freer = await fork(run, 0, { 'budget.frames': 999 })
  expect((await fork(freer.id, 0)).state).toBe('finished')
})

test('a run that was killed, that goes on, or that an older release made is shown and not refused', async () => {
  const copy = (name: string, without: readonly string[]) => {
    cpSync(join(home, 'runs', plain), join(home, 'runs', name), { recursive: true })
    for (const file of without) rmSync(join(home, 'runs', name, file), { recursive: true })
    return name
  }
  const killed = await details(copy('killed', ['summary.json']))
  expect(killed).toMatchObject({ state: 'unfinished', rounds: [{ round: 0 }, { round: 1 }] })
  expect(killed.answer).toBeUndefined()
  expect(killed.steps).toHaveLength(7)

  const begun = copy('begun', ['summary.json', 'checkpoints.jsonl', 'calls'])
  const trace = join(home, 'runs', begun, 'trace.jsonl')
  const lines = readFileSync(trace, 'utf8').split('\n').slice(0, 8)
  const strange = ['run', 'step', 'evidence', 'tool-end', 'plan', '__proto__', 'future'].map(type => ({ at: 2, type }))
  const more = strange.map(event => JSON.stringify(event))
  writeFileSync(trace, `${[...lines, ...more].join('\n')}\n{"at":3,"ty`)
  const going = await details(begun)
  expect(going.steps.at(-1)?.seconds).toBeUndefined()
  expect(going).toMatchObject({ states: [], rounds: [] })
  expect((await server.call('POST', `/runs/${begun}/fork`, { round: 0 })).status).toBe(404)
  expect((await compare(plain, begun)).divergence).toMatchObject({ kind: 'ended earlier', ended: 'b' })

  const about = join(home, 'runs', begun, 'environment.json')
  const round = { ...JSON.parse(readFileSync(about, 'utf8')), forked: { run: begun, step: 2, checkpoint: 'x' } }
  writeFileSync(about, JSON.stringify(round))
  expect((await details(begun)).steps.map(one => one.step)).toEqual(going.steps.map(one => one.step))
  writeFileSync(about, '{"format":1}')
  expect((await server.call('GET', `/runs/${begun}`)).status).toBe(507)

  const empty = copy('empty', ['summary.json', 'checkpoints.jsonl', 'calls', 'trace.jsonl'])
  expect(await details(empty)).toMatchObject({ steps: [], events: 0, states: [] })

  const old = join(import.meta.dirname, '..', 'fixtures', 'format-1', 'runs')
  cpSync(old, join(home, 'runs'), { recursive: true })
  const [first = ''] = readdirSync(old)
  const shown = await details(first)
  expect(shown).toMatchObject({ state: 'finished', steps: [], summary: { answer: 'Red.' } })
  const { status } = await server.call('GET', `/compare?a=${plain}&b=${first}`)
  expect(status).toBe(409)
})

// Last: the video lies elsewhere afterwards.
test('what another process has made of the same content is seen by the next question', async () => {
  const id = (await details(plain)).video?.id ?? ''
  const answerOf = async () => {
    const { json } = await server.call('POST', `/videos/${id}/ask`, { question })
    const job = await get(`/jobs/${routes.ask.reply.parse(json).job}?wait=60`, Job)
    return (await details(job.run ?? '')).answer?.answer.text
  }
  const rows = async () => JSON.stringify((await server.call('GET', `/videos/${id}/rows?tracks=speech`)).json)
  expect(await answerOf()).toContain('ten')
  expect(await rows()).toContain('at ten')
  const elsewhere = join(folder, 'elsewhere')
  mkdirSync(elsewhere)
  cpSync(video, join(elsewhere, 'copy.mp4'))
  const lines = '1\n00:00:12,500 --> 00:00:16,000\nThe first tour starts in the evening at eleven.\n'
  writeFileSync(join(elsewhere, 'copy.srt'), lines)
  await longtake('index', join(elsewhere, 'copy.mp4'))
  expect(await rows()).toContain('at eleven')
  expect(await answerOf()).toContain('eleven')
})
