import { expect, test } from 'vitest'
import { progressAfter } from './job-progress.ts'

test('a stage keeps its place and what it lasts in all, and what happens in it is what the job does', () => {
  const none = { doing: undefined, stages: [] }
  const planned = (['decode', 'speech'] as const).reduce(
    (before, stage) => progressAfter(before, { type: 'stage', stage, state: 'waiting', total: 60 }),
    none as Parameters<typeof progressAfter>[0],
  )
  expect(planned.doing).toBeUndefined()
  const begun = progressAfter(planned, { type: 'stage', stage: 'decode', state: 'running', done: 12, seconds: 3 })
  expect(begun).toMatchObject({
    doing: 'decode',
    stages: [
      { stage: 'decode', state: 'running', done: 12, total: 60, seconds: 3 },
      { stage: 'speech', state: 'waiting', total: 60 },
    ],
  })
  expect(progressAfter(begun, { type: 'tool-start', round: 1, tool: 'search', input: {} })).toEqual({
    ...begun,
    doing: 'search',
  })
  expect(progressAfter(begun, { type: 'note', text: 'x' })).toEqual(begun)
})
