import { expect, test } from 'vitest'
import type { Evidence } from '../../../../src/core/evidence.ts'
import type { VideoIndex } from '../../../../src/core/video.ts'
import { readRowPage } from './video-view.ts'

test('a page of rows says which words of speech were heard with doubt, and keeps their times out', () => {
  const word = (text: string, confidence: number) => ({ text, start: 0, end: 1, confidence })
  const row: Evidence = {
    ...{ id: 's1', video: 'v', by: 'transcribe/pocketsphinx', track: 'speech', span: { start: 0, end: 4 } },
    text: 'the sell, the downtown sell',
    words: [word('the', 0.3), word('sell,', 0.9), word('the', 0.8), word('downtown', 0.4), word('sell', 0.19)],
  }
  const index = { evidence: () => [row, { ...row, words: undefined }] } as unknown as VideoIndex
  const [first, second] = readRowPage(index, {}).rows
  expect(first?.doubtful?.map(([start, end]) => row.text.slice(start, end))).toEqual(['the', 'downtown', 'sell'])
  expect(first).not.toHaveProperty('words')
  expect(second?.doubtful).toBeUndefined()
})
