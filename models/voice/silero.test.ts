import { expect, test } from 'vitest'
import { soundShape } from '../../src/media/render/sound-shapes.ts'
import { host } from '../../tests/contracts/backends.ts'
import { hasFlite, join, silence, soundFrom, spoken } from '../../tests/contracts/sound.ts'
import { voiceFinders } from './index.ts'

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
