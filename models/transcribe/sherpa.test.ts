import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { modelFixture } from '../../tests/contracts/model-fixture.ts'
import { all, join as joined, silence, soundFrom, tone } from '../../tests/contracts/sound.ts'
import { closeAll, closeLater, testHost } from '../../tests/servers/host.ts'
import { packageFolder } from '../../tests/support/counterparts.ts'
import { transcribers } from './index.ts'
import sherpa, { findLayout } from './sherpa.ts'

test('what sort of model a folder holds is seen by the names of its files, of two precisions the smaller', () => {
  const zipformer = [
    'encoder-epoch-99.onnx',
    'encoder-epoch-99.int8.onnx',
    'decoder.onnx',
    'joiner.int8.onnx',
    'tokens.txt',
  ]
  expect(findLayout(zipformer)).toEqual({
    kind: 'transducer',
    tokens: 'tokens.txt',
    encoder: 'encoder-epoch-99.int8.onnx',
    decoder: 'decoder.onnx',
    joiner: 'joiner.int8.onnx',
  })
  expect(findLayout(['tiny-encoder.onnx', 'tiny-decoder.onnx', 'tiny-tokens.txt'])).toMatchObject({ kind: 'whisper' })
  expect(findLayout(['model.int8.onnx', 'model.onnx', 'tokens.txt'])).toMatchObject({ model: 'model.int8.onnx' })
  expect(findLayout(['model.onnx'])).toBeUndefined()
  expect(findLayout(['tokens.txt', 'encoder.onnx'])).toBeUndefined()
})

const folder = mkdtempSync(join(tmpdir(), 'longtake-sherpa-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

// In place of the native package one that has heard this.
async function heard(result: object) {
  const own = mkdtempSync(join(folder, 'install-'))
  const place = join(own, 'node_modules', 'sherpa-onnx-node')
  mkdirSync(place, { recursive: true })
  writeFileSync(join(place, 'package.json'), '{"name": "sherpa-onnx-node", "main": "index.js"}')
  writeFileSync(
    join(place, 'index.js'),
    `exports.OfflineRecognizer = class {
      createStream() { return { acceptWaveform() {} } }
      decode() {}
      getResult() { return ${JSON.stringify(result)} }
    }`,
  )
  const given = { packageFolder: own, folder: modelFixture('sense-voice') }
  const service = closeLater(await transcribers.open('sherpa', given, testHost(process.env)))
  const request = { audio: soundFrom(silence(10)), spans: [{ start: 4, end: 5.5 }] }
  return all(service.transcribe(request, new AbortController().signal))
}

test('pieces of words become words with their times in the video', async () => {
  const tokens = [' he', 'llo', '▁wor', 'ld', '.', '<|end|>']
  const [line, ...others] = await heard({ text: 'hello world.', tokens, timestamps: [0.2, 0.4, 0.7, 0.9, 1, 1.1] })
  expect(others).toEqual([])
  expect(line?.text).toBe('hello world.')
  expect(line?.words?.map(({ text, start }) => [text, Math.round(start * 10) / 10])).toEqual([
    ['hello', 4],
    ['world.', 4.5],
  ])
})

test('a script without spaces is written without them, and its letters have times', async () => {
  const [line] = await heard({ text: '你好吗', tokens: ['你', '好', '吗'], timestamps: [0, 0.2, 0.4] })
  expect(line?.text).toBe('你好吗')
  expect(line?.words).toHaveLength(3)
})

test('a model that knows no times gives the line of the piece that it heard', async () => {
  expect(await heard({ text: ' Good morning. ' })).toEqual([
    { span: { start: 3.8, end: 5.7 }, track: 'speech', text: 'Good morning.' },
  ])
  expect(await heard({ text: '' })).toEqual([])
})

const settings = { packageFolder, folder: modelFixture('sense-voice') }
const installed = (await sherpa.needs?.(settings as never)[0]?.met(testHost(process.env))) === true
afterAll(closeAll)

// The model is set by hand to hear "la" in whatever is loud: it shows that words come with their times, and no more.
describe.skipIf(!installed)(`sherpa-onnx${installed ? '' : ' (skipped: sherpa-onnx-node is not installed)'}`, () => {
  const audio = soundFrom(joined(silence(2), tone(1, 700, 0.5), silence(5), tone(1, 700, 0.5), silence(1)))
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
