import { mkdtemp, rm } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { longtakeHere } from './longtake.ts'
import { renderTown } from './town-video.ts'

let folder: string
let home: string
let video: string
let url: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'longtake-down-'))
  home = join(folder, 'home')
  video = join(folder, 'town.mp4')
  url = `http://127.0.0.1:${await unusedPort()}/v1`
  await renderTown(video)
})
afterAll(() => rm(folder, { recursive: true, force: true }))

const quick = ['--profile', 'embedded', '--set', 'index.level=quick', '--set', 'index.tracks.speech=false']
const role = (name: string, backend = 'openai') => [
  ...['--set', `models.${name}.backend=${backend}`, '--set', `models.${name}.url=${url}`],
  ...['--set', `models.${name}.model=none`, '--set', `models.${name}.limits.backoffSeconds=0.01`],
]

describe('fault 19: a model server that is down', () => {
  test('does not keep a video from being indexed that needs it for its questions alone', async () => {
    const indexed = await longtakeHere(['index', video, ...quick, ...role('planner')], { home })
    expect(indexed.code, indexed.err).toBe(0)
  })

  test('ends a question with exit code 4, its address and the nearest evidence', async () => {
    const asked = await longtakeHere(['ask', video, 'How much do adults pay?', ...quick, ...role('planner')], { home })
    expect(asked.code, asked.out).toBe(4)
    expect(asked.out + asked.err).toContain(`could not reach ${url}: connection refused`)
    expect(asked.out).toMatch(/^text: |text: "Ticket prices/m) // the nearest evidence, as a quote
  })

  test('leaves out the track that it reads, says so, and indexes the others', async () => {
    const reading = ['--set', 'models.readText.backend=vlm', '--set', 'models.readText.chat.backend=openai']
    const chat = ['--set', `models.readText.chat.url=${url}`, '--set', 'models.readText.chat.model=none']
    const indexed = await longtakeHere(['index', video, ...quick, ...reading, ...chat, '--json'], { home })
    expect([4, 6], indexed.err).toContain(indexed.code)
    expect(indexed.out + indexed.err).toContain(url.replace('/v1', ''))
  })
})

function unusedPort(): Promise<number> {
  return new Promise(resolve => {
    const probe = createServer().listen(0, '127.0.0.1', () => {
      const { port } = probe.address() as { port: number }
      probe.close(() => resolve(port))
    })
  })
}
