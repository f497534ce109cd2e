import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { h264, type MediaFolder, mediaFolder, picture } from '../../../tests/media-fixtures.ts'
import { decodeText } from '../encodings/decode-text.ts'
import { probe } from '../probe/probe.ts'
import { parseSubtitles } from './parse-subtitles.ts'
import { readSubtitles } from './read-subtitles.ts'

const srt =
  '1\n00:00:01,000 --> 00:00:02,500\nFirst <i>line</i>\nand second\n\n2\n00:00:03,000 --> 00:00:04,000\nNext\n'
const both = [
  { span: { start: 1, end: 2.5 }, text: 'First line and second' },
  { span: { start: 3, end: 4 }, text: 'Next' },
]

describe('cues', () => {
  test('of SubRip, with and without mark, with any line ends', async () => {
    expect(await parseSubtitles(srt)).toEqual(both)
    expect(await parseSubtitles(`\uFEFF${srt.replaceAll('\n', '\r\n')}`)).toEqual(both)
    expect(await parseSubtitles(srt.replaceAll('\n', '\r'))).toEqual(both)
  })

  test('of WebVTT, with settings, notes, styles, short times and voices', async () => {
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
    expect(await parseSubtitles(text)).toEqual([
      { span: { start: 1, end: 2.5 }, text: 'Hello & welcome', speaker: 'Ann Lee' },
      { span: { start: 3600, end: 3601 }, text: 'One', speaker: 'Bob' },
      { span: { start: 3600, end: 3601 }, text: 'Two', speaker: 'Cy' },
    ])
  })

  test('that overlap are all kept, in the order of time', async () => {
    const text = '00:05.000 --> 00:09.000\nlater\n\n00:01.000 --> 00:06.000\nearlier\n'
    expect((await parseSubtitles(text)).map(cue => cue.text)).toEqual(['earlier', 'later'])
  })

  test('without a blank line between them are told apart', async () => {
    const text = '1\n00:00:01,000 --> 00:00:02,000\none\n2\n00:00:02,000 --> 00:00:03,000\ntwo\n'
    expect((await parseSubtitles(text)).map(cue => cue.text)).toEqual(['one', 'two'])
  })

  test('that last no time, hold nothing or are broken are left out', async () => {
    const text =
      '00:02.000 --> 00:01.000\nbackwards\n\n00:03.000 --> 00:04.000\n<i> </i>\n\n00:aa.000 --> 00:05.000\nbroken\n'
    expect(await parseSubtitles(text)).toEqual([])
    expect(await parseSubtitles('')).toEqual([])
  })

  test('that try to be clever stay text: hidden marks, entities, tags of their own', async () => {
    const text = '00:01.000 --> 00:02.000\n{\\an8}a &#60;b&#62; &#x110000; \u202Eevil <script x>1 < 2\n'
    expect((await parseSubtitles(text))[0]!.text).toBe('a <b> &#x110000; evil 1 < 2')
  })

  test('of more text than any line of speech are several of the same time', async () => {
    const [first, ...more] = await parseSubtitles(
      `00:01.000 --> 00:02.000\n${'word '.repeat(2000)}${'😀'.repeat(3000)}\n`,
    )
    expect(first!.text).toMatch(/^word( word)*$/)
    expect(
      [first, ...more].every(cue => cue!.text.length <= 2000 && cue!.span.start === 1 && cue!.text.isWellFormed()),
    ).toBe(true)
    expect(
      [first, ...more]
        .map(cue => cue!.text)
        .join(' ')
        .replaceAll(' ', ''),
    ).toBe('word'.repeat(2000) + '😀'.repeat(3000))
  })

  test('in UTF-16 or an old Windows code page are read', () => {
    expect(decodeText(Buffer.from('\uFEFFgrün', 'utf16le')).text).toBe('grün')
    expect(decodeText(Buffer.from([0x67, 0x72, 0xfc, 0x6e])).text).toBe('grün')
    expect(decodeText(Buffer.from('grün')).text).toBe('grün')
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
    expect((await readSubtitles(await probe(path)))[0]!.cues).toEqual(both)
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

  test.each([
    [
      'ass',
      '[Script Info]\nScriptType: v4.00+\n\n[V4+ Styles]\nFormat: Name, Fontname, Fontsize\nStyle: Default,Arial,20\n\n[Events]\nFormat: Layer, Start, End, Style, Name, MarginL, MarginR, MarginV, Effect, Text\nDialogue: 0,0:00:01.00,0:00:02.50,Default,,0,0,0,,{\\i1}First{\\i0} line\\Nand second\nDialogue: 0,0:00:03.00,0:00:04.00,Default,,0,0,0,,Next\n',
    ],
    ['sub', '{25}{62}First line|and second\n{75}{100}Next\n'],
    ['sub', '[10][25]First line|and second\n[30][40]Next\n'],
    [
      'sub',
      '[INFORMATION]\n[TITLE]x\n[END INFORMATION]\n[SUBTITLE]\n00:00:01.00,00:00:02.50\nFirst line[br]and second\n\n00:00:03.00,00:00:04.00\nNext\n\n',
    ],
    [
      'ttml',
      '<?xml version="1.0"?><tt xmlns="http://www.w3.org/ns/ttml" xmlns:ttp="http://www.w3.org/ns/ttml#parameter" ttp:frameRate="25"><body><div><p begin="00:00:01:00" end="00:00:02.5"><span>First</span> line<br/>and second</p><p begin="3s" dur="1000ms">Next</p></div></body></tt>',
    ],
    [
      'dfxp',
      '<tt:tt><tt:body><tt:p xml:id="a" begin="1s" end="2.5s">First line<tt:br/>and second</tt:p>\n<tt:p begin="3s" end="4s">Next</tt:p></tt:body></tt:tt>',
    ],
    [
      'smi',
      '<SAMI><BODY><SYNC Start=1000><P>First line<br>and second\n<SYNC Start=2500><P>&nbsp;\n<SYNC Start=3000><P>Next\n<SYNC Start=4000><P>&nbsp;\n</BODY></SAMI>',
    ],
  ])('in a file of kind .%s are read: %s', async (kind, text) => {
    const path = media.ffmpeg(`kind-${kind}.mp4`, picture(5), h264)
    writeFileSync(media.path(`kind-${kind}.de.${kind}`), text)
    const [track] = await readSubtitles(await probe(path))
    const cues = track!.cues.map(({ span, text }) => ({
      span: { start: Math.round(span.start * 10) / 10, end: Math.round(span.end * 10) / 10 },
      text,
    }))
    expect({ ...track, cues }).toEqual({
      source: 'sidecar',
      name: `kind-${kind}.de.${kind}`,
      language: 'de',
      cues: both,
    })
  })

  const russian = Buffer.from('0fLu6PIg4u7x5ezt4OT24PL8IOzo6+vo7u3u4iDw8+Hr5ek=', 'base64') // Windows-1251
  const inRussian = Buffer.concat([Buffer.from('1\n00:00:01,000 --> 00:00:02,500\n'), russian, Buffer.from('\n\n')])

  test('in an old encoding beside the file say what they were taken for', async () => {
    const path = media.ffmpeg('old.mp4', picture(5), h264)
    writeFileSync(media.path('old.srt'), inRussian)
    const [track] = await readSubtitles(await probe(path))
    expect(track).toMatchObject({ guessed: 'windows-1251', cues: [{ text: 'Стоит восемнадцать миллионов рублей' }] })
  })

  test('in an old encoding inside an MKV are read', async () => {
    const plain = media.ffmpeg('old-in.mp4', picture(5), h264)
    writeFileSync(media.path('old-in.txt'), inRussian)
    const path = media.path('old-in.mkv')
    spawnSync('ffmpeg', [
      '-y',
      '-i',
      plain,
      '-f',
      'srt',
      '-i',
      media.path('old-in.txt'),
      '-map',
      '0',
      '-map',
      '1',
      '-c',
      'copy',
      path,
    ])
    const [track] = await readSubtitles(await probe(path))
    expect(track).toMatchObject({
      guessed: 'windows-1251',
      cues: [{ span: { start: 1, end: 2.5 }, text: 'Стоит восемнадцать миллионов рублей' }],
    })
  })

  test('in an old encoding inside an MP4 are read', async () => {
    const stand = 'x'.repeat(russian.length)
    writeFileSync(media.path('stand.srt'), `1\n00:00:01,000 --> 00:00:02,500\n${stand}\n`)
    const path = media.ffmpeg('old-in-mp4.mp4', [...picture(5), '-i', media.path('stand.srt')], `${h264} -c:s mov_text`)
    const bytes = readFileSync(path)
    russian.copy(bytes, bytes.indexOf(stand))
    writeFileSync(path, bytes)
    const [track] = await readSubtitles(await probe(path))
    expect(track).toMatchObject({
      guessed: 'windows-1251',
      cues: [{ span: { start: 1, end: 2.5 }, text: 'Стоит восемнадцать миллионов рублей' }],
    })
  })

  test('beside a file whose name is spelled in other code points belong to it', async () => {
    const path = media.ffmpeg(`${'Café'.normalize('NFC')}.mp4`, picture(1), h264)
    writeFileSync(media.path(`${'Café'.normalize('NFD')}.中文.srt`), srt)
    expect((await probe(path)).sidecars).toHaveLength(1)
  })

  test('of more than 32 MB are a track with a problem beside the others', async () => {
    const path = media.ffmpeg('large.mp4', picture(1), h264)
    writeFileSync(media.path('large.de.srt'), '')
    truncateSync(media.path('large.de.srt'), 33 * 1024 * 1024)
    writeFileSync(media.path('large.en.srt'), srt)
    const [large, small] = await readSubtitles(await probe(path))
    expect(large).toMatchObject({ cues: [], problem: 'it has 33 MB, more than 32 MB' })
    expect(small).toMatchObject({ cues: both })
  })

  test.each(['srt', 'en.srt', 'pt-BR.forced.ass', 'vtt', 'ssa', 'ttml', 'dfxp', 'smi', 'sami', 'sub'])(
    'beside the file that are a link out of its folder are not read, as .%s',
    async ending => {
      const path = media.ffmpeg(`lk-${ending}.mp4`, picture(1), h264)
      const outside = mkdtempSync(join(tmpdir(), 'longtake-outside-'))
      writeFileSync(join(outside, 'private.srt'), srt)
      symlinkSync(outside, media.path(`folder-${ending}`)) // a folder that leads out
      symlinkSync(join(media.path(`folder-${ending}`), 'private.srt'), media.path(`lk-${ending}.${ending}`))
      const [track] = await readSubtitles(await probe(path))
      expect(track).toMatchObject({ cues: [], problem: expect.stringContaining('leads out of the folder') })
      rmSync(outside, { recursive: true })
    },
  )

  test('are not read where their folder has become a link, and a link within it is followed', async () => {
    const path = media.ffmpeg('in.mp4', picture(1), h264)
    writeFileSync(media.path('words.txt'), srt)
    symlinkSync(media.path('words.txt'), media.path('in.srt'))
    const video = await probe(path)
    expect((await readSubtitles(video))[0]).toMatchObject({ cues: both })
    const moved = mkdtempSync(join(tmpdir(), 'longtake-moved-'))
    symlinkSync(dirname(path), join(moved, 'link'))
    const there = { ...video, path: join(moved, 'link', 'in.mp4'), sidecars: [join(moved, 'link', 'in.srt')] }
    expect((await readSubtitles(there))[0]?.problem).toContain('leads out')
    rmSync(moved, { recursive: true })
  })

  test('that are pictures of words hold none', async () => {
    const path = media.ffmpeg('vob.mp4', picture(1), h264)
    writeFileSync(media.path('vob.sub'), Buffer.from([0, 0, 1, 0xba, 0x44]))
    expect((await readSubtitles(await probe(path)))[0]).toEqual({
      source: 'sidecar',
      name: 'vob.sub',
      language: undefined,
      cues: [],
    })
  })

  test('that are not there make an empty list', async () => {
    expect(await readSubtitles(await probe(media.ffmpeg('mute.mp4', picture(1), h264)))).toEqual([])
  })
})
