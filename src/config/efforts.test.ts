import { expect, test } from 'vitest'
import { effortChoices } from '../cli/options.ts'
import { effortNames } from './efforts.ts'
import { resolveConfig } from './resolve.ts'

const resolved = async (set: string[]) => {
  const { settings, origins } = await resolveConfig({ cwd: '/', environment: {}, search: false, flags: { set } })
  return { settings, origins }
}
const models = ['models.vision.backend=openai', 'models.writer.backend=openai', 'models.writer.model=a']

test('high effort captions and writes the overview with the models that are there, and raises the limits', async () => {
  const { settings, origins } = await resolved(['effort=high', ...models])
  expect(settings.index.captions.mode).toBe('shots')
  expect(settings.index.overview).toBe('written')
  expect(settings.budget).toMatchObject({ frames: 512, tokens: 400_000 })
  expect(origins.get('budget.frames')).toEqual({ layer: 'effort', place: 'effort high' })
})

test('without a model that sees or writes it asks none for the index', async () => {
  const { settings } = await resolved(['effort=max'])
  expect(settings.index.captions.mode).toBe('off')
  expect(settings.index.overview).toBe('extract')
  expect(settings.policy.votes).toBe(true)
})

test('what is set by itself wins, and medium is the default', async () => {
  const { settings } = await resolved(['effort=low', 'budget.frames=300', 'policy.verifier=on'])
  expect(settings.budget).toMatchObject({ frames: 300, steps: 4 })
  expect(settings.policy.verifier).toBe(true)
  const [usual, medium, auto] = await Promise.all([[], ['effort=medium'], ['effort=auto']].map(resolved))
  expect(medium?.settings).toEqual(usual?.settings)
  expect(auto?.settings).toEqual(usual?.settings) // of an older release
})

test('the command line offers the efforts that there are', () => {
  expect([...effortChoices].sort()).toEqual([...effortNames].sort())
})
