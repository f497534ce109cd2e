import { mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, describe, expect, test } from 'vitest'
import { type Evidence, stamp, type Track } from '../core/evidence.ts'
import type { Coverage, SearchQuery, Shot, Still, Video } from '../core/video.ts'
import { buildTextIndex } from './text-index.ts'
import { vectorIndexes } from './vectors/index.ts'
import { openVideoIndex, type VideoIndexParts } from './video-index.ts'

const video: Video = {
  id: 'v1',
  path: '/films/harbour.mp4',
  name: 'harbour.mp4',
  bytes: 1,
  container: 'mov',
  start: 0,
  duration: 300,
  otherSounds: [],
  subtitles: [],
  sidecars: [],
  notes: [],
}
const indexed = { state: 'indexed' as const, spans: [{ start: 0, end: 300 }], items: 1 }
const coverage: Coverage = {
  duration: 300,
  picture: indexed,
  speech: indexed,
  sound: indexed,
  text: indexed,
  notes: [],
}
const overview = { duration: 300, shots: 3, speakers: [], chapters: [], notIndexed: [] }

const row = (start: number, end: number, track: Track, text: string) =>
  stamp({ span: { start, end }, track, text }, 'v1', 'test/rows')

const evidence: Evidence[] = [
  row(0, 8, 'speech', 'Welcome to the harbour.'),
  row(10, 18, 'speech', 'The red crane lifts a container.'),
  row(12, 60, 'text', 'Crane safety rules'),
  row(61, 70, 'text', 'Crane safety rules'),
  row(70, 78, 'speech', 'A crane again, now the yellow one.'),
  row(150, 158, 'speech', 'This crane is broken.'),
  row(151, 152, 'sound', 'a loud bang'),
  row(290, 299, 'speech', 'Goodbye, see you next week.'),
  row(0, 300, 'summary', 'A tour of a harbour with its crane.'),
]

// Three shots; stills every ten seconds. The picture space is red, green, blue.
const shots: Shot[] = [
  { start: 0, end: 100, opens: 'start' },
  { start: 100, end: 205, opens: 'cut' },
  { start: 205, end: 300, opens: 'cut' },
]
const stills: Still[] = Array.from({ length: 30 }, (_, i) => ({
  time: i * 10,
  shot: i < 10 ? 0 : i < 21 ? 1 : 2,
  reason: 'change',
  width: 16,
  height: 9,
  offset: i,
  length: 1,
}))
const colours: Record<string, number[]> = { red: [1, 0, 0], green: [0, 1, 0], blue: [0, 0, 1] }
const colourOf = (still: number) => (still === 25 ? 'red' : still < 10 ? 'green' : still < 21 ? 'red' : 'blue')

const opened: { close(): Promise<void> }[] = []
afterEach(async () => {
  for (const index of opened.splice(0)) await index.close()
})

async function open(change: Partial<VideoIndexParts> = {}) {
  const textIndexFile = join(await mkdtemp(join(tmpdir(), 'longtake-index-')), 'words.sqlite')
  await buildTextIndex(textIndexFile, change.evidence ?? evidence)
  const index = openVideoIndex({
    video,
    coverage,
    overview,
    shots,
    stills,
    evidence,
    textIndexFile,
    still: async at => Uint8Array.of(at),
    audio: async () => undefined,
    ...change,
  })
  opened.push(index)
  return index
}

async function pictureSearch(): Promise<NonNullable<VideoIndexParts['picture']>> {
  const index = await vectorIndexes.exact.create(3, 30)
  // A little of something else in each, so that no two are quite equal.
  const vectors = stills.map((_, at) => {
    const vector = Float32Array.from(colours[colourOf(at)]!, value => value + at / 1000)
    const length = Math.hypot(...vector)
    return vector.map(value => value / length)
  })
  vectors.forEach((vector, key) => {
    index.add(key, vector)
  })
  return {
    by: 'embed-image/colour',
    index: async () => index,
    vectorOf: async still => vectors[still],
    encode: async query => {
      const name = Object.keys(colours).find(colour => query.includes(colour))
      return name === undefined ? undefined : Float32Array.from(colours[name]!)
    },
  }
}

const texts = async (index: Awaited<ReturnType<typeof open>>, query: SearchQuery) =>
  (await index.search(query)).map(hit => hit.evidence.text)
const times = async (index: Awaited<ReturnType<typeof open>>, query: SearchQuery) =>
  (await index.search(query)).map(hit => hit.evidence.span.start)

describe('the evidence of a video', () => {
  test('comes in time order, by track and by span', async () => {
    const index = await open({ evidence: [...evidence].reverse() })
    expect(index.evidence().map(row => row.span.start)).toEqual([0, 0, 10, 12, 61, 70, 150, 151, 290])
    expect(index.evidence({ tracks: ['sound', 'text'] }).map(row => row.track)).toEqual(['text', 'text', 'sound'])
    expect(index.evidence({ tracks: ['speech'], span: { start: 75, end: 151 } }).map(row => row.span.start)).toEqual([
      70, 150,
    ])
  })

  test('of a span holds long rows that began before it, and none that only meets its edge', async () => {
    const index = await open()
    expect(index.evidence({ span: { start: 60, end: 61 } }).map(row => row.track)).toEqual(['summary'])
    expect(index.evidence({ span: { start: 59.9, end: 61 } }).map(row => row.track)).toEqual(['summary', 'text'])
    expect(index.evidence({ tracks: ['speech'], span: { start: 18, end: 70 } })).toEqual([])
  })

  test('of any span is what a look at every row finds', async () => {
    const many = Array.from({ length: 400 }, (_, i) => {
      const start = (i * 37) % 290
      return row(start, Math.min(300, start + ((i * 13) % 40)), i % 3 ? 'speech' : 'sound', `row ${i}`)
    })
    const index = await open({ evidence: many })
    for (let start = 0; start < 300; start += 7) {
      for (const end of [start, start + 1, start + 50]) {
        const expected = many.filter(({ span }) =>
          span.start === span.end
            ? span.start >= start && span.start < Math.max(end, start + 1e-9)
            : start === end
              ? start >= span.start && start < span.end
              : span.start < end && span.end > start,
        )
        const found = index.evidence({ span: { start, end } })
        expect(new Set(found.map(row => row.id)), `${start}-${end}`).toEqual(new Set(expected.map(row => row.id)))
      }
    }
  })
})

describe('a search', () => {
  test('finds rows by words and says which', async () => {
    const [hit] = await (await open()).search({ query: 'the yellow crane' })
    expect(hit).toMatchObject({ lists: ['words'], terms: ['yellow', 'crane'] })
    expect(hit!.evidence.span.start).toBe(70)
  })

  test('shows a text that was read twice once, and a word that is said twice twice', async () => {
    const found = await texts(await open(), { query: 'crane', tracks: ['text', 'speech'] })
    expect(found.filter(text => text === 'Crane safety rules')).toHaveLength(1)
    expect(found).toHaveLength(4)
  })

  test('keeps to its tracks, its span, after, before and k', async () => {
    const index = await open()
    expect(await times(index, { query: 'crane', tracks: ['speech'] }).then(sorted)).toEqual([10, 70, 150])
    expect(await times(index, { query: 'crane', tracks: ['speech'], after: 70 }).then(sorted)).toEqual([70, 150])
    expect(await times(index, { query: 'crane', tracks: ['speech'], before: 70 })).toEqual([10])
    expect(await times(index, { query: 'crane', span: { start: 140, end: 200 }, tracks: ['speech'] })).toEqual([150])
    expect(await times(index, { query: 'crane', k: 2 })).toHaveLength(2)
  })

  test('finds the nth moment in time order, a word spoken and shown at once being one', async () => {
    const index = await open()
    expect(await times(index, { query: 'crane', nth: 1 }).then(sorted)).toEqual([10, 12, 61])
    expect(await times(index, { query: 'crane', nth: 2 })).toEqual([70])
    expect(await times(index, { query: 'crane', nth: 3 })).toEqual([150])
    expect(await times(index, { query: 'crane', nth: 4 })).toEqual([])
    expect(await times(index, { query: 'crane', nth: 1, after: 100 })).toEqual([150])
  })

  test('finds an nth moment whenever it finds anything without one, also where no row holds most of the words', async () => {
    const index = await open()
    for (const query of ['broken piano', 'loud barking', 'tour', 'harbour crane elephants', 'submarine piano'])
      expect((await times(index, { query, nth: 1 })).length > 0, query).toBe((await times(index, { query })).length > 0)
    const fitting = { query: 'who won the football match with a crane', onlyFitting: true }
    for (const nth of [undefined, 1]) expect(await times(index, { ...fitting, nth })).toEqual([])
    expect(await times(index, { query: 'loud barking' })).toEqual([151])
    expect(await times(index, { query: 'loud barking', nth: 1 })).toEqual([151])
    expect(await times(index, { query: 'loud barking', nth: 2 })).toEqual([])
  })

  test('says of each hit how well it fits, and leaves out what fits by one common word of many', async () => {
    const index = await open()
    const [hit] = await index.search({ query: 'the yellow crane' })
    expect(hit).toMatchObject({ terms: ['yellow', 'crane'], coverage: 1 })
    const [half] = await index.search({ query: 'loud barking' })
    expect(half?.coverage).toBeGreaterThan(0.3)
    expect(half?.coverage).toBeLessThan(0.6)
    const query = 'who won the football match with a crane'
    expect(await times(index, { query, onlyFitting: true })).toEqual([])
    expect(await times(index, { query })).not.toEqual([])
  })

  test('finds nothing where there is nothing', async () => {
    expect(await (await open()).search({ query: 'submarine' })).toEqual([])
  })

  test('without words is refused', async () => {
    await expect((await open()).search({ query: '  ' })).rejects.toThrow('A search needs words')
  })

  test('gives the same hits each time', async () => {
    const index = await open({ picture: await pictureSearch() })
    const query = { query: 'a red crane', k: 30 }
    const first = await index.search(query)
    expect(await index.search(query)).toEqual(first)
    expect(await (await open({ picture: await pictureSearch() })).search(query)).toEqual(first)
  })
})

describe('a search for pictures', () => {
  test('gives stills as rows that can be cited, until the next still or the end of the shot', async () => {
    const index = await open({ picture: await pictureSearch() })
    const hits = await index.search({ query: 'blue', tracks: ['picture'], k: 3 })
    expect(hits.every(hit => hit.evidence.track === 'picture' && hit.lists[0] === 'picture')).toBe(true)
    for (const { evidence } of hits) {
      expect(index.byId(evidence.id)).toEqual(evidence)
      expect(evidence.frame).toBe(evidence.span.start)
      expect(colourOf(evidence.span.start / 10)).toBe('blue')
    }
    const last = await index.search({ query: 'red', tracks: ['picture'], span: { start: 200, end: 204 } })
    expect(last[0]!.evidence.span).toEqual({ start: 200, end: 205 })
  })

  test('does not repeat the query in its rows, so that no search proves itself', async () => {
    const index = await open({ picture: await pictureSearch() })
    const hits = await index.search({ query: 'red', tracks: ['picture'] })
    expect(hits.map(hit => hit.evidence.text).join()).not.toContain('red')
  })

  test('gives stills near each other in one shot once', async () => {
    const close = stills.map((still, at) => ({ ...still, time: at * 2, shot: 0 }))
    const index = await open({
      picture: await pictureSearch(),
      stills: close,
      shots: [{ start: 0, end: 300, opens: 'start' }],
    })
    const found = await times(index, { query: 'red', tracks: ['picture'], k: 4 })
    for (const a of found) for (const b of found) if (a !== b) expect(Math.abs(a - b)).toBeGreaterThan(10)
  })

  test('stands beside the words: fitting words first, then pictures', async () => {
    const index = await open({ picture: await pictureSearch() })
    const lists = (await index.search({ query: 'red crane', k: 20 })).map(hit => hit.lists[0])
    expect(lists[0]).toBe('words')
    expect(lists).toContain('picture')
  })

  test('by a frame finds where else it is seen, and not the frame itself', async () => {
    const index = await open({ picture: await pictureSearch() })
    const hits = await index.search({ query: '', frame: 123, k: 20 })
    expect(hits.map(hit => hit.evidence.frame)).not.toContain(120)
    expect(hits.slice(0, 5).every(hit => colourOf((hit.evidence.frame ?? 0) / 10) === 'red')).toBe(true)
    expect(hits.map(hit => hit.evidence.frame)).toContain(250)
  })

  test('by a frame just after a cut goes by the shot that begins there', async () => {
    const index = await open({ picture: await pictureSearch() })
    const [best] = await index.search({ query: '', frame: 206, k: 1 })
    expect(colourOf((best!.evidence.frame ?? 0) / 10)).toBe('blue')
  })

  test('shows how like each is to the query, and none below what its encoder takes for a likeness', async () => {
    const picture = await pictureSearch()
    const hits = await (await open({ picture })).search({
      query: 'blue',
      tracks: ['picture'],
      k: 30,
      onlyFitting: true,
    })
    expect(hits.length).toBeGreaterThan(0)
    for (const { likeness = 0 } of hits) expect(likeness).toBeGreaterThan(0.5)
    const strict = { ...picture, minLikeness: async () => 1.1 }
    expect(
      await (await open({ picture: strict })).search({ query: 'blue', tracks: ['picture'], onlyFitting: true }),
    ).toEqual([])
    expect(await (await open({ picture: strict })).search({ query: '', frame: 12 })).not.toEqual([])
  })

  test('counts a picture that stands still once, however many stills show it', async () => {
    const resting = stills.map(
      (still, at): Still => (still.shot === stills[at - 1]?.shot ? { ...still, reason: 'interval' } : still),
    )
    const index = await open({ stills: resting, picture: await pictureSearch() })
    expect(await times(index, { query: 'red', tracks: ['picture'], k: 30, onlyFitting: true })).toEqual([100])
    expect(await times(index, { query: 'red', tracks: ['picture'], nth: 2 })).toEqual([250])
  })

  test('finds the nth showing: the second red stretch is the lone still', async () => {
    const index = await open({ picture: await pictureSearch() })
    expect(await times(index, { query: 'red', tracks: ['picture'], nth: 2 })).toEqual([250])
  })

  test('by a frame is refused where no pictures are indexed, and not answered with nothing', async () => {
    await expect((await open()).search({ query: '', frame: 12 })).rejects.toThrow('are not indexed')
  })
})

describe('a search by meaning', () => {
  const bySense = async (): Promise<NonNullable<VideoIndexParts['meaning']>> => {
    const ids = [evidence[5]!.id, evidence[0]!.id, 'gone']
    const index = await vectorIndexes.exact.create(2, 3)
    index.add(0, Float32Array.of(1, 0))
    index.add(1, Float32Array.of(0, 1))
    index.add(2, Float32Array.of(1, 0))
    return {
      by: 'embed-text/test',
      index: async () => index,
      ids: async () => ids,
      encode: async query => (query.includes('defect') ? Float32Array.of(1, 0) : undefined),
    }
  }

  test('finds rows that hold none of the words', async () => {
    const hits = await (await open({ meaning: await bySense() })).search({ query: 'defective', k: 1 })
    expect(hits.map(hit => [hit.evidence.text, hit.lists, hit.terms])).toEqual([
      ['This crane is broken.', ['meaning'], []],
    ])
  })

  test('lifts a row that words find as well', async () => {
    const [first] = await (await open({ meaning: await bySense() })).search({ query: 'crane defect' })
    expect(first).toMatchObject({ lists: ['words', 'meaning'], terms: ['crane'] })
    expect(first!.evidence.span.start).toBe(150)
  })
})

describe('opening', () => {
  test('touches no file before a search needs it', async () => {
    const index = await open({ textIndexFile: '/nowhere/words.sqlite' })
    expect(index.evidence({ tracks: ['sound'] })).toHaveLength(1)
    expect(await index.still(3)).toEqual(Uint8Array.of(3))
    await expect(index.search({ query: 'crane' })).rejects.toThrow('/nowhere/words.sqlite')
  })

  test('a still that is not there is named', async () => {
    await expect((await open()).still(30)).rejects.toThrow('There is no still 30')
  })
})

function sorted(values: number[]): number[] {
  return values.sort((a, b) => a - b)
}

describe('what one speaker says', () => {
  const by = (at: number, text: string, speaker: string) => ({ ...row(at, at + 1, 'speech', text), speaker })
  const many = Array.from({ length: 200 }, (_, at) => by(at, 'crane crane crane', 'Speaker 1'))
  const told = [...many, by(250, 'one crane among many other things that were said there', 'Speaker 2')]
  const speaking = { overview: { ...overview, speakers: ['Speaker 1', 'Speaker 2'] }, evidence: told }

  test('is found also where others say the same better, many times', async () => {
    const index = await open(speaking)
    for (const speaker of ['2', 'speaker 2']) {
      const hits = await index.search({ query: 'crane', speaker, k: 3 })
      expect(hits.map(hit => hit.evidence.span.start)).toEqual([250])
    }
    expect((await index.search({ query: 'crane', speaker: '2', nth: 1 })).map(hit => hit.evidence.speaker)).toEqual([
      'Speaker 2',
    ])
  })

  test('is asked of a speaker that there is; without any the error says what tells them', async () => {
    await expect((await open(speaking)).search({ query: 'crane', speaker: '3' })).rejects.toThrow(
      'Speaker 1, Speaker 2',
    )
    await expect((await open()).search({ query: 'crane', speaker: '1' })).rejects.toMatchObject({
      message: expect.stringContaining('not known'),
      hint: expect.stringContaining('speakers'),
    })
    expect((await (await open()).ranked({ query: 'crane', speaker: '1' }, 5)).lists).toEqual({
      ...{ words: [], meaning: [], picture: [] },
    })
  })

  test('the number of a speaker is no word of a line', async () => {
    const index = await open(speaking)
    expect(await index.search({ query: '2', tracks: ['speech'] })).toEqual([])
  })
})
