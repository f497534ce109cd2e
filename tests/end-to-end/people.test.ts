import { writeFile } from 'node:fs/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { VideoList } from '../../src/core/api/video.ts'
import { open, searchLibrary } from '../../src/index.ts'
import { h264, type MediaFolder, mediaFolder } from '../media-fixtures.ts'
import { httpHost } from '../server/mcp-hosts.ts'
import { startServer } from '../server/serving.ts'
import { longtakeHere } from './longtake.ts'

let media: MediaFolder
let home: string
let video: string

const tracks = { text: false, sound: false }
// Voices that subtitles tell apart by numbers, as a diariser would; it is never opened, since they do.
const voices = { models: { speakers: { backend: 'sherpa' } }, index: { tracks } }
const options = (settings: Record<string, unknown> = voices) => ({
  ...{ home, settings, profile: 'embedded' as const, environment: process.env },
})

beforeAll(async () => {
  media = mediaFolder()
  home = media.path('home')
  video = media.path('call.mp4')
  media.ffmpeg(
    'call.mp4',
    ['-f', 'lavfi', '-i', 'color=red:s=128x72:r=5:d=20', '-f', 'lavfi', '-i', 'anullsrc=d=20'],
    h264,
  )
  const lines = [
    [1, 'Hello, this is Diane in New Jersey.'],
    [2, "And I'm Sheila in Texas."],
    [1, 'The ticket costs twelve dollars.'],
    [2, 'The ticket cost ten when I met Carl.'],
  ]
  const cues = lines.map(
    ([who, text], at) => `00:${10 + at * 2}.000 --> 00:${11 + at * 2}.500\n<v Speaker ${who}>${text}`,
  )
  await writeFile(media.path('call.vtt'), `WEBVTT\n\n${cues.join('\n\n')}\n`)
})
afterAll(() => media.remove())

test('voices get the names that they say are theirs: in rows, searches, answers and lists of speakers', async () => {
  const opened = await open(video, options())
  try {
    expect(opened.overview.speakers).toEqual(['Diane (speaker 1)', 'Sheila (speaker 2)'])
    expect(opened.people?.people.map(({ label }) => label)).toEqual(opened.overview.speakers)
    for (const speaker of ['Diane', 'speaker 1', '1', 'diane (speaker 1)'])
      expect((await opened.search({ query: 'ticket', speaker })).map(hit => hit.evidence.speaker)).toEqual([
        'Diane (speaker 1)',
      ])
    await expect(opened.search({ query: 'ticket', speaker: 'Carl' })).rejects.toThrow(
      'No speaker "Carl" is known; the speakers are Diane (speaker 1), Sheila (speaker 2).',
    )
    expect((await opened.ask('What did Sheila say about the ticket?')).answer.text).toMatch(
      /^Sheila \(speaker 2\) says.*cost ten/,
    )
    expect((await opened.ask('Who says that the ticket costs twelve dollars?')).answer.text).toContain(
      'Diane (speaker 1)',
    )
  } finally {
    await opened.close()
  }
  const found = await searchLibrary({ query: 'ticket', speaker: 'sheila' }, options())
  expect(found.hits.map(({ evidence }) => evidence.speaker)).toEqual(['Sheila (speaker 2)'])
})

test('the command line shows who is there with what says so, and searches by a name', async () => {
  const set = ['--profile', 'embedded', '--set', 'models.speakers.backend=sherpa']
  const off = ['--set', 'index.tracks.text=false', '--set', 'index.tracks.sound=false']
  const shown = await longtakeHere(['show', video, ...set, ...off], { home })
  expect(shown.out).toMatch(/People\n.*Diane \(speaker 1\): speaks .*says so: "Hello, this is Diane in New Jersey\."/)
  const found = await longtakeHere(['search', video, 'ticket', '--speaker', 'Diane', ...set, ...off], { home })
  expect(found.out).toContain('speech (Diane (speaker 1)): "The ticket costs twelve dollars."')
  const none = await longtakeHere(['search', video, 'ticket', '--speaker', 'Carl', ...set, ...off], { home })
  expect([none.code, none.err]).toEqual([2, expect.stringContaining('Diane (speaker 1), Sheila (speaker 2)')])
})

test('the server tells who is there, over HTTP and MCP', async () => {
  const set = ['--profile', 'embedded', '--set', 'models.speakers.backend=sherpa']
  const off = ['--set', 'index.tracks.text=false', '--set', 'index.tracks.sound=false']
  const server = await startServer([media.path(''), ...set, ...off], home)
  const host = await httpHost(server.mcp, server.token, 'modern')
  try {
    const { videos } = VideoList.parse((await server.call('GET', '/videos')).json)
    const { json } = await server.call('GET', `/videos/${videos[0]?.id}`)
    expect(json).toMatchObject({
      people: { people: [{ label: 'Diane (speaker 1)' }, { label: 'Sheila (speaker 2)' }], things: [] },
    })
    const about = await host.client.readResource({ uri: `longtake://video/${videos[0]?.id}` })
    expect(JSON.stringify(about)).toMatch(/Diane \(speaker 1\): speaks .*says so: /)
  } finally {
    await host.close()
    await server.stop()
  }
})

test('index.people=false, and a profile without voices, faces and captions, leave everything as it was', async () => {
  for (const settings of [{ ...voices, index: { tracks, people: false } }, { index: { tracks } }]) {
    const opened = await open(video, options(settings))
    try {
      expect(opened.overview.speakers).toEqual(['Speaker 1', 'Speaker 2'])
      expect(opened.evidence({ tracks: ['person'] })).toEqual([])
      expect(opened.people).toBeUndefined()
    } finally {
      await opened.close()
    }
  }
})
