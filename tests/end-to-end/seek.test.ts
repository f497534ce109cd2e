import { existsSync, mkdirSync, readdirSync, statSync, writeFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { resolveConfig } from '../../src/config/resolve.ts'
import { UsageError } from '../../src/core/errors.ts'
import { createRuntime, type LocalRuntime } from '../../src/runtime/runtime.ts'
import { mediaFolder } from '../media-fixtures.ts'
import { type FaultServer, startFaultServer } from '../servers/fault-server.ts'

interface Sent {
  messages: { role: string; content: string | { type: string }[] | null }[]
}

const media = mediaFolder()
const question = { text: 'What colour is the boat?' }
let folder: string
let home: string
let video: string
let server: FaultServer
let asked: Sent[] = []
let onAsk: (n: number) => void = () => {}
const opened: LocalRuntime[] = []

// Two minutes with words that somebody wrote down, and a server whose model looks at 1:00-1:40, then at 1:10-1:14, then answers.
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'longtake-seek-'))
  video = media.ffmpeg('boat.mp4', '-f lavfi -i testsrc2=s=160x90:r=4:d=120', '-c:v libx264 -preset ultrafast -g 40')
  writeFileSync(media.path('boat.srt'), '1\n00:01:11,000 --> 00:01:13,000\nLook at the red boat.\n')
  server = await startFaultServer(({ path, body }) => {
    if (path.endsWith('/models')) return json({ object: 'list', data: [{ id: 'sees', object: 'model' }] })
    asked.push(body as Sent)
    onAsk(asked.length)
    return json({
      model: 'sees',
      choices: [{ index: 0, message: { role: 'assistant', ...reply(body as Sent) }, finish_reason: 'stop' }],
      usage: { prompt_tokens: 10, completion_tokens: 2 },
    })
  })
})
beforeEach(() => {
  asked = []
  onAsk = () => {}
  home = join(folder, `home-${Math.random().toString(36).slice(2)}`)
  mkdirSync(home)
})
afterEach(async () => {
  for (const runtime of opened.splice(0)) await runtime.close()
})
afterAll(async () => {
  await server.close()
  media.remove()
  await rm(folder, { recursive: true, force: true })
})

function json(value: unknown) {
  return { status: 200, type: 'application/json', pieces: [Buffer.from(JSON.stringify(value))] }
}

function reply({ messages }: Sent): object {
  const looks = messages.filter(one => one.role === 'tool').length
  const call = (name: string, input: object) => ({
    content: null,
    tool_calls: [{ id: `c${looks}`, type: 'function', function: { name, arguments: JSON.stringify(input) } }],
  })
  if (looks === 1) return call('skim', { start: 60, end: 100, seen: 'Water.' })
  if (looks === 2) return call('focus', { start: 70, end: 74 })
  return { content: '{"sentences":[{"text":"It is red, seen at 1:12.","cites":[]}],"confidence":0.9}' }
}

async function runtime(more: string[] = [], planner = true): Promise<LocalRuntime> {
  const sees = ['backend=openai', 'model=sees', 'accepts=["text","image"]', `url=${server.url}/v1`]
  const few = ['seek.overviewFrames=6', 'seek.skimFrames=3', 'seek.focusFrames=4'] // each is a process of ffmpeg
  const set = ['profile=embedded', 'graph=seek', 'index.level=quick', ...few, ...more]
  const flags = { set: [...set, ...(planner ? sees.map(one => `models.planner.${one}`) : [])] }
  const config = await resolveConfig({ cwd: folder, environment: {}, flags })
  const made = await createRuntime({ config, home, environment: {} })
  opened.push(made)
  return made
}

const pictures = ({ messages }: Sent) =>
  messages.flatMap(one => (Array.isArray(one.content) ? one.content : [])).filter(part => part.type === 'image_url')
    .length

function filesOfLibrary(): string[] {
  const below = (path: string): string[] =>
    readdirSync(path).flatMap(name => (statSync(join(path, name)).isDirectory() ? below(join(path, name)) : [name]))
  return existsSync(join(home, 'library')) ? below(join(home, 'library')).sort() : []
}

test('a video that was never indexed is asked about, and only its identity is kept', async () => {
  const { answer, evidence, steps, coverage } = await (await runtime()).questions.ask(video, question)
  expect(steps.map(step => [step.tool, step.outcome])).toEqual([
    ['overview', 'found'],
    ['skim', 'found'],
    ['focus', 'found'],
  ])
  expect(asked.map(pictures)).toEqual([6, 8, 12])
  const [cite] = answer.sentences[0]?.cites ?? []
  expect(evidence.find(row => row.id === cite)).toMatchObject({ track: 'picture', frame: 72.5 })
  expect(coverage.picture).toMatchObject({ state: 'off' })
  expect(answer.degraded.join(' ')).toMatch(/Picture was not indexed.*The video has no sound/)
  expect(filesOfLibrary()).toEqual(['content.json', 'video.json'])
})

test('what subtitles say is shown, unless words are off', async () => {
  const said = () => asked.some(one => JSON.stringify(one).includes('Look at the red boat'))
  await (await runtime()).questions.ask(video, question)
  expect(said()).toBe(true)
  asked = []
  await (await runtime(['seek.words=off'])).questions.ask(video, question)
  expect(asked).toHaveLength(3)
  expect(said()).toBe(false)
})

test('the transcript of a finished index is used where it is asked for', async () => {
  const words = [
    'seek.words=index',
    'index.tracks.picture=false',
    'index.tracks.text=false',
    'index.tracks.sound=false',
  ]
  const notes: string[] = []
  const watch = (event: { type: string; text?: string }) => {
    if (event.type === 'note') notes.push(event.text ?? '')
  }
  const asking = await runtime(words)
  await asking.questions.ask(video, question, { watch })
  expect(notes.join(' ')).toMatch(/no finished index/)
  expect(filesOfLibrary()).toEqual(['content.json', 'video.json'])
  notes.length = 0
  await asking.videos.index(video)
  const { evidence } = await asking.questions.ask(video, question, { watch })
  expect(notes.join(' ')).not.toMatch(/no finished index/)
  expect(evidence.map(row => row.text)).toContain('Look at the red boat.')
})

test('a run that was stopped goes on where it was, without an index and without asking anything twice', async () => {
  const stop = new AbortController()
  onAsk = n => n === 3 && stop.abort()
  const { run, stop: why } = await (await runtime()).questions.ask(video, question, { signal: stop.signal })
  expect(why).toBe('interrupted')
  asked = []
  onAsk = () => {}
  const { answer, steps } = await (await runtime()).questions.resume(run)
  expect(asked).toHaveLength(1)
  expect(asked.map(pictures)).toEqual([12])
  expect(steps.map(step => step.tool)).toEqual(['overview', 'skim', 'focus'])
  expect(answer.text).toMatch(/It is red/)
  expect(filesOfLibrary()).toEqual(['content.json', 'video.json'])
})

test('a run replays to the byte and asks nobody', async () => {
  const asking = await runtime()
  const { run } = await asking.questions.ask(video, question)
  asked = []
  const { same } = await asking.questions.replay(run)
  expect(same).toBe(true)
  expect(asked).toHaveLength(0)
})

test('a planner that takes no pictures is refused with what helps', async () => {
  const blind = (await runtime([], false)).questions.ask(video, question)
  await expect(blind).rejects.toThrow(UsageError)
  await expect(blind).rejects.toThrow(/chat\/rules takes none/)
})

test('what was opened for it cannot be asked by a graph that needs an index', async () => {
  const open = await (await runtime()).questions.openVideo(video)
  await expect(open.ask(question, { graph: 'investigate' })).rejects.toThrow(/"investigate" needs an index/)
  await open.close()
})
