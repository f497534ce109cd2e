import { describe, expect, test } from 'vitest'
import { Config } from '../../config/schema.ts'
import { FrozenIndex, modelsHere, readyHere } from './frozen-index.ts'

test('a job that an older release began is read without the roles that were removed', () => {
  const { index } = Config.parse({})
  const rerank = { backend: 'cross-encoder' }
  const chosen = { by: 'rerank/cross-encoder', settings: {}, version: '1', runs: 'cpu' }
  const written = { index, models: { planner: { backend: 'rules' }, rerank }, chosen: { rerank: chosen } }
  expect(FrozenIndex.parse(written)).toEqual({ index, models: { planner: { backend: 'rules' } }, chosen: {} })
  expect(FrozenIndex.safeParse({ ...written, models: { other: rerank } }).success).toBe(false)
})

describe('rows of a hostile worker', () => {
  const host = { folder: '', environment: {}, signal: new AbortController().signal, say: () => {} }
  const own = Config.parse({ models: { vision: { backend: 'openai', url: 'http://own/v1', model: 'ours' } } }).models
  const row = (vision: { backend: string }) => ({ models: { vision } })

  test('name no server, no key and no code: those of this machine hold, or the job is refused', async () => {
    const asked = { backend: 'openai', url: 'http://evil/v1', apiKeyEnv: 'AWS_SECRET_ACCESS_KEY', model: 'theirs' }
    const models = await modelsHere(row(asked), own, host)
    expect(models.choice('vision')).toEqual({ backend: 'openai', url: 'http://own/v1', model: 'theirs' })
    const code = { backend: 'langchain', module: '/tmp/evil.mjs', export: 'default' }
    for (const choice of [code, { backend: 'ollama', url: 'http://evil', model: 'x' }])
      await expect(modelsHere(row(choice), own, host)).rejects.toThrow(/is not .* in the settings here/)
    const ours = Config.parse({ models: { vision: { ...code, module: './ours.mjs' } } }).models
    await expect(modelsHere(row(code), ours, host)).rejects.toThrow(/with other code/)
    const inside = { backend: 'vlm', chat: { backend: 'openai', url: 'http://evil/v1', model: 'x' } }
    await expect(modelsHere({ models: { detect: inside } }, own, host)).rejects.toThrow(/is not vlm/)
  })

  test('are a reason why a machine does not serve, and stop nothing else', async () => {
    const chosen = { by: 'vision/ollama', settings: {}, version: '1', runs: 'net' as const }
    const frozen = { ...row({ backend: 'ollama' }), chosen: { vision: chosen } }
    expect((await readyHere(frozen, own, host)).vision).toMatch(/models\.vision is not ollama in the settings here/)
  })
})
