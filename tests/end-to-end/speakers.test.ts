import { mkdir, writeFile } from 'node:fs/promises'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { speakerFinders } from '../../models/speakers/index.ts'
import { open, searchLibrary } from '../../src/index.ts'
import { speak } from '../../src/media/speak.ts'
import { modelFixture } from '../contracts/model-fixture.ts'
import { hasFlite, join, rate, silence } from '../contracts/sound.ts'
import { h264, type MediaFolder, mediaFolder } from '../media-fixtures.ts'
import { testHost } from '../servers/host.ts'
import { packageFolder } from '../support/counterparts.ts'
import { longtakeHere } from './longtake.ts'

const quiet = { index: { tracks: { text: false, sound: false } } }

let media: MediaFolder
let home: string
const options = (settings: Record<string, unknown> = quiet) => ({
  home,
  settings,
  profile: 'embedded' as const,
  environment: process.env,
})

const subtitles: Record<string, string> = {
  'voices.vtt': `WEBVTT

00:00.000 --> 00:02.000
<v Anna Lee>Welcome to the harbour.

00:02.000 --> 00:03.500
<v Tom>The ticket costs twelve dollars.

00:04.000 --> 00:07.000
<v Anna Lee>How many ships are in the harbour?`,
  'labels.srt': `1
00:00:00,000 --> 00:00:02,000
ANNA: Welcome to the harbour.

2
00:00:02,000 --> 00:00:03,500
- TOM: The ticket costs twelve dollars.

3
00:00:04,000 --> 00:00:06,000
ANNA: How many ships are there?

4
00:00:06,000 --> 00:00:07,000
TOM: Seven.`,
}

beforeAll(async () => {
  media = mediaFolder()
  home = media.path('home')
  for (const [file, text] of Object.entries(subtitles)) {
    const [name] = file.split('.')
    media.ffmpeg(
      `${name}.mp4`,
      ['-f', 'lavfi', '-i', `color=${name === 'voices' ? 'red' : 'blue'}:s=128x72:r=5:d=8`],
      h264,
    )
    await writeFile(media.path(file), text)
  }
})
afterAll(() => media.remove())

describe('subtitles that name who speaks', () => {
  test('are searched by speaker, by name or by number, and answer who says what without any diariser', async () => {
    const video = await open(media.path('voices.mp4'), options())
    try {
      expect(video.overview.speakers).toEqual(['Anna Lee', 'Tom'])
      expect(video.overview.speaking).toEqual([
        { speaker: 'Anna Lee', seconds: 5, lines: 2 },
        { speaker: 'Tom', seconds: 1.5, lines: 1 },
      ])
      for (const speaker of ['2', 'tom', 'Speaker 2'])
        expect((await video.search({ query: 'ticket harbour', speaker })).map(hit => hit.evidence.speaker)).toEqual([
          'Tom',
        ])
      expect(await video.search({ query: 'ticket', speaker: 'anna' })).toEqual([])
      await expect(video.search({ query: 'ticket', speaker: '3' })).rejects.toThrow('the speakers are Anna Lee, Tom')
      const { answer } = await video.ask('What did the second speaker say about the ticket?')
      expect(answer.text).toMatch(/^Tom says.*twelve dollars/)
      expect((await video.ask('Who speaks most?')).answer.text).toMatch(/^Anna Lee speaks most: 2 lines of 5 seconds/)
    } finally {
      await video.close()
    }
    const found = await searchLibrary({ query: 'ticket', speaker: 'tom' }, options())
    expect(found.hits.map(hit => [hit.video.name, hit.evidence.speaker])).toEqual([['voices.mp4', 'Tom']])
  })

  test('names in capitals before a colon are speakers, and the command line searches by them', async () => {
    const set = ['--profile', 'embedded', '--set', 'index.tracks.text=false', '--set', 'index.tracks.sound=false']
    const shown = await longtakeHere(['show', media.path('labels.mp4'), '--json', ...set], { home })
    const { evidence } = JSON.parse(shown.out) as { evidence: { speaker?: string; text: string; track: string }[] }
    expect(evidence.flatMap(row => (row.track === 'speech' ? [`${row.speaker}| ${row.text}`] : []))).toEqual([
      'ANNA| Welcome to the harbour.',
      'TOM| The ticket costs twelve dollars.',
      'ANNA| How many ships are there?',
      'TOM| Seven.',
    ])
    const found = await longtakeHere(['search', media.path('labels.mp4'), 'ticket ships', '--speaker', 'Tom', ...set], {
      home,
    })
    expect(found.out).toContain('speech (TOM): "The ticket costs twelve dollars."')
    expect(found.out).not.toContain('ships')
    const none = await longtakeHere(['search', media.path('labels.mp4'), 'ticket', '--speaker', '9', ...set], { home })
    expect([none.code, none.err]).toEqual([2, expect.stringContaining('the speakers are ANNA, TOM')])
  })
})

const speakers = { backend: 'sherpa', packageFolder, folder: modelFixture('speakers'), count: 2 }
const transcribe = { backend: 'sherpa', packageFolder, folder: modelFixture('sense-voice') }
const { backend: _, ...given } = speakers
const [needed] =
  (await speakerFinders.load('sherpa')).needs?.({ ...given, voiceModel: 'campplus', model: 'pyannote-3' }) ?? []
const lacks = !hasFlite
  ? 'flite is not installed'
  : (await needed?.met(testHost()))
    ? ''
    : 'sherpa-onnx-node is not installed'

// The models are set by hand: the one of speech hears one "la" in what it is given, and again in what is left of the sentence, those of
// speakers tell flite's voices apart.
describe.skipIf(lacks !== '')(`speakers by sherpa-onnx${lacks && ` (skipped: ${lacks})`}`, () => {
  const settings = (models: object) => ({ ...quiet, models: { transcribe, ...models } })

  test('each line has its speaker; without the role the same index is there as before', async () => {
    const said = await Promise.all([
      speak('the children walked slowly across the frozen river', 'slt'),
      speak('turn left at the bridge and then go straight ahead', 'kal16'),
      speak('how much does the ticket to the museum cost', 'slt'),
    ])
    const sound = join(silence(0.5), ...said.flatMap(part => [part, silence(1.2)]))
    await writeFile(media.path('talk.f32'), Buffer.from(sound.buffer))
    const raw = ['-f', 'f32le', '-ar', String(rate), '-ac', '1', '-i', media.path('talk.f32')]
    const grey = ['-f', 'lavfi', '-i', `color=gray:s=128x72:r=5:d=${sound.length / rate}`]
    media.ffmpeg('talk.mp4', [...raw, ...grey], `${h264} -c:a aac`)
    const linesWith = async (models: object) => {
      const video = await open(media.path('talk.mp4'), options(settings(models)))
      try {
        const lines = video.evidence({ tracks: ['speech'] }).map(row => [row.id, row.speaker])
        return { lines, overview: video.overview, most: (await video.ask('How many speakers are there?')).answer.text }
      } finally {
        await video.close()
      }
    }
    const plain = await linesWith({})
    expect(plain.lines.length).toBeGreaterThanOrEqual(said.length)
    expect([...new Set(plain.lines.map(([, speaker]) => speaker))]).toEqual([undefined])
    const told = await linesWith({ speakers })
    const turns = told.lines.map(([, speaker]) => speaker).filter((speaker, at, all) => speaker !== all[at - 1])
    expect(turns).toEqual(['Speaker 1', 'Speaker 2', 'Speaker 1'])
    expect(told.lines.map(([id]) => id)).toEqual(plain.lines.map(([id]) => id))
    const linesOf = (name: string) => told.lines.filter(([, speaker]) => speaker === name).length
    expect(told.overview.speaking?.map(({ speaker, lines }) => [speaker, lines])).toEqual([
      ['Speaker 1', linesOf('Speaker 1')],
      ['Speaker 2', linesOf('Speaker 2')],
    ])
    expect(told.most).toMatch(/^2: Speaker 1, Speaker 2/)
    expect(await linesWith({})).toEqual(plain)
  })

  test('models that break leave the lines without speakers, and nothing else is lost', async () => {
    const broken = { ...speakers, folder: media.path('broken') }
    await mkdir(broken.folder)
    for (const file of ['segmentation.onnx', 'embedding.onnx']) await writeFile(`${broken.folder}/${file}`, 'no model')
    const video = await open(media.path('talk.mp4'), options(settings({ speakers: broken })))
    try {
      const lines = video.evidence({ tracks: ['speech'] })
      expect(lines.length).toBeGreaterThanOrEqual(3)
      expect(lines.filter(row => row.speaker !== undefined)).toEqual([])
      expect(video.coverage.notes.join()).toContain('who speaks when could not be found out: speakers/sherpa')
    } finally {
      await video.close()
    }
  })
})
