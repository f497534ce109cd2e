import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll, afterEach, expect, test } from 'vitest'
import { repositoryFolder } from '../../../models/hub/cache.ts'
import { closeAll, closeLater, testHost } from '../../../tests/servers/host.ts'
import { startOllamaServer } from '../../../tests/servers/ollama-server.ts'
import { profiles } from '../../config/profiles.ts'
import { wantedModels } from './manager/wanted.ts'
import { chooseProfile } from './profile.ts'

const cache = mkdtempSync(join(tmpdir(), 'longtake-profile-'))
afterAll(() => rmSync(cache, { recursive: true, force: true }))
afterEach(closeAll)

test('auto takes the local profile where its files lie in the cache and Ollama has its models, and says why not otherwise', async () => {
  const environment = { PATH: process.env.PATH, HF_HUB_CACHE: cache, OLLAMA_HOST: 'http://127.0.0.1:1' }
  const none = await chooseProfile('auto', testHost(environment))
  expect(none).toMatchObject({ name: 'embedded', why: expect.stringContaining('"local" is not ready') })

  for (const model of await wantedModels(profiles.local, testHost(environment))) {
    if (model.kind !== 'hub') continue
    const commit = 'a'.repeat(40)
    const repository = repositoryFolder(cache, model.name)
    const files = [
      [`refs/${model.revision}`, commit],
      ...model.files.map(file => [`snapshots/${commit}/${file}`, '{}']),
    ]
    for (const [file, content] of files) {
      mkdirSync(dirname(join(repository, file!)), { recursive: true })
      writeFileSync(join(repository, file!), content!)
    }
  }
  const alone = await chooseProfile('auto', testHost(environment))
  expect(alone).toMatchObject({ name: 'embedded', why: expect.stringContaining('connection refused') })

  const models = { 'qwen3-vl:4b-instruct': ['completion', 'tools', 'vision'] }
  const ollama = closeLater(await startOllamaServer({ models }))
  const ready = await chooseProfile('auto', testHost({ ...environment, OLLAMA_HOST: ollama.url }))
  expect(ready).toEqual({ name: 'local', why: 'everything it needs is ready' })
})
