import { describe, expect, test } from 'vitest'
import type { Coverage, TrackCoverage } from '../../src/core/video.ts'
import { degradedBy } from './degraded.ts'

describe('what an answer could not rest on', () => {
  const indexed: TrackCoverage = { state: 'indexed', spans: [{ start: 0, end: 100 }], items: 1 }
  const coverage: Coverage = {
    duration: 100,
    picture: indexed,
    speech: indexed,
    sound: indexed,
    text: indexed,
    notes: [],
  }

  test('a whole index has nothing to say', () => {
    expect(degradedBy(coverage, 'answered', [])).toEqual([])
  })

  test('voices that were not understood are named, if they last a second', () => {
    const speech = {
      ...indexed,
      notUnderstood: [
        { start: 5, end: 5.4 },
        { start: 22, end: 26 },
      ],
    }
    expect(degradedBy({ ...coverage, speech }, 'answered', [])).toEqual([
      'Speech was heard but not understood at [0:22-0:26].',
    ])
  })

  test('absent, off, failed and partial are different sentences', () => {
    const said = degradedBy(
      {
        ...coverage,
        speech: { ...indexed, state: 'absent' },
        text: { ...indexed, state: 'off' },
        sound: { ...indexed, state: 'failed', note: 'no memory' },
        picture: { ...indexed, state: 'partial', spans: [{ start: 0, end: 70 }] },
      },
      'seconds',
      [],
    )
    expect(said).toEqual([
      'Picture is indexed only in part, without [1:10-1:40].',
      'The video has no speech.',
      'Sound could not be indexed: no memory.',
      'Text on screen was not indexed (off).',
      'The search ended because the time was up.',
    ])
  })
})
