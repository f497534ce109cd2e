import { expect, test } from 'vitest'
import { type Joint, writeTokens } from './greedy.ts'
import { joinPieces, readVocabulary } from './transcriber.ts'

const blank = 3

// Of each step the token and the number of frames to go on; what is asked of the networks is kept.
function scripted(steps: [token: number, lasts: number][]) {
  const asked: [frame: number, after: number][] = []
  let taken = 0
  const joint: Joint = {
    async scores(frame, after) {
      const [token, lasts] = steps[asked.length] ?? [blank, 1]
      asked.push([frame, after])
      return Float32Array.from({ length: blank + 6 }, (_, i) => (i === token || i === blank + 1 + lasts ? 5 : 0))
    },
    take: () => void taken++,
  }
  return { joint, asked, taken: () => taken }
}

test('a token goes on by its duration, and one of no duration leaves room for another in the same frame', async () => {
  const { joint, asked, taken } = scripted([
    [0, 0],
    [1, 2],
    [blank, 4],
    [2, 1],
  ])
  const said = await writeTokens(7, blank, joint)
  expect(said.map(({ token, frame, frames }) => [token, frame, frames])).toEqual([
    [0, 0, 0],
    [1, 0, 2],
    [2, 6, 1],
  ])
  expect(asked).toEqual([
    [0, blank],
    [0, 0],
    [2, 1],
    [6, 1],
  ])
  expect(taken()).toBe(3)
})

test('a blank without duration goes on by one frame, and no more than ten tokens begin in a frame', async () => {
  const stuck = scripted([[blank, 0]])
  await writeTokens(2, blank, stuck.joint)
  expect(stuck.asked.map(([frame]) => frame)).toEqual([0, 1])
  const endless = scripted(Array.from({ length: 40 }, () => [1, 0]))
  const said = await writeTokens(2, blank, endless.joint)
  expect(said.map(({ frame }) => frame)).toEqual([...Array(10).fill(0), ...Array(10).fill(1)])
})

test('the likelihood of a token is among the tokens, not the durations', async () => {
  const [said] = await writeTokens(1, blank, scripted([[2, 1]]).joint)
  expect(said!.share).toBeCloseTo(Math.exp(5) / (Math.exp(5) + 3), 5)
})

test('pieces make words; marks do not make them longer, and tags are no text', () => {
  const { pieces } = readVocabulary('<unk> 0\n<|de|> 1\n▁Gu 2\nten 3\n▁Tag 4\n. 5\n<blk> 6\n')
  const said = [1, 2, 3, 4, 5].map((token, i) => ({ token, frame: i * 4, frames: 2, share: i === 1 ? 0.5 : 1 }))
  expect(joinPieces(said, pieces, 0.08)).toEqual([
    { text: ' Guten', start: 0.32, end: 0.8, confidence: 0.75 },
    { text: ' Tag.', start: 0.96, end: 1.12, confidence: 1 },
  ])
})

test('a word without duration lasts a frame, and no longer than to the next', () => {
  const said = [
    { token: 0, frame: 1, frames: 0, share: 1 },
    { token: 0, frame: 1, frames: 9, share: 1 },
    { token: 0, frame: 5, frames: 0, share: 1 },
  ]
  const times = joinPieces(said, ['▁a'], 1).map(({ start, end }) => [start, end])
  expect(times).toEqual([
    [1, 1],
    [1, 5],
    [5, 6],
  ])
})
