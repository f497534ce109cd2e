import { describe, expect, test } from 'vitest'
import { cutShards, type Sharding } from './shards.ts'

function asked(video: string, count: number, listTurns: (place: number) => number[] = () => []) {
  return Array.from({ length: count }, (_, place) => ({
    id: `${video}${place}`,
    video,
    turns: listTurns(place).map(turn => ({ question: { text: '?' }, reference: '', id: `${video}${turn}` })),
  }))
}

const sizes = (samples: ReturnType<typeof asked>, sharding: Partial<Sharding> = {}) =>
  cutShards(samples, { free: false, ...sharding }).map(({ video, samples }) => `${video}${samples.length}`)

const earlierOfThree = (place: number) => Array.from({ length: place % 3 }, (_, i) => place - (place % 3) + i)

describe('shards of a run', () => {
  test.each([
    ['one question is one shard', asked('a', 1), {}, ['a1']],
    ['at most 16 of a video', asked('a', 33), {}, ['a16', 'a16', 'a1']],
    ['never two videos in one', [...asked('a', 3), ...asked('b', 20)], {}, ['a3', 'b16', 'b4']],
    ['ten minutes where a question takes two', asked('a', 12), { secondsEach: 120 }, ['a5', 'a5', 'a2']],
    ['one question of an hour', asked('a', 2), { secondsEach: 3600 }, ['a1', 'a1']],
    ['quick questions are still 16', asked('a', 17), { secondsEach: 0.01 }, ['a16', 'a1']],
    ['a free conversation is never split', asked('a', 18, earlierOfThree), { free: true }, ['a15', 'a3']],
    ['not even where it is over 16', asked('a', 20, place => (place ? [place - 1] : [])), { free: true }, ['a20']],
    ['with the references for turns it may be', asked('a', 18, earlierOfThree), {}, ['a16', 'a2']],
    ['questions of one request stay together', asked('a', 24), { together: 6 }, ['a12', 'a12']],
    ['however many they are', asked('a', 45), { together: 20 }, ['a20', 'a20', 'a5']],
    ['nothing to ask is no shard', [], {}, []],
  ])('%s', (_, samples, sharding, expected) => {
    expect(sizes(samples, sharding)).toEqual(expected)
  })

  test('every question is in one shard, in the order of the data', () => {
    const samples = [...asked('a', 40), ...asked('b', 9, earlierOfThree)]
    const ids = cutShards(samples, { free: true }).flatMap(shard => shard.samples)
    expect(ids).toEqual(samples.map(({ id }) => id))
  })

  test('videos that alternate in the data are asked about one after the other', () => {
    const [a, b] = [asked('a', 2), asked('b', 2)]
    const shards = cutShards([a[0]!, b[0]!, a[1]!, b[1]!], { free: false })
    expect(shards.map(shard => shard.samples)).toEqual([
      ['a0', 'a1'],
      ['b0', 'b1'],
    ])
  })
})
