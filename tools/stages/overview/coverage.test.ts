import { expect, test } from 'vitest'
import type { Shot, Video } from '../../../src/core/video.ts'
import { computeCoverage, unkeptSpans } from './coverage.ts'

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

const shots: Shot[] = [
  { start: 0, end: 60, opens: 'start' },
  { start: 60, end: 61.5, opens: 'cut' },
  { start: 61.5, end: 90, opens: 'cut' },
]
const at = (...times: number[]) => times.map(time => ({ time }))
const dense = at(0, 5, 10, 15, 20, 25, 30, 35, 40, 43, 60.5, 61.7, 66, 71, 76, 81, 86)
const passReport = { picture: { first: 0, last: 89.96, frames: 2250 }, errors: 0, notes: [] }

test('where two stills are five seconds apart at most, everything counts as kept', () => {
  expect(unkeptSpans([shots[1]!, shots[2]!], dense, passReport)).toEqual([])
})

test('a pause without a still is named, but for what its neighbours stand for, and a shot without any is named whole', () => {
  const stills = [...dense.filter(({ time }) => time < 60), ...at(57, 61.7, 66, 71, 76, 81, 86)]
  expect(unkeptSpans(shots, stills, passReport)).toEqual([
    { start: 45.501, end: 54.5 },
    { start: 60, end: 61.5 },
  ])
})

test('a frame that stays on screen is seen for as long as it stays, except among keyframes', () => {
  const stills = dense.filter(({ time }) => time < 60 && time <= 43)
  const still = { ...passReport, picture: { ...passReport.picture, still: [{ start: 43.04, end: 60 }] } }
  expect(unkeptSpans([shots[0]!], stills, still)).toEqual([])
  const slow = { ...passReport, picture: { first: 0, last: 50, frames: 6 } }
  const tens = at(0, 10, 20, 30, 40, 50)
  expect(unkeptSpans([shots[0]!], tens, slow)).toEqual([])
  expect(unkeptSpans([shots[0]!], tens, { ...slow, level: 'quick' })).toHaveLength(6)
})
