import { afterEach, expect, test } from 'vitest'
import { setGpuMemory } from '../../../../models/onnx/card/card.ts'
import { lazyModel } from '../../../../models/onnx/card/lazy-model.ts'
import { startFaultServer } from '../../../../tests/servers/fault-server.ts'
import { closeAll, closeLater, testHost } from '../../../../tests/servers/host.ts'
import { fakeCard } from '../../../../tests/support/fake-card.ts'
import { memoryReclaimer } from './card-lender.ts'

afterEach(closeAll)

// An Ollama that has models on a card, names to MB; one that is asked to unload is gone at the second look.
async function ollamaWith(onCard: Record<string, number>, gone: (megabytes: number) => void = () => {}) {
  let leaving: string | undefined
  const unloaded: string[] = []
  const json = (value: unknown) => ({
    status: 200,
    type: 'application/json',
    pieces: [Buffer.from(JSON.stringify(value))],
  })
  const server = await startFaultServer(({ path, body }) => {
    const request = body as { model: string; keep_alive?: number; prompt?: string }
    if (path === '/api/generate') {
      expect(request).toMatchObject({ keep_alive: 0, prompt: '' })
      unloaded.push(request.model)
      leaving = request.model
      return json({ model: request.model, response: '', done: true, done_reason: 'unload' })
    }
    const models = Object.entries(onCard).map(([name, size]) => ({
      ...{ name, model: name, size: size * 1e6, size_vram: size * 1e6 },
    }))
    if (leaving !== undefined) {
      gone(onCard[leaving] ?? 0)
      delete onCard[leaving]
      leaving = undefined
    }
    return json({ models })
  })
  return { ...closeLater(server), unloaded }
}

test('Ollama is asked to unload the models of our roles, once each, and no others', async () => {
  const { url, unloaded, seen } = await ollamaWith({ 'qwen3-vl:8b': 8100, 'nomic:latest': 300, 'gemma3:4b': 4000 })
  const vision = { backend: 'ollama', model: 'qwen3-vl:8b', url }
  const lender = memoryReclaimer({
    ...{ vision, planner: vision, judge: { backend: 'off' }, writer: { backend: 'rules' } },
    embedText: { backend: 'ollama', model: 'nomic', url },
    readText: { backend: 'vlm', chat: vision },
  })
  expect(await lender(testHost())).toBe(
    'Ollama unloads qwen3-vl:8b (8.1 GB of the card). Ollama unloads nomic:latest (300 MB of the card).',
  )
  expect(unloaded).toEqual(['qwen3-vl:8b', 'nomic:latest'])
  const asked = seen.length
  expect(await lender(testHost())).toBeUndefined()
  expect(seen.slice(asked).map(({ path }) => path)).toEqual(Array(4).fill('/api/ps'))
})

test('where it is, OLLAMA_HOST says; one on another machine is not asked, and one that does not answer gives nothing', async () => {
  const { url, unloaded } = await ollamaWith({ 'qwen3:4b': 2000 })
  const lender = memoryReclaimer({ planner: { backend: 'ollama', model: 'qwen3:4b' } })
  const said = await lender(testHost({ OLLAMA_HOST: url }))
  expect(said).toContain('qwen3:4b')
  expect(unloaded).toEqual(['qwen3:4b'])
  expect(await lender(testHost({ OLLAMA_HOST: 'http://198.51.100.7:11434' }))).toBeUndefined()
  expect(await lender(testHost({ OLLAMA_HOST: 'http://127.0.0.1:9' }))).toBeUndefined()
})

test('a model that finds no room on the card gets that of Ollama', async () => {
  const machine = fakeCard(10_000)
  const before = setGpuMemory(machine.card)
  try {
    machine.take(8100)
    const { url } = await ollamaWith({ 'qwen3-vl:8b': 8100 }, megabytes => machine.take(-megabytes))
    machine.card.addReclaimer(memoryReclaimer({ vision: { backend: 'ollama', model: 'qwen3-vl:8b', url } }))
    const said: string[] = []
    const host = testHost({}, said)
    const wanted = { name: 'siglip', files: [machine.file('siglip.onnx', 2000)], device: 'auto' as const, host }
    const model = lazyModel(wanted, machine.opener('siglip', 2000))
    expect(await model.use(open => open.run(0))).toBe('cuda')
    expect(said).toEqual(['Ollama unloads qwen3-vl:8b (8.1 GB of the card).'])
    await model.close()
  } finally {
    setGpuMemory(before)
    machine.remove()
  }
})
