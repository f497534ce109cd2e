import { readFileSync, writeFileSync } from 'node:fs'
import { afterAll, expect, test } from 'vitest'
import { h264, mediaFolder, picture, tone } from '../../../tests/media-fixtures.ts'
import { passSettings } from '../../../tests/support/pass-settings.ts'
import { probe } from '../probe/probe.ts'
import { decodePass } from './decode-pass.ts'

const media = mediaFolder()
afterAll(() => media.remove())

const every = process.env.LONGTAKE_LONG === '1'
const seeds = every ? 100 : 6 // of each kind
const flips = 60

function flipped(bytes: Buffer, seed: number): Buffer {
  let state = seed * 2_654_435_761 + 1
  const random = () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return state / 2 ** 32
  }
  const damaged = Buffer.from(bytes)
  for (let i = 0; i < flips; i++) damaged[Math.floor(bytes.length * (0.1 + 0.85 * random()))]! ^= 1 << (random() * 8)
  return damaged
}

test.each(['mp4', 'mkv', 'ts'])(
  `fault 04: ${flips} flipped bits in a %s file never stop it, and every gap lies within it (${seeds} seeds${every ? '' : '; 100 with LONGTAKE_LONG=1'})`,
  async kind => {
    const whole = readFileSync(
      media.ffmpeg(`whole.${kind}`, picture(6, '160x90'), tone(6), h264, '-c:a aac -movflags +faststart'),
    )
    for (let seed = 1; seed <= seeds; seed++) {
      const path = media.path(`flipped.${kind}`)
      writeFileSync(path, flipped(whole, seed))
      const sinks = { small: () => undefined, audio: () => undefined }
      const made = await decodePass(await probe(path), passSettings(), sinks, new AbortController().signal)
      expect(made.picture?.frames, `seed ${seed}`).toBeGreaterThan(10)
      for (const { start, end } of [...(made.picture?.gaps ?? []), ...(made.audio?.gaps ?? [])]) {
        expect(start, `seed ${seed}`).toBeGreaterThanOrEqual(0)
        expect(end, `seed ${seed}`).toBeGreaterThan(start)
      }
    }
  },
  every ? 600_000 : 120_000,
)
