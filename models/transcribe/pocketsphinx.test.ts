import { describe, expect, test } from 'vitest'
import { findProgram } from '../../src/media/program/find-program.ts'
import { host } from '../../tests/contracts/backends.ts'
import { all, hasFlite, join, silence, soundFrom, spoken } from '../../tests/contracts/sound.ts'
import { transcribers } from './index.ts'

const ready = hasFlite && (await findProgram('pocketsphinx_continuous')) !== undefined
const open = (settings: object = {}) => transcribers.open('pocketsphinx', settings, host)

describe.skipIf(!ready)(`pocketsphinx${ready ? '' : ' (skipped: flite or pocketsphinx is not installed)'}`, () => {
  test('word times are right to a fifth of a second, far into a recording and after long silences', async () => {
    const { samples, said } = await spoken(['turn left at the bridge', 'the doctor asked him to take the medicine'])
    const audio = soundFrom(join(silence(100), samples))
    const spans = said.map(({ span }) => ({ start: span.start + 100, end: span.end + 100 }))
    const lines = await all((await open()).transcribe({ audio, spans }, host.signal))
    expect(lines.map(line => line.text)).toEqual(said.map(({ text }) => text))
    lines.forEach((line, i) => {
      expect(Math.abs(line.span.start - spans[i]!.start)).toBeLessThan(0.2)
      expect(Math.abs(line.span.end - spans[i]!.end)).toBeLessThan(0.2)
      expect(line.words?.map(word => word.text).join(' ')).toBe(line.text)
    })
    expect(audio.seconds).toBeLessThan(15)
  })

  test('several recognisers side by side give the lines in time order', async () => {
    const sentence = 'the children walked slowly across the frozen river'
    const { samples, said } = await spoken(Array(8).fill(sentence), { pause: 0.8 })
    const request = { audio: soundFrom(samples), spans: said.map(({ span }) => span) }
    const lines = await all((await open({ processes: 2 })).transcribe(request, host.signal))
    expect(lines).toHaveLength(8)
    lines.forEach((line, i) => {
      expect(Math.abs(line.span.start - said[i]!.span.start)).toBeLessThan(0.2)
    })
  })

  test('a language that it does not know is refused', async () => {
    const request = { audio: soundFrom(silence(1)), spans: [], language: 'de' }
    const service = await open()
    await expect(all(service.transcribe(request, host.signal))).rejects.toThrow('knows English only')
  })

  test('what the recogniser complains of is what the error says', async () => {
    const service = await open({ dictionary: '/no/such/dictionary' })
    const request = { audio: soundFrom(silence(2)), spans: [{ start: 0, end: 2 }] }
    await expect(all(service.transcribe(request, host.signal))).rejects.toThrow('/no/such/dictionary')
  })
})
