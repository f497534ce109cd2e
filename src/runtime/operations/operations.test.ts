import { expect, test } from 'vitest'
import { handMadeContext, handMadeIndex, said, shown } from '../../../tests/agent/hand-made-index.ts'
import { museum } from '../../../tests/agent/museum.ts'
import { Refused } from '../../core/api/problem.ts'
import { UsageError } from '../../core/errors.ts'
import type { VideoMemory } from '../../core/operation.ts'
import type { Video, VideoIndex } from '../../core/video.ts'
import { callOperation } from './index.ts'

// What a host can do wrong, and what it is told, over two videos of a folder in memory.

const sound = { index: 1, codec: 'aac', channels: 1, sampleRate: 48_000, start: 0 }
const long = `one ${'and another '.repeat(80)}end`

function named(index: VideoIndex, name: string, video: Partial<Video> = {}): VideoIndex {
  const id = `v${name.length.toString(16).padStart(20, '0')}`
  return { ...index, video: { ...index.video, ...video, id, name, path: `/films/course/${name}` } }
}

const first = named(handMadeIndex(museum), 'one.mp4', { sound })
const absent = { state: 'absent' as const, spans: [] }
const second = named(
  handMadeIndex({
    duration: 60,
    rows: [shown(5, 9, long), said(20, 24, 'the train is late')],
    coverage: { sound: absent },
  }),
  'second.mp4',
)

function memoryOf(...indexes: VideoIndex[]): VideoMemory {
  const open = (video: Video) => indexes.find(one => one.video.id === video.id) ?? first
  return {
    videos: async () => indexes.map(({ video }) => video),
    open: async (video, work) => work(open(video)),
    search: async () => ({ hits: [], searched: [], notSearched: [] }),
    frames: async () => [],
    context: index => handMadeContext(index, { vision: () => Promise.reject(new UsageError('No model sees.')) }),
    answerer: async () => 'nobody',
    signal: new AbortController().signal,
  }
}

const memory = memoryOf(first, second)
const call = (name: string, given: object) => callOperation(name, { video: 'one', ...given }, memory)

const wrong: [tool: string, given: object, message: RegExp, next: RegExp][] = [
  ['read', { start: '9:00' }, /^9:00\.0 is not within one\.mp4, which ends at 4:00\.0\./, /earlier/],
  ['read', { start: 'NaN' }, /^"start" is not a time: "NaN"\./, /"3:20\.5"/],
  ['read', { start: -5 }, /^"start" is not a time: "-5"\./, /"3:20\.5"/],
  ['read', { start: 1e300 }, /^"start" is not a time: "1e\+300"\./, /"3:20\.5"/],
  ['read', { start: null }, /^"start" is null\. A time is "3:20\.5"/, /It takes: video, start/],
  ['read', { at: 'noon' }, /^"at" is neither a time nor the id of a row: "noon"\./, /"t80d5e"/],
  ['read', { at: 's00000' }, /^There is no row "s00000" here\./, /time/],
  ['read', { at: '1:00', start: '0:30' }, /^"at" stands alone/, /Leave one/],
  ['read', { page: 1e9 }, /^There is no page 1000000000: the last is 1\./, /earlier/],
  ['read', { page: -1 }, /^"page" is -1\. /, /It takes/],
  ['read', { tracks: [] }, /^"tracks" is \[\]\. /, /It takes/],
  ['read', { tracks: ['speach'] }, /^"tracks\.0" is "speach"\. .*"speech"/, /It takes/],
  ['read', { until: 0 }, /^"until" is the beginning/, /later/],
  ['read', { vidoe: 'one' }, /"vidoe"/, /It takes: video/],
  ['read', { video: '../../etc/passwd' }, /^There is no video or folder "\.\.\/\.\.\/etc\/passwd"\./, /videos/],
  ['read', { video: `v${'9'.repeat(20)}` }, /^There is no video or folder "v9{20}"\./, /videos/],
  ['find', { words: '  ' }, /^"words" is " {2}"\. /, /It takes/],
  ['find', { words: 'x'.repeat(3000) }, /^"words" is "x{59}\.\.\.\. /, /It takes/],
  ['find', { words: 'x', limit: 1e9 }, /^"limit" is 1000000000\. /, /It takes/],
  [
    'view',
    { region: '0.9,0.9,0.9,0.9' },
    /^"region" must be part of a picture, got "0\.9,0\.9,0\.9,0\.9"\./,
    /from 0 to 1/,
  ],
  ['view', { region: '0,0,0,0' }, /^"region" must be part/, /from 0 to 1/],
  ['view', { region: 'row', at: '1:00' }, /^"region" must be part/, /"row" with "at"/],
  ['view', { at: '1:00', question: 'What is it?' }, /^No model sees\./, /Leave "question" out/],
  ['hear', { start: 0 }, /^"end" is missing\. /, /It takes/],
  ['hear', { start: 0, end: 121 }, /^0:00\.0-2:01\.0 is 121\.0 s long, and words can be of up to 120 s\./, /shorter/],
  ['hear', { start: 0, end: 31, as: 'audio' }, /and audio can be of up to 30 s\./, /shorter/],
  ['hear', { start: 5, end: 5 }, /is 0\.0 s long/, /"end" after "start"/],
  ['hear', { video: 'second', start: 0, end: 5 }, /^second\.mp4 has no sound\./, /View or read/],
  [
    'hear',
    { video: 'course', start: '3:50', end: '4:10' },
    /lies in several videos: one ends at 4:00\.0\./,
    /one of them/,
  ],
  ['verify', { claim: ' ', start: 0, end: 5 }, /^"claim" is " "\. /, /It takes/],
  ['sing', {}, /^There is no tool "sing"\./, /lists them/],
]

test.each(wrong)('%s in call %# is refused with the value and the next step', async (tool, given, message, next) => {
  const error = await call(tool, given).catch((reason: unknown) => reason)
  expect(error).toBeInstanceOf(Refused)
  expect((error as Refused).message).toMatch(message)
  expect((error as Refused).hint).toMatch(next)
})

test('a folder is read on one clock, with the name of each video and what it does not have', async () => {
  const { head, lines } = await call('read', { video: 'course', start: '3:20' })
  expect(head).toBe('text 2, speech 2, sound 1 in 3:20.0-5:00.0 of 5:00.0.')
  expect(lines.filter(line => line.startsWith('video'))).toEqual([
    'video one.mp4 from 0:00.0',
    'video second.mp4 from 4:00.0, not looked at: sound (the file has none)',
  ])
  expect(lines.at(-1)).toMatch(/^s\w{5} 4:20\.0-4:24\.0 speech: the train is late$/)
  const overview = await call('overview', { video: 'course' })
  expect(overview.lines.filter(line => line.startsWith('video'))).toEqual([
    expect.stringMatching(/^video one\.mp4 \(v0+7\): 5 shots, 0 pictures\. Rows: speech 18, sound 6, text 11\.$/),
    expect.stringMatching(
      /^video second\.mp4 .* from 4:00\.0: 1 shot, .* Not looked at: sound \(the file has none\)\.$/,
    ),
  ])
})

test('a long text is cut in a list and whole at its row', async () => {
  const { lines } = await call('read', { video: 'second' })
  const [row = ''] = lines
  expect(row).toMatch(/\.\.\.$/)
  const whole = await call('read', { video: 'second', at: row.slice(0, 6) })
  expect(whole.lines[0]).toMatch(/ end$/)
})

test('a span without rows names a wider one only if there is one', async () => {
  expect((await call('read', { start: '3:45', end: '3:50' })).next).toMatch(/^Next: read 3:30\.0-4:00\.0, or view/)
  expect((await call('read', { tracks: ['person'] })).next).toMatch(/^Next: read it without "tracks", or view/)
})

test('find gives the best of the span, however much fits better outside of it', async () => {
  const rows = [
    said(5, 8, 'a train is there'),
    ...Array.from({ length: 120 }, (_, at) => said(60 + at, 61 + at, 'train late')),
  ]
  const busy = named(handMadeIndex({ duration: 300, rows }), 'busy.mp4')
  const found = (given: object) => callOperation('find', { words: 'train late', ...given }, memoryOf(busy))
  expect((await found({ start: 0, end: 30 })).lines).toEqual([expect.stringContaining('a train is there')])
  expect((await found({ until: 30 })).lines).toEqual([expect.stringContaining('a train is there')])
})
