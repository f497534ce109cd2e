import { readFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { StudyResult } from '../../eval/ablate/result/result.ts'
import { smallData } from '../bench/small-data.ts'
import { longtakeHere } from '../end-to-end/longtake.ts'
import { type ChatBody, startChatServer } from '../servers/chat-server.ts'
import type { FaultServer } from '../servers/fault-server.ts'

// Planner, two writers and a verifier behind one server that answers equal requests equally.
function reply({ model, messages }: ChatBody): object {
  if (JSON.stringify(messages).includes('Answer from the frames only')) return { content: 'A grey screen.' } // a look
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

const usualChanges = [
  '--set',
  'models.writer.model=writer-2',
  '--without',
  'noveltyGuard',
  '--fault',
  'tool:search=down',
]

async function ablate(home: string, words: string[], changes = usualChanges) {
  const set = (assignment: string) => ['--base-set', assignment]
  const models = ['planner', 'writer', 'verifier'].flatMap(role => [
    ...set(`models.${role}.backend=openai`),
    ...set(`models.${role}.model=${role}`),
    ...set(`models.${role}.url=${server.url}/v1`),
  ])
  const quick = ['text', 'speech', 'sound'].flatMap(track => set(`index.tracks.${track}=false`))
  const base = ['ablate', 'videoeval-pro', '--data', data, '--base', 'embedded', '--judge', 'words']
  return longtakeHere([...base, ...models, ...quick, ...changes, ...words], { home })
}

function chats(): string[] {
  return server.seen.filter(seen => seen.path.endsWith('/chat/completions')).map(seen => (seen.body as ChatBody).model)
}

async function asked<T>(work: () => Promise<T>): Promise<{ models: string[]; result: T }> {
  const before = chats().length
  const result = await work()
  return { models: chats().slice(before), result }
}

test('a study pays for no call twice: a row asks only what its change touches', async () => {
  const whole = await asked(() => ablate(join(folder, 'home-1'), ['--out', join(folder, 'whole')]))
  expect(whole.result.code, whole.result.err).toBe(0)
  const study = join(folder, 'whole')
  const { rows } = JSON.parse(readFileSync(join(study, 'results.json'), 'utf8')) as StudyResult
  const [base] = rows
  const writer = rows.find(row => row.name === 'models.writer.model=writer-2') ?? base

  // Another writer: the planner is not asked again, nor the verifier of what it says the same.
  expect(writer.calls.roles.planner).toEqual({ made: 0, reused: base.calls.roles.planner!.made })
  expect(writer.calls.roles.writer).toEqual({ made: base.calls.roles.writer!.made, reused: 0 })
  expect(whole.models.filter(model => model === 'writer-2')).toHaveLength(base.calls.roles.writer!.made)
  expect(whole.models).toHaveLength(rows.reduce((sum, row) => sum + row.calls.made, 0))
})

test.each([
  ['a model that the server lacks', ['--set', 'models.writer.model=writer-9'], 4, /writer-9.* cannot run: .*no model/],
  ['files that are not there', ['--swap', 'embedImage=siglip'], 4, /embedImage=siglip.* cannot run: .*needs/],
  ['a tool that does not load', ['--set', 'tools.files=["./gone.ts"]'], 2, /gone\.ts/],
])('a row with %s is refused before the base is asked, in a dry run too', async (_, changes, code, said) => {
  for (const words of [['--out', join(folder, `refused-${code}-${changes[1]?.length}`)], ['--dry-run']]) {
    const { models, result } = await asked(() => ablate(join(folder, 'home-refused'), words, changes))
    expect(result.code, result.err).toBe(code)
    expect(result.err).toMatch(said)
    expect(models).toEqual([])
  }
})
