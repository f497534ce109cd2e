import { readFileSync } from 'node:fs'
import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { longtakeHere } from '../end-to-end/longtake.ts'
import { startFaultServer } from '../servers/fault-server.ts'
import { quickIndex, smallData } from './small-data.ts'

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'longtake-bench-replay-'))
})
afterAll(() => rm(folder, { recursive: true, force: true }))

const says: Record<string, string> = {
  writer: '{"sentences":[{"text":"It is red.","cites":[]}],"choice":0,"confidence":0.7,"abstained":false}',
  verifier: '{"verdict":"supported","reason":"seen"}',
  planner: 'READY',
  judge: 'A',
}

test('a benchmark run is run again on its recorded calls, with the server gone, to the same answers; a miss is named', async () => {
  const data = smallData(join(folder, 'data'), { questions: 2 })
  const home = join(folder, 'home')
  const server = await startFaultServer(({ path, body }) => {
    const model = (body as { model: string } | undefined)?.model ?? ''
    const message = { role: 'assistant', content: says[model] }
    const content = path.endsWith('/models')
      ? { object: 'list', data: Object.keys(says).map(id => ({ id, object: 'model' })) }
      : {
          model,
          choices: [{ index: 0, message, finish_reason: 'stop' }],
          usage: { prompt_tokens: 1, completion_tokens: 1 },
        }
    return { status: 200, type: 'application/json', pieces: [Buffer.from(JSON.stringify(content))] }
  })
  const models = Object.keys(says).flatMap(role => [
    ...['--set', `models.${role}.backend=openai`, '--set', `models.${role}.model=${role}`],
    ...['--set', `models.${role}.url=${server.url}/v1`],
  ])
  const bench = ['bench', 'run', 'videoeval-pro']
  const words = [...bench, '--data', data, '--profile', 'embedded', ...models, ...quickIndex, '--json']
  const first = await longtakeHere(words, { home })
  expect(first.code, first.err).toBe(0)
  const asked = server.seen.length
  expect(asked).toBeGreaterThan(4)
  await server.close()

  const { run, scores } = JSON.parse(first.out)
  const again = await longtakeHere([...bench, '--replay', run, '--json'], { home })
  expect(again.code, again.err).toBe(0)
  const replayed = JSON.parse(again.out)
  expect(replayed.scores).toEqual(scores)
  expect(answersOf(replayed.run)).toEqual(answersOf(run))

  for (const name of await readdir(join(run, 'calls'))) await rm(join(run, 'calls', name), { recursive: true })
  const missed = await longtakeHere([...bench, '--replay', run, '--json'], { home })
  expect(missed.code).not.toBe(0)
  expect(missed.err).toMatch(/no recorded calls|has no reply/)
})

test('a run of one word is resumed with the models that it began with', async () => {
  const data = smallData(join(folder, 'word'), { questions: 1 })
  const home = join(folder, 'home')
  const model = 'Qwen/Qwen3-VL-8B-Instruct'
  const server = await startFaultServer(({ path, body }) => {
    const asked = JSON.stringify(body ?? {})
    const role = /abstained/.test(asked) ? 'writer' : /verdict/.test(asked) ? 'verifier' : 'planner'
    const message = { role: 'assistant', content: says[role] }
    const content = path.endsWith('/models')
      ? { object: 'list', data: [{ id: model, object: 'model', owned_by: 'vllm' }] }
      : {
          model,
          choices: [{ index: 0, message, finish_reason: 'stop' }],
          usage: { prompt_tokens: 1, completion_tokens: 1 },
        }
    const known = path.startsWith('/v1/')
    return {
      status: known ? 200 : 404,
      type: 'application/json',
      pieces: [Buffer.from(JSON.stringify(known ? content : {}))],
    }
  })
  const bench = ['bench', 'run', 'videoeval-pro']
  const first = await longtakeHere(
    [...bench, '--data', data, '--judge', 'words', '--model', server.url, ...quickIndex, '--json'],
    { home },
  )
  expect([0, 6], first.err).toContain(first.code)
  expect(first.err).toContain(`vllm/${model} plans`)
  await server.close()
  const { run, scores } = JSON.parse(first.out)
  const again = await longtakeHere([...bench, '--resume', run, '--judge', 'words', '--json'], { home })
  expect(again.code, again.err).toBe(first.code)
  expect(JSON.parse(again.out).scores).toEqual(scores)
})

// The answers and replies of each sample, byte for byte.
function answersOf(run: string): string[] {
  const lines = readFileSync(join(run, 'samples.jsonl'), 'utf8').trim().split('\n')
  return lines
    .map(line => JSON.parse(line) as { id: string; asks: { answer: unknown }[]; replies: unknown; grades: unknown })
    .map(({ id, asks, replies, grades }) => JSON.stringify([id, asks.map(ask => ask.answer), replies, grades]))
    .sort()
}
