import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { modelFixture } from '../../../tests/contracts/model-fixture.ts'
import { testHost } from '../../../tests/servers/host.ts'
import { resolveConfig, withChosen } from '../../config/resolve.ts'
import type { BackendFamily } from '../../core/backend.ts'
import type { Role } from '../../core/services.ts'
import { createRuntime } from '../runtime.ts'
import { Models } from './models.ts'
import { openModelsManager } from './models-manager.ts'
import { refuseSettingsOfOff } from './off-roles.ts'
import { checkNames, loadChoice, roles } from './role-families.ts'

const whisper = { backend: 'whisper', folder: modelFixture('whisper'), device: 'cpu' }

test('stages, and roles that are set alike, share one model; other settings are another model', async () => {
  const models = new Models({ transcribe: whisper, retranscribe: { ...whisper } }, testHost())
  const [first, again, other] = await Promise.all([
    models.open('transcribe'),
    models.open('transcribe'),
    models.open('retranscribe'),
  ])
  expect(again.service).toBe(first.service)
  expect(other.service).toBe(first.service)
  await models.close()

  const apart = new Models({ transcribe: whisper, retranscribe: { ...whisper, batch: 2 } }, testHost())
  expect((await apart.open('transcribe')).service).not.toBe((await apart.open('retranscribe')).service)
  await apart.close()
})

describe('a setting of a role that is off', () => {
  const used = async (
    sources: { set?: string[]; environment?: Record<string, string> },
    profile: 'embedded' | 'local',
  ) => {
    const said: string[] = []
    const { set = [], environment = {} } = sources
    const config = await resolveConfig({ cwd: import.meta.dirname, search: false, environment, flags: { set } })
    await refuseSettingsOfOff(withChosen(config, { name: profile, why: '' }), line => said.push(line))
    return said
  }

  test('is an error that names the role, the setting and backends that have it', async () => {
    await expect(used({ set: ['models.vision.model=qwen3-vl:8b'] }, 'embedded')).rejects.toMatchObject({
      exitCode: 2,
      message: 'models.vision.model has no effect: the role "vision" is off (profile embedded).',
      hint: expect.stringMatching(
        /^Set a backend \(openai, ollama, onnx, llama-cpp\), as --set models\.vision\.backend=openai;/,
      ),
    })
    const url = used({ set: ['models.detect.nonsense=1'] }, 'embedded')
    await expect(url).rejects.toMatchObject({ hint: expect.stringMatching(/--set models\.detect\.backend=/) })
  })

  test('or of a role that may never be asked, is an error where its backend does not know it', async () => {
    const listen = used({ set: ['models.listen.model=X'] }, 'embedded')
    await expect(listen).rejects.toThrow('models.listen (signal) has no setting "model".')
    expect(await used({ environment: { LONGTAKE_MODELS__LISTEN__MODEL: 'x' } }, 'embedded')).toEqual([])
  })

  test('is an error before anything is done', async () => {
    const set = ['profile=embedded', 'models.vision.model=x']
    const config = await resolveConfig({ cwd: import.meta.dirname, search: false, environment: {}, flags: { set } })
    const opened = createRuntime({ config, home: '/nowhere', environment: {} })
    await expect(opened).rejects.toThrow('models.vision.model has no effect')
    const listed = openModelsManager([], { config, home: '/nowhere', environment: {} })
    await expect(listed).rejects.toThrow('models.vision.model has no effect')
  })

  test('is none where the profile fills the role, or the same layer turns it off', async () => {
    expect(await used({ set: ['models.vision.model=qwen3-vl:8b'] }, 'local')).toEqual([])
    expect(await used({ set: ['models.vision.model=x', 'models.vision.backend=off'] }, 'local')).toEqual([])
  })

  test('is reported where it comes from the environment or a file', async () => {
    expect(await used({ environment: { LONGTAKE_MODELS__VISION__MODEL: 'x' } }, 'embedded')).toEqual([
      'models.vision.model in LONGTAKE_MODELS__VISION__MODEL has no effect: the role "vision" is off (profile embedded).',
    ])
  })
})

test('a setting of another backend is refused with the names of those that have it', async () => {
  await expect(
    loadChoice('transcribe', { backend: 'pocketsphinx', url: 'http://127.0.0.1:1' }, testHost()),
  ).rejects.toMatchObject({
    exitCode: 2,
    message: 'models.transcribe (pocketsphinx) has no setting "url".',
    hint: expect.stringMatching(/^openai has it: take it out, or .* --set models\.transcribe\.backend=openai\./),
  })
  await expect(loadChoice('planner', { backend: 'rules', nonsense: 1 }, testHost())).rejects.toMatchObject({
    hint: 'rules takes no settings. See "longtake config schema" for what each backend takes.',
  })
})

test('an unknown setting is refused by every backend of every role, with the names of those that it has', async () => {
  for (const [role, load] of Object.entries(roles)) {
    const family: BackendFamily<unknown> = await load()
    for (const backend of family.names) {
      const known = z.toJSONSchema((await family.load(backend)).settings, { io: 'input', unrepresentable: 'any' })
      const names = Object.keys(known.properties ?? {})
      const list = names.length > 0 ? `Settings of ${backend}: ${names.join(', ')}.` : `${backend} takes no settings.`
      await expect(checkNames(role as Role, { backend, nonsense: 1 }), `${role} ${backend}`).rejects.toMatchObject({
        message: `models.${role} (${backend}) has no setting "nonsense".`,
        hint: `${list} See "longtake config schema" for what each backend takes.`,
      })
    }
  }
})

test('the hint of a misspelled setting begins with the one that was meant', async () => {
  await expect(loadChoice('vision', { backend: 'scripted', fil: 'replies.json' }, testHost())).rejects.toMatchObject({
    hint: expect.stringMatching(/^Did you mean "file"\? Settings of scripted: /),
  })
})
