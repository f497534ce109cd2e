import { expect, test } from 'vitest'
import { soundShape } from '../../src/media/render/sound-shapes.ts'
import { host } from '../../tests/contracts/backends.ts'
import { hasFlite, join, silence, soundFrom, spoken } from '../../tests/contracts/sound.ts'
import { voiceFinders } from './index.ts'
import { addFaintSpeech } from './join-speech.ts'

test.skipIf(!hasFlite)('music is not taken for speech, and speech over music is found', async () => {
  const finder = await voiceFinders.open('silero', {}, host)
  const { samples } = await spoken(['the doctor asked him to take the medicine twice a day'])
  const music = soundShape('music', 6 + samples.length / 16_000, 1).map(sample => sample * 0.1)
  const late = join(silence(6), samples)
  const voices = await finder.voices(soundFrom(music.map((sample, i) => sample + late[i]!)), host.signal)
  await finder.close?.()
  expect(voices).toHaveLength(1)
  expect(voices[0]!.start).toBeGreaterThan(7)
})

test('a faint voice counts near a sure one, and neither far from it, near a click, nor as its longer end', () => {
  const settings = { minSilence: 0.4, minSpeech: 0.25, pad: 0.1 }
  const sure = [
    { start: 10, end: 12 },
    { start: 40, end: 40.1 },
  ]
  const faint = [
    { start: 8.5, end: 9 },
    { start: 9.9, end: 12.5 },
    { start: 20, end: 21 },
    { start: 41, end: 42 },
  ]
  expect(addFaintSpeech(sure, faint, settings, 60)).toEqual([{ start: 8.5, end: 9 }, ...sure])
})
