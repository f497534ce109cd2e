import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import loudness from '../docs/examples/loudness.ts'
import ocrServer from '../docs/examples/ocr-server.ts'
import pauses from '../docs/examples/pauses.ts'
import { words } from '../docs/examples/words.ts'
import { libraryCommands } from '../src/cli/specs/index.ts'
import type { Finding } from '../src/core/evidence.ts'
import type { Video } from '../src/core/video.ts'
import { findOrMakeStage, readStage } from '../src/store/stage/stage.ts'
import { plainFrame } from './contracts/pictures.ts'
import { startFaultServer } from './servers/fault-server.ts'
import { never, openBackend } from './servers/host.ts'
import { commandLine, coverage, rows, video } from './support/command-line.ts'
import { stageContext } from './support/stage-context.ts'

test('the example stage writes a row for each pause of five seconds and more', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'longtake-example-stage-'))
  const spoken = [
    { start: 1, end: 20 },
    { start: 26, end: 40 },
    { start: 42, end: 60 },
  ]
  await writeFile(join(folder, 'voices.json'), JSON.stringify(spoken))
  const { signal } = new AbortController()
  const short = { id: 'v', duration: 66 } as Video
  const result = () => readStage(folder)
  const made = await findOrMakeStage({
    ...{ folder, stage: pauses.name, key: 'k', by: 'x', settings: {}, inputs: {}, video: 'v', signal },
    make: out => pauses.make(stageContext({ out, signal, video: short, results: { result } })),
  })
  const written = (await readFile(join(made.folder, 'evidence.jsonl'), 'utf8')).trim().split('\n')
  expect(written.map(row => JSON.parse(row).span)).toEqual([
    { start: 20, end: 26 },
    { start: 60, end: 66 },
  ])
  await rm(folder, { recursive: true })
})

test('the example backend names the loud seconds and no others', async () => {
  const listener = await openBackend(loudness, {})
  const read = async ({ start, end }: { start: number; end: number }) =>
    new Float32Array((end - start) * 16_000).fill(start === 1 ? 0.5 : 0.01)
  const audio = { duration: 3, rate: 16_000 as const, read }
  const found: Finding[] = []
  for await (const finding of listener.hear({ audio, span: { start: 0, end: 3 } }, never)) found.push(finding)
  expect(found.map(({ span, text }) => ({ span, text }))).toEqual([
    { span: { start: 1, end: 2 }, text: 'loud passage' },
  ])
})

test('the example backend that asks a server sends each frame once, and tries again where the server fails', async () => {
  const line = { text: 'EXIT', confidence: 0.9, box: { x: 0, y: 0, width: 0.5, height: 0.1 } }
  const reply = Buffer.from(JSON.stringify({ lines: [line] }))
  const server = await startFaultServer(() => ({ status: 200, type: 'application/json', pieces: [reply] }))
  server.misbehave({ fault: 'status', status: 503 })
  const reader = await openBackend(ocrServer, { url: server.url })
  expect(await reader.read([plainFrame(1, 2, 3), plainFrame(4, 5, 6)], never)).toEqual([[line], [line]])
  expect(server.seen.map(({ path, headers }) => `${path} ${headers['content-type']}`)).toEqual(
    Array.from({ length: 3 }, () => '/read image/jpeg'),
  )
  await reader.close?.()
  await server.close()
})

test('the example command counts the words that are said and shown', async () => {
  libraryCommands.push({
    name: 'words',
    summary: 'Count the words of a video',
    arguments: [{ name: 'video', about: 'a video file', kind: 'one', values: 'files' }],
    load: async () => words,
  })
  const overview = { duration: 1800, shots: 1, speakers: [], chapters: [], notIndexed: [] }
  const line = commandLine({ show: async () => ({ video, coverage, overview, shots: [], evidence: rows }) })
  expect(await line.run('words', 'talk.mp4')).toMatchObject({ code: 0, stdout: '6 words are said, 1 are on screen.\n' })
  expect(JSON.parse((await line.run('words', 'talk.mp4', '--json')).stdout).words).toEqual({ speech: 6, text: 1 })
  libraryCommands.pop()
})
