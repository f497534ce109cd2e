import { expect, test } from 'vitest'
import { handMadeIndex, said } from '../../tests/agent/hand-made-index.ts'
import { coverageLines } from '../cli/show/lines.ts'
import type { Finding } from '../core/evidence.ts'
import { isPartial } from '../core/video.ts'
import { cutIndex } from './cut-index.ts'

const later = Array.from({ length: 20 }, (_, at) => said(100 + at, 101 + at, 'the harbour crane'))
const about = (start: number, end: number): Finding => ({
  span: { start, end },
  track: 'summary',
  text: 'the harbour crane',
})

test('what fits before the cut is found however much fits better after it', async () => {
  const rows = [said(5, 8, 'a crane stands there'), ...later]
  const index = cutIndex(handMadeIndex({ duration: 200, rows }), 60)
  const hits = await index.search({ query: 'harbour crane', k: 3 })
  expect(hits.map(({ evidence }) => evidence.span.start)).toEqual([5])
})

test('summaries that look beyond the cut take no place of what is found', async () => {
  const rows = [about(0, 200), about(10, 100), said(5, 8, 'a crane stands there')]
  const index = cutIndex(handMadeIndex({ duration: 200, rows }), 60)
  const hits = await index.search({ query: 'harbour crane', k: 1 })
  expect(hits.map(({ evidence }) => evidence.track)).toEqual(['speech'])
})

test('coverage is that of what lies before the cut', () => {
  const spans = [
    { start: 0, end: 90 },
    { start: 120, end: 200 },
  ]
  const late = { state: 'partial' as const, spans, note: '1:30-2:00 could not be decoded' }
  const early = { ...late, spans: [{ start: 20, end: 200 }], note: '0:00-0:20 could not be decoded' }
  const unclear = { notUnderstood: [{ start: 150, end: 160 }], note: 'not understood: 2:30-2:40' }
  const unread = { ...late, note: `the subtitle file a.srt was not read: it is empty; ${late.note}` }
  const cut = (coverage: Parameters<typeof handMadeIndex>[0]['coverage']) =>
    cutIndex(handMadeIndex({ duration: 200, rows: [said(5, 8, 'first'), ...later], coverage }), 60).coverage

  const whole = cut({ picture: late, speech: unclear })
  expect(isPartial(whole)).toBe(false)
  expect(coverageLines(whole)).toEqual(['Searched: pictures, speech, text, sounds'])
  expect(whole.speech).toEqual({ state: 'indexed', spans: [{ start: 0, end: 60 }], items: 1 })

  expect(coverageLines(cut({ picture: early }))).toEqual([
    'Searched: pictures 66 %, speech, text, sounds',
    'Note: picture: 0:00-0:20 could not be decoded',
  ])
  expect(cut({ speech: unread }).speech).toMatchObject({
    state: 'partial',
    note: 'the subtitle file a.srt was not read: it is empty',
  })
})
