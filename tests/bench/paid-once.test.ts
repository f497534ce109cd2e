import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { longtake } from '../end-to-end/longtake.ts'
import { type ChatBody, startChatServer } from '../servers/chat-server.ts'
import type { FaultServer } from '../servers/fault-server.ts'
import { quickIndex, smallData } from './small-data.ts'

const kills = Number(process.env.LONGTAKE_KILLS ?? 3)

// Planner, writer, verifier and judge behind one server that takes its time and answers equal requests equally.
function reply({ model, messages }: ChatBody): object {
  if (model === 'planner' && !JSON.stringify(messages).includes('probe')) {
    const call = { id: 'c', type: 'function', function: { name: 'search', arguments: '{"query":"probe"}' } }
    return { content: null, tool_calls: [call] }
  }
  if (model === 'planner') return { content: 'READY' }
  if (model === 'writer')
    return { content: '{"sentences":[{"text":"It is red.","cites":[]}],"choice":0,"confidence":0.7,"abstained":false}' }
  return { content: model === 'judge' ? 'A' : '{"verdict":"supported","reason":"seen"}' }
}

let folder: string
let server: FaultServer
let data: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'longtake-paid-'))
  data = smallData(join(folder, 'data'), { questions: 8 })
  server = await startChatServer(['planner', 'writer', 'verifier', 'judge'], reply)
})
afterAll(async () => {
  await server.close()
  await rm(folder, { recursive: true, force: true })
})

async function bench(home: string, run: string[], killAfter?: number) {
  server.misbehave(...Array.from({ length: 500 }, () => ({ fault: 'slow' as const, seconds: 0.04 })))
  const models = ['planner', 'writer', 'verifier', 'judge'].flatMap(role => [
    ...['--set', `models.${role}.backend=openai`, '--set', `models.${role}.model=${role}`],
    ...['--set', `models.${role}.url=${server.url}/v1`],
  ])
  const words = ['bench', 'run', 'videoeval-pro', '--data', data, '--profile', 'embedded', ...models, ...quickIndex]
  return longtake([...words, ...run], { home, killAfter })
}

async function asked<T>(work: () => Promise<T>): Promise<{ calls: number; result: T }> {
  const before = chats()
  const result = await work()
  return { calls: chats() - before, result }
}

function chats(): number {
  return server.seen.filter(seen => seen.path.endsWith('/chat/completions')).length
}

async function report(home: string, run: string) {
  const { out } = await longtake(['bench', 'report', run, '--json'], { home })
  const [{ scores, tasks, counts, attribution }] = JSON.parse(out).reports
  return { scores, tasks, counts, attribution }
}

test('a run that is killed again and again pays for no call twice but the one it waited for, and reports the same', async () => {
  const home = join(folder, 'home')
  const whole = await asked(() => bench(home, ['--out', join(folder, 'whole')]))
  expect(whole.result.code, whole.result.err).toBe(0)

  const killed = join(folder, 'killed')
  const { calls } = await asked(async () => {
    await bench(home, ['--out', killed], 0.45 * whole.result.seconds * 1000)
    for (let kill = 1; kill < kills; kill++)
      await bench(home, ['--resume', killed], (0.4 + 0.3 * (kill / kills)) * whole.result.seconds * 1000)
    const last = await bench(home, ['--resume', killed])
    expect(last.code, last.err).toBe(0)
  })
  expect(calls).toBeGreaterThanOrEqual(whole.calls)
  expect(calls).toBeLessThanOrEqual(whole.calls + kills)
  expect(await report(home, killed)).toEqual(await report(home, join(folder, 'whole')))
}, 240_000)
