import { expect, test } from 'vitest'
import { modelFixture } from '../../../tests/contracts/model-fixture.ts'
import { testHost } from '../../../tests/servers/host.ts'
import { Models } from './models.ts'

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
