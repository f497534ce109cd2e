import { writeFileSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { h264, type MediaFolder, mediaFolder, picture } from '../../tests/media-fixtures.ts'
import { decodeText } from './parse-subtitles.ts'
import { probe } from './probe.ts'
import { parseSubtitles, readSubtitles } from './subtitles.ts'

const srt =
  '1\n00:00:01,000 --> 00:00:02,500\nFirst <i>line</i>\nand second\n\n2\n00:00:03,000 --> 00:00:04,000\nNext\n'
const both = [
  { span: { start: 1, end: 2.5 }, text: 'First line and second' },
  { span: { start: 3, end: 4 }, text: 'Next' },
]

describe('cues', () => {
  test('of SubRip, with and without mark, with any line ends', () => {
    expect(parseSubtitles(srt)).toEqual(both)
    expect(parseSubtitles(`\uFEFF${srt.replaceAll('\n', '\r\n')}`)).toEqual(both)
    expect(parseSubtitles(srt.replaceAll('\n', '\r'))).toEqual(both)
  })

  test('of WebVTT, with settings, notes, styles, short times and voices', () => {
    const text = [
      'WEBVTT - a title',
      '',
      'STYLE',
      '::cue { color: red }',
      '',
      'NOTE --> is no time',
      '',
      'intro',
      '00:01.000 --> 00:02.500 line:80% align:start',
      '<v.loud Ann Lee>Hello &amp; <c.yellow>welcome</c></v>',
      '',
      '01:00:00.000 --> 01:00:01.000',
      '<v Bob>One<v Cy>Two',
    ].join('\n')
    expect(parseSubtitles(text)).toEqual([
      { span: { start: 1, end: 2.5 }, text: 'Hello & welcome', speaker: 'Ann Lee' },
      { span: { start: 3600, end: 3601 }, text: 'One', speaker: 'Bob' },
      { span: { start: 3600, end: 3601 }, text: 'Two', speaker: 'Cy' },
    ])
  })

  test('that overlap are all kept, in the order of time', () => {
    const text = '00:05.000 --> 00:09.000\nlater\n\n00:01.000 --> 00:06.000\nearlier\n'
    expect(parseSubtitles(text).map(cue => cue.text)).toEqual(['earlier', 'later'])
  })

  test('without a blank line between them are told apart', () => {
    const text = '1\n00:00:01,000 --> 00:00:02,000\none\n2\n00:00:02,000 --> 00:00:03,000\ntwo\n'
    expect(parseSubtitles(text).map(cue => cue.text)).toEqual(['one', 'two'])
  })

  test('that last no time, hold nothing or are broken are left out', () => {
    const text =
      '00:02.000 --> 00:01.000\nbackwards\n\n00:03.000 --> 00:04.000\n<i> </i>\n\n00:aa.000 --> 00:05.000\nbroken\n'
    expect(parseSubtitles(text)).toEqual([])
    expect(parseSubtitles('')).toEqual([])
  })

  test('that try to be clever stay text: hidden marks, entities, tags of their own', () => {
    const text = '00:01.000 --> 00:02.000\n{\\an8}a &#60;b&#62; &#x110000; \u202Eevil <script x>1 < 2\n'
    expect(parseSubtitles(text)[0].text).toBe('a <b> &#x110000; evil 1 < 2')
  })

  test('in UTF-16 or an old Windows code page are read', () => {
    expect(decodeText(Buffer.from('\uFEFFgrün', 'utf16le'))).toBe('grün')
    expect(decodeText(Buffer.from([0x67, 0x72, 0xfc, 0x6e]))).toBe('grün')
    expect(decodeText(Buffer.from('grün'))).toBe('grün')
  })
})

describe('tracks', () => {
  let media: MediaFolder
  beforeAll(() => {
    media = mediaFolder()
    writeFileSync(media.path('words.srt'), srt)
  })
  afterAll(() => media.remove())

  test.each([
    ['mp4', 'mov_text'],
    ['mkv', 'subrip'],
    ['mkv', 'ass'],
    ['webm', 'webvtt'],
  ])('inside %s as %s are read with their language', async (kind, codec) => {
    const inputs = [...picture(5), '-i', media.path('words.srt')]
    const pictures = kind === 'webm' ? '-c:v libvpx -deadline realtime -cpu-used 8' : h264
    const path = media.ffmpeg(`in-${codec}.${kind}`, inputs, `${pictures} -c:s ${codec} -metadata:s:s:0 language=eng`)
    const [track] = await readSubtitles(await probe(path))
    expect(track).toMatchObject({ source: 'stream', language: 'eng', cues: both })
  })

  test('follow the clock of a file that starts elsewhere', async () => {
    const inputs = [...picture(5), '-i', media.path('words.srt')]
    const path = media.ffmpeg('late.mkv', inputs, h264, '-c:s subrip -output_ts_offset 100')
    expect((await readSubtitles(await probe(path)))[0].cues).toEqual(both)
  })

  test('beside the file come first', async () => {
    const path = media.ffmpeg('talk.mp4', [...picture(5), '-i', media.path('words.srt')], `${h264} -c:s mov_text`)
    writeFileSync(media.path('talk.en-GB.vtt'), 'WEBVTT\n\n00:01.000 --> 00:02.000\nBeside\n')
    const tracks = await readSubtitles(await probe(path))
    expect(tracks.map(({ source, name, language }) => [source, name, language])).toEqual([
      ['sidecar', 'talk.en-GB.vtt', 'en-GB'],
      ['stream', 'stream 1', undefined],
    ])
  })

  test('that are not there make an empty list', async () => {
    expect(await readSubtitles(await probe(media.ffmpeg('mute.mp4', picture(1), h264)))).toEqual([])
  })
})
