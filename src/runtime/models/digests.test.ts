import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, expect, test } from 'vitest'
import { testHost } from '../../../tests/servers/host.ts'
import { startOllamaServer } from '../../../tests/servers/ollama-server.ts'
import { modelDigests } from './digests.ts'

const closing: (() => unknown)[] = []
afterEach(async () => {
  for (const close of closing.splice(0)) await close()
})

test('a served model has the digest that Ollama gives; one that is not there, or does not answer, has none', async () => {
  const server = await startOllamaServer({ models: { 'qwen3:4b': ['completion'] } })
  const [planner, writer] = ['qwen3:4b', 'other'].map(model => ({ backend: 'ollama', model, url: server.url }))
  expect(await modelDigests({ planner, writer, shots: { backend: 'off' } }, testHost())).toEqual({
    planner: 'sha256:qwen3:4b',
  })
  expect(server.seen.map(({ path }) => path)).toEqual(['/api/tags', '/api/tags'])
  await server.close()
  expect(await modelDigests({ planner }, testHost())).toEqual({})
})

test('files of the hub are known by their commit, files of a folder by nothing', async () => {
  const home = mkdtempSync(join(tmpdir(), 'longtake-digests-'))
  closing.push(() => rmSync(home, { recursive: true }))
  const commit = 'a1'.repeat(20)
  const repository = join(home, 'hub', 'models--someone--tiny')
  for (const folder of ['refs', `snapshots/${commit}`]) mkdirSync(join(repository, folder), { recursive: true })
  writeFileSync(join(repository, 'refs', 'main'), commit)
  const host = testHost({ HF_HOME: home })
  const siglip = { backend: 'siglip', device: 'cpu', model: 'someone/tiny' }
  expect(await modelDigests({ embedImage: siglip }, host)).toEqual({ embedImage: `someone/tiny@${commit}` })
  expect(await modelDigests({ embedImage: { ...siglip, folder: home } }, host)).toEqual({})
  expect(await modelDigests({ embedImage: { ...siglip, model: 'someone/other' } }, host)).toEqual({})
})
