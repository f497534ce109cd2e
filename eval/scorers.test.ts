import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { openScorers } from './scorers.ts'

test('a benchmark is data and scorers of an evaluation in TypeScript', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'longtake-scorers-'))
  const options = ['A. one', 'B. two', 'C. three', 'D. four']
  const question = { video_id: 'v', question: 'What?', options, correct_option: 'B' }
  writeFileSync(join(folder, 'data.json'), JSON.stringify([question]))
  const { data, scorers } = await openScorers('lvomnibench', folder, { scoring: 'official' })
  expect(data).toEqual([
    {
      input: { id: 'v/0', video: 'videos/v.mp4', question: expect.objectContaining({ text: 'What?' }) },
      expected: 'two',
    },
  ])
  const score = (output: string) => scorers[0]?.scorer({ input: data[0]!.input, output }).score
  expect(['B', 'A or B', 'no'].map(score)).toEqual([1, 0, null])
})
