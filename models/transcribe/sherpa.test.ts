import { afterAll, describe, expect, test } from 'vitest'
import { modelFixture } from '../../tests/contracts/model-fixture.ts'
import { all, join, silence, soundFrom, tone } from '../../tests/contracts/sound.ts'
import { closeAll, closeLater, testHost } from '../../tests/servers/host.ts'
import { transcribers } from './index.ts'
import sherpa, { layoutOf } from './sherpa.ts'

test('what sort of model a folder holds is seen by the names of its files, of two precisions the smaller', () => {
  const zipformer = [
    'encoder-epoch-99.onnx',
    'encoder-epoch-99.int8.onnx',
    'decoder.onnx',
    'joiner.int8.onnx',
    'tokens.txt',
  ]
  expect(layoutOf(zipformer)).toEqual({
    ...{ kind: 'transducer', tokens: 'tokens.txt', encoder: 'encoder-epoch-99.int8.onnx' },
    ...{ decoder: 'decoder.onnx', joiner: 'joiner.int8.onnx' },
  })
  expect(layoutOf(['tiny-encoder.onnx', 'tiny-decoder.onnx', 'tiny-tokens.txt'])).toMatchObject({ kind: 'whisper' })
  expect(layoutOf(['model.int8.onnx', 'model.onnx', 'tokens.txt'])).toMatchObject({ model: 'model.int8.onnx' })
  expect(layoutOf(['model.onnx'])).toBeUndefined()
  expect(layoutOf(['tokens.txt', 'encoder.onnx'])).toBeUndefined()
})

const packageFolder = process.env.LONGTAKE_TEST_SHERPA
const settings = { packageFolder, folder: modelFixture('sense-voice') }
const installed = (await sherpa.needs?.(settings as never)[0]?.met(testHost(process.env))) === true
afterAll(closeAll)

// The model is set by hand to hear "la" in whatever is loud: it shows that words come with their times, and no more.
describe.skipIf(!installed)(`sherpa-onnx${installed ? '' : ' (skipped: sherpa-onnx-node is not installed)'}`, () => {
  const audio = soundFrom(join(silence(2), tone(1, 700, 0.5), silence(5), tone(1, 700, 0.5), silence(1)))
  const spans = [
    { start: 2, end: 3 },
    { start: 8, end: 9 },
  ]

  test('words have their times in the video', async () => {
    const service = closeLater(await transcribers.open('sherpa', settings, testHost(process.env)))
    const lines = await all(service.transcribe({ audio, spans }, new AbortController().signal))
    expect(lines.map(({ text }) => text)).toEqual(['la', 'la'])
    for (const [at, { words = [], span }] of lines.entries()) {
      expect(Math.abs((words[0]?.start ?? 0) - (spans[at]?.start ?? 0))).toBeLessThan(0.3)
      expect(span.end).toBeLessThanOrEqual((spans[at]?.end ?? 0) + 0.5)
    }
  })
})
