import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { longtake } from '../end-to-end/longtake.ts'
import { indexedTown } from '../end-to-end/town-video.ts'
import { type Consumer, makeConsumer } from './consumer.ts'

let folder: string
let video: string
let home: string
let consumer: Consumer
let errors: string

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'longtake-library-'))
  ;({ video, home } = await indexedTown(join(folder, 'town')))
  consumer = await makeConsumer(join(folder, 'project'))
  errors = await consumer.compile()
})
afterAll(() => rm(folder, { recursive: true, force: true }))

describe('the examples in a project of their own', () => {
  test('ask: the answer with its rows', async () => {
    const { out, err, code } = await consumer.start('ask.js', video, home)
    expect(code, err).toBe(0)
    expect(out).toMatch(/^700 — .*\[0:00-0:0\d\]\.\n\[0:00-0:0\d\] speech the museum/)
    expect(err).toBe('')
  })

  test('stream: steps and tokens before the answer', async () => {
    const { out, err, code } = await consumer.start('stream.js', video, home)
    expect(code, err).toBe(0)
    expect(out).toMatch(/^step \w+ found\n[\s\S]*On screen: "How to get here[\s\S]*\nOn screen: .*\[0:1\d-0:\d\d\]/)
  })

  test('conversation: references are resolved, and a fork goes its own way', async () => {
    const { out, err, code } = await consumer.start('conversation.js', video, home)
    expect(code, err).toBe(0)
    expect(out).toMatch(/What is said right after that\? -> What is said right after \[0:00-0:0\d\]\?/)
    expect(out).toMatch(/the first tour/)
    expect(out).toMatch(/Museum opening hours/)
    expect(out).toMatch(/2 turns and 2\n$/)
    const { out: listed } = await longtake(['sessions', 'ls', '--json'], { home })
    expect(JSON.parse(listed).sessions.map((session: { name: string }) => session.name)).toEqual(['tour-again', 'tour'])
  })

  test('stop: an aborted question rejects, and goes on', async () => {
    const { out, err, code } = await consumer.start('stop.js', video, home)
    expect(code, err).toBe(0)
    expect(out).toMatch(/^stopped: TimeoutError\n/)
    expect(out).toMatch(/Bus line 31/)
    expect(out).toMatch(/true /)
  })

  test('graph: streamed, kept, gone on with from a step, and asked back, by the LangGraph of the project', async () => {
    const { out, err, code } = await consumer.start('graph.js', video, home)
    expect(code, err).toBe(0)
    const lines = out.trim().split('\n')
    expect(lines[0]).toBe('updates understand')
    expect(lines[1]).toBe('custom step')
    expect(
      lines
        .filter(line => line.startsWith('updates'))
        .slice(0, 3)
        .join(),
    ).toMatch(/understand,updates overview,/)
    expect(out).toMatch(/updates answer\n700 — .*\ntrue true\n/)
    expect(out).toMatch(/\{\s*type: 'clarify',[\s\S]*words: 'after that'/)
    expect(lines.at(-1)).toBe('What is said right after that? ("after that": the paintings)')
  })

  test("graph: of a class of the project's own LangGraph", async () => {
    const file = join(consumer.folder, 'class.mjs')
    await writeFile(
      file,
      `import { CompiledStateGraph } from '@langchain/langgraph'
import { graph } from 'longtake/graph'
const agent = await graph(process.argv[2], { profile: 'embedded' })
console.log(agent instanceof CompiledStateGraph)`,
    )
    const { out, err } = await consumer.start('class.mjs', video, home)
    expect(out, err).toBe('true\n')
  })

  test('search: plain JavaScript', async () => {
    const { out, err, code } = await consumer.start('search.mjs', video, home)
    expect(code, err).toBe(0)
    expect(out).toMatch(/Museum opening hours/)
    expect(out).toMatch(/\nindexed \d+\n$/)
  })
})

test('wrong options are found by the compiler, and nothing of ours fails to type-check', async () => {
  expect(errors).toBe('')
  const wrong = join(consumer.folder, 'wrong.ts')
  await writeFile(
    wrong,
    `import { open } from 'longtake'
const video = await open('x', { profil: 'embedded' })
video.asks('y')
import type { GraphOptions } from 'longtake/graph'
export const options: GraphOptions = { saver: video }
`,
  )
  const found = await consumer.typeErrors()
  await rm(wrong)
  expect(found).toMatch(/wrong\.ts\(2,.*profil/)
  expect(found).toMatch(/wrong\.ts\(3,.*asks/)
  expect(found).toMatch(/wrong\.ts\(5,.*saver/)
})

test('a run that was aborted leaves a whole folder that says so', async () => {
  const runs = await readdir(join(home, 'runs'))
  const names = runs.filter(name => name.includes('when-is-the-bus'))
  for (const name of names) {
    const summary = JSON.parse(await readFile(join(home, 'runs', name, 'summary.json'), 'utf8'))
    expect(['cancelled', 'answered']).toContain(summary.status)
    for (const file of ['trace.jsonl', 'checkpoints.jsonl']) {
      const text = await readFile(join(home, 'runs', name, file), 'utf8').catch(() => '')
      for (const line of text.split('\n').slice(0, -1)) JSON.parse(line)
    }
  }
  expect(names.length).toBeGreaterThan(0)
})
