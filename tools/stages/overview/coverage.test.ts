import { expect, test } from 'vitest'
import type { Video } from '../../../src/core/video.ts'
import { computeCoverage } from './coverage.ts'

const silent = {
  ...{ id: 'v', path: '/v.mp4', name: 'v.mp4', duration: 2, start: 0, notes: [], subtitles: [], sidecars: [] },
  picture: { start: 0, frameRate: 10 },
} as unknown as Video
const report = { picture: { first: 0, last: 1.9, frames: 20 }, errors: 0, notes: [] }
const skipped = { state: 'skipped', items: 0 } as const
const outcomes = { picture: { state: 'done', items: 1 }, text: skipped, speech: skipped, sound: skipped } as const
const speech = (video: Video, read?: { cuesFrom?: 'sidecar' }) =>
  computeCoverage(video, report as unknown as Parameters<typeof computeCoverage>[1], outcomes, read).speech.state

test('a subtitle file that was not to be read does not change what the index says', () => {
  const beside = { ...silent, sidecars: ['/v.srt'] }
  expect([speech(silent), speech(beside)]).toEqual(['absent', 'absent'])
  expect(speech(beside, {})).toBe('off') // it was read, and holds no words
})

test('voices that were not understood are named, and do not count as indexed', () => {
  const spoken = { ...silent, duration: 40, sound: { start: 0 } } as unknown as Video
  const heard = { ...report, audio: { seconds: 40 } } as unknown as Parameters<typeof computeCoverage>[1]
  const done = { ...outcomes, speech: { state: 'done', items: 3 } } as const
  const coverage = computeCoverage(spoken, heard, done, undefined, [{ start: 22, end: 26 }])
  expect(coverage.speech).toMatchObject({
    state: 'indexed',
    spans: [
      { start: 0, end: 22 },
      { start: 26, end: 40 },
    ],
    notUnderstood: [{ start: 22, end: 26 }],
    note: 'not understood: 0:22-0:26',
  })
  expect(computeCoverage(spoken, heard, done).speech.notUnderstood).toBeUndefined()
})
