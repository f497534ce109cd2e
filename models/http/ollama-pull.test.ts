import { afterEach, expect, test } from 'vitest'
import { closeAll, closeLater, testHost } from '../../tests/servers/host.ts'
import { startOllamaServer } from '../../tests/servers/ollama-server.ts'
import { type OllamaPullProgress, pullOllama } from './ollama-pull.ts'

afterEach(closeAll)

test('a model is fetched, its progress told, and a broken try taken up again', async () => {
  const server = closeLater(await startOllamaServer())
  server.misbehave({ fault: 'truncate', after: 90 })
  const told: OllamaPullProgress[] = []
  await pullOllama('qwen3:4b', { url: server.url }, testHost(), progress => told.push(progress))
  expect(told.at(-1)).toMatchObject({ status: 'success' })
  expect(told).toContainEqual({ status: 'pulling 1a2b', done: 60, total: 100 })
  expect(server.seen).toHaveLength(2)
})

test('a model that does not exist is an error in the words of Ollama', async () => {
  const server = closeLater(await startOllamaServer())
  const pull = pullOllama('no-such', { url: server.url }, testHost(), () => {})
  await expect(pull).rejects.toThrow('pull model manifest: file does not exist')
})
