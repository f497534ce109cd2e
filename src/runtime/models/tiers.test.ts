import { describe, expect, test } from 'vitest'
import { testHost } from '../../../tests/servers/host.ts'
import { profileNames, profiles, roleNames } from '../../config/profiles.ts'
import { resolveConfig } from '../../config/resolve.ts'
import { tierModels, tierNames, tierRoles, tiers } from '../../config/tiers.ts'
import type { Role } from '../../core/services.ts'
import { loadChoice } from './role-families.ts'

const host = testHost()

const chatRoles: Role[] = ['planner', 'writer', 'verifier', 'vision', 'judge']

describe.each(tierNames)('the tier %s', name => {
  test('has settings that its backends take, and names as the hub and Ollama write them', async () => {
    for (const [role, settings] of Object.entries(tierRoles(name))) {
      const { backend, settings: all } = await loadChoice(role as Role, settings, host)
      const repository = backend.needs?.(all)[0]?.model?.repository
      if (settings.backend === 'ollama') expect(settings.model).toMatch(/^[a-z0-9.-]+:[a-z0-9._-]+$/)
      else expect(repository).toMatch(/^[\w-]+\/[\w.-]+$/)
    }
  })

  test('fills the chat roles with one model, and says of each model what it costs', () => {
    expect(new Set(chatRoles.map(role => tiers[name].models[role])).size).toBe(1)
    for (const { model, roles } of tierModels(name)) {
      expect(model.memory).toBeGreaterThan(model.download)
      expect(roles.length).toBeGreaterThan(0)
    }
  })
})

test('larger tiers want larger cards', () => {
  const cards = tierNames.map(name => tiers[name].card)
  expect(cards).toEqual([...cards].sort((a, b) => a - b))
})

test('every profile has settings that its backends take', async () => {
  for (const name of profileNames)
    for (const role of roleNames) {
      const choice = profiles[name][role]
      if (choice.backend === 'off' || name === 'remote') continue
      await expect(loadChoice(role, choice, host), `${name} ${role}`).resolves.toBeDefined()
    }
})

test('local listens and searches in many languages, and hears a span once more with words timed, in 16 bits', async () => {
  const { local } = profiles
  expect(local).toMatchObject(tierRoles('8GB'))
  expect(local.embedText.model).toBe('e5-small')
  const { backend, settings } = await loadChoice('retranscribe', { ...local.retranscribe, precision: 'fp16' }, host)
  expect(backend.needs?.(settings)[0]?.model).toMatchObject({
    repository: 'onnx-community/whisper-large-v3-turbo_timestamped',
    files: expect.arrayContaining(['onnx/encoder_model_fp16.onnx', 'onnx/decoder_model_merged_fp16.onnx']),
  })
})

test('paper names the models of the paper, its sixteen tools and its frame a second', async () => {
  const { settings } = await resolveConfig({
    cwd: '/',
    environment: {},
    search: false,
    flags: { set: ['profile=paper'] },
  })
  const models = Object.values(settings.models).map(({ model }) => model)
  expect(models).toEqual(expect.arrayContaining(['qwen3:4b-instruct', 'qwen2.5vl:7b', 'qwen3:14b', 'small']))
  expect(settings.models.listen).toMatchObject({
    model: 'nvidia/audio-flamingo-3-hf',
    url: 'http://127.0.0.1:8013/v1',
  })
  for (const role of ['detect', 'faces', 'judge', 'vision'] as const)
    expect(settings.models[role].backend).not.toBe('off')
  expect(settings.tools.sets).toBe('longshot')
  expect(settings.index.stillsPerSecond).toBe(1)
})

test('what a profile sets besides models gives way to what the user sets', async () => {
  const set = ['profile=paper', 'tools.sets=core', 'index.stills=many']
  const { settings } = await resolveConfig({ cwd: '/', environment: {}, search: false, flags: { set } })
  expect(settings.tools.sets).toBe('core')
  expect(settings.index.stillsPerSecond).toBe(4)
})
