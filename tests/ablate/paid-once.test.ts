import { readFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { StudyResult } from '../../eval/ablate/study/result.ts'
import { smallData } from '../bench/small-data.ts'
import { longtake } from '../end-to-end/longtake.ts'
import { type ChatBody, startChatServer } from '../servers/chat-server.ts'
import type { FaultServer } from '../servers/fault-server.ts'

const kills = Number(process.env.LONGTAKE_KILLS ?? 2)

// Planner, two writers and a verifier behind one server that takes its time and answers equal requests equally.
function reply({ model, messages }: ChatBody): object {
  if (model === 'planner' && !JSON.stringify(messages).includes('probe')) {
    const call = { id: 'c', type: 'function', function: { name: 'search', arguments: '{"query":"probe"}' } }
    return { content: null, tool_calls: [call] }
  }
  if (model === 'planner') return { content: 'READY' }
  const choice = model === 'writer' ? 0 : 1
  if (model.startsWith('writer'))
    return {
      content: `{"sentences":[{"text":"It is so.","cites":[]}],"choice":${choice},"confidence":0.7,"abstained":false}`,
    }
  return { content: '{"verdict":"supported","reason":"seen"}' }
}

let folder: string
let server: FaultServer
let data: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'longtake-study-'))
  data = smallData(join(folder, 'data'), { questions: 4 })
  server = await startChatServer(['planner', 'writer', 'writer-2', 'verifier'], reply)
})
afterAll(async () => {
  await server.close()
  await rm(folder, { recursive: true, force: true })
})

async function ablate(home: string, words: string[], killAfter?: number) {
  server.misbehave(...Array.from({ length: 800 }, () => ({ fault: 'slow' as const, seconds: 0.05 })))
  const set = (assignment: string) => ['--base-set', assignment]
  const models = ['planner', 'writer', 'verifier'].flatMap(role => [
    ...set(`models.${role}.backend=openai`),
    ...set(`models.${role}.model=${role}`),
    ...set(`models.${role}.url=${server.url}/v1`),
  ])
  const quick = ['text', 'speech', 'sound'].flatMap(track => set(`index.tracks.${track}=false`))
  const changes = ['--set', 'models.writer.model=writer-2', '--without', 'routing', '--fault', 'tool:search=down']
  const base = ['ablate', 'videoeval-pro', '--data', data, '--base', 'embedded', '--judge', 'words']
  return longtake([...base, ...models, ...quick, ...changes, ...words], { home, killAfter })
}

function chats(): string[] {
  return server.seen.filter(seen => seen.path.endsWith('/chat/completions')).map(seen => (seen.body as ChatBody).model)
}

async function asked<T>(work: () => Promise<T>): Promise<{ models: string[]; result: T }> {
  const before = chats().length
  const result = await work()
  return { models: chats().slice(before), result }
}

// All that a study says, but for how long things took and when.
function told(study: string): object {
  const { started: _, rows, ...result } = JSON.parse(readFileSync(join(study, 'results.json'), 'utf8')) as StudyResult
  return {
    ...result,
    rows: rows.map(({ cost: { seconds: _, ...cost }, stages: { seconds: __, ...stages }, ...row }) => ({
      ...row,
      cost,
      stages,
    })),
  }
}

test('a study that is killed again and again tells what an unbroken one tells, and pays for no call twice', async () => {
  const whole = await asked(() => ablate(join(folder, 'home-1'), ['--out', join(folder, 'whole')]))
  expect(whole.result.code, whole.result.err).toBe(0)
  const study = join(folder, 'whole')
  const { rows } = JSON.parse(readFileSync(join(study, 'results.json'), 'utf8')) as StudyResult
  const [base] = rows
  const writer = rows.find(row => row.name === 'models.writer.model=writer-2') ?? base

  // Another writer: the planner is not asked again, nor the verifier of what it says the same.
  expect(writer.calls.roles.planner).toEqual({ made: 0, reused: base.calls.roles.planner.made })
  expect(writer.calls.roles.writer).toEqual({ made: base.calls.roles.writer.made, reused: 0 })
  expect(whole.models.filter(model => model === 'writer-2')).toHaveLength(base.calls.roles.writer.made)
  expect(whole.models).toHaveLength(rows.reduce((sum, row) => sum + row.calls.made, 0))

  const killed = join(folder, 'killed')
  const home = join(folder, 'home-2')
  const { models } = await asked(async () => {
    await ablate(home, ['--out', killed], 0.5 * whole.result.seconds * 1000)
    for (let kill = 1; kill < kills; kill++)
      await ablate(home, ['--resume', killed], (0.45 + 0.3 * (kill / kills)) * whole.result.seconds * 1000)
    const last = await ablate(home, ['--resume', killed])
    expect(last.code, last.err).toBe(0)
  })
  expect(models.length).toBeGreaterThanOrEqual(whole.models.length)
  expect(models.length).toBeLessThanOrEqual(whole.models.length + kills)
  expect(told(killed)).toEqual(told(study))
}, 240_000)
