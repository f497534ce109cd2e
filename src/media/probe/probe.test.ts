import { execFileSync } from 'node:child_process'
import {
  chmodSync,
  copyFileSync,
  linkSync,
  mkdirSync,
  readFileSync,
  renameSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { h264, type MediaFolder, mediaFolder, picture, tone } from '../../../tests/media-fixtures.ts'
import { InputError } from '../../core/errors.ts'
import { probe } from './probe.ts'

let media: MediaFolder
let whole: string

beforeAll(() => {
  media = mediaFolder()
  whole = media.ffmpeg('whole.mp4', picture(4), tone(4), h264, '-c:a aac')
})
afterAll(() => media.remove())

async function refusal(path: string): Promise<InputError> {
  const error = await probe(path).then(
    () => undefined,
    error => error,
  )
  expect(error).toBeInstanceOf(InputError)
  return error
}

const write = (name: string, content: string | Buffer) => {
  writeFileSync(media.path(name), content)
  return media.path(name)
}

describe('what a file holds', () => {
  test('picture, sound, length and clock', async () => {
    const video = await probe(whole)
    expect(video).toMatchObject({ name: 'whole.mp4', path: whole, start: 0, duration: 4, notes: [], sidecars: [] })
    expect(video.picture).toMatchObject({
      codec: 'h264',
      width: 320,
      height: 180,
      frameRate: 25,
      rotation: 0,
      hdr: false,
    })
    expect(video.sound).toMatchObject({ codec: 'aac', channels: 1, start: 0 })
  })

  test('fault 05: no sound, or no picture, is simply not there', async () => {
    const silent = await probe(media.ffmpeg('silent.mp4', picture(1), h264))
    expect([silent.picture?.codec, silent.sound]).toEqual(['h264', undefined])
    const heard = await probe(media.ffmpeg('heard.mp3', tone(2)))
    expect([heard.picture, heard.sound?.codec]).toEqual([undefined, 'mp3'])
    expect(heard.duration).toBeCloseTo(2, 0)
  })

  test('fault 06: cover art is never the picture', async () => {
    const art = media.ffmpeg(
      'cover.m4a',
      tone(2),
      picture(1, '300x300'),
      '-map 0 -map 1 -frames:v 1 -c:v mjpeg -disposition:v attached_pic',
    )
    const song = await probe(art)
    expect(song.picture).toBeUndefined()
    expect(song.notes).toEqual(['The cover picture is left out.'])
    media.ffmpeg('cover.png', picture(1, '640x640'), '-frames:v 1')
    const both = ['-i', media.path('cover.png'), '-i', whole]
    const film = media.ffmpeg('cover.mp4', both, '-map 0 -map 1 -c copy -disposition:v:0 attached_pic')
    expect((await probe(film)).picture).toMatchObject({ codec: 'h264', width: 320 })
  })

  test('of several audio tracks the one marked as default is used, and it is said', async () => {
    const path = media.ffmpeg(
      'tracks.mkv',
      ['-i', whole],
      tone(4),
      '-map 0:v -map 0:a -map 1:a -c:v copy -c:a aac -metadata:s:a:0 language=fre -metadata:s:a:1 language=eng -disposition:a:0 0 -disposition:a:1 default',
    )
    const video = await probe(path)
    expect(video.sound).toMatchObject({ index: 2, language: 'eng' })
    expect(video.otherSounds).toMatchObject([{ index: 1, language: 'fre' }])
    expect(video.notes).toEqual(['The file holds 2 audio tracks; stream 2 (eng) is used.'])
  })

  test.each([
    [90, 180, 320],
    [180, 320, 180],
    [270, 180, 320],
  ])('fault 09: turned by %d degrees, it is given as it is shown', async (degrees, width, height) => {
    const path = media.ffmpeg(`turned-${degrees}.mp4`, ['-i', whole], `-c copy -metadata:s:v rotate=${degrees}`)
    expect((await probe(path)).picture).toMatchObject({ width, height, rotation: 360 - degrees })
  })

  test('fault 09: pixels that are not square widen the picture', async () => {
    const path = media.ffmpeg('wide.mp4', picture(1, '240x180'), '-vf setsar=4/3', h264)
    expect((await probe(path)).picture).toMatchObject({ width: 320, height: 180 })
  })

  test.each(['smpte2084', 'arib-std-b67'])('fault 10: HDR (%s) is noticed', async transfer => {
    const hdr = `-c:v libx265 -pix_fmt yuv420p10le -color_trc ${transfer} -color_primaries bt2020 -colorspace bt2020nc -x265-params log-level=error`
    const video = await probe(media.ffmpeg(`${transfer}.mp4`, picture(1), hdr))
    expect(video.picture?.hdr).toBe(true)
    expect(video.notes[0]).toContain('HDR')
  })

  test('a file whose clock starts at 100 s is as long as what is in it', async () => {
    for (const name of ['late.mkv', 'late.ts']) {
      const video = await probe(media.ffmpeg(name, ['-i', whole], '-c copy -output_ts_offset 100'))
      expect(video.start).toBeGreaterThan(99)
      expect(Math.abs(video.duration - 4)).toBeLessThan(0.1)
      expect(video.notes[0]).toContain('second 0')
    }
  })

  test('a length that the file does not say is found in its packets', async () => {
    const streamed = execFileSync('ffmpeg', [
      '-v',
      'error',
      ...picture(3),
      ...h264.split(' '),
      '-f',
      'matroska',
      'pipe:1',
    ])
    expect((await probe(write('streamed.mkv', streamed))).duration).toBeCloseTo(3, 1)
  })

  test('a picture that ends before the sound gives the length, and it is said', async () => {
    const video = await probe(media.ffmpeg('short.mp4', picture(2), tone(5), h264))
    expect(video.duration).toBe(2)
    expect(video.notes).toEqual(['The picture ends at 0:02; the sound goes on until 0:05.'])
  })

  test('fault 08: one frame is a video', async () => {
    const video = await probe(media.ffmpeg('one.mp4', picture(1), '-frames:v 1', h264))
    expect(video.picture?.width).toBe(320)
    expect(video.duration).toBeGreaterThan(0)
  })

  test('a torn file is still opened, at its declared length', async () => {
    const fast = media.ffmpeg('fast.mp4', ['-i', whole], '-c copy -movflags +faststart')
    const bytes = readFileSync(fast)
    expect((await probe(write('torn.mp4', bytes.subarray(0, bytes.length / 2)))).duration).toBe(4)
  })

  test('subtitle files of the same name belong to it', async () => {
    for (const name of ['whole.srt', 'whole.en.vtt', 'whole.mp4.txt', 'wholesale.srt']) write(name, 'x')
    mkdirSync(media.path('whole.de.srt'))
    expect((await probe(whole)).sidecars).toEqual([media.path('whole.en.vtt'), media.path('whole.srt')])
  })
})

describe('the id', () => {
  test('stays when the file is moved, renamed or copied, and changes with its content', async () => {
    const { id } = await probe(whole)
    copyFileSync(whole, media.path('copy.bin'))
    renameSync(media.path('copy.bin'), media.path('renamed.mov'))
    expect((await probe(media.path('renamed.mov'))).id).toBe(id)
    const other = readFileSync(whole)
    other[other.length >> 1]! ^= 1
    expect((await probe(write('other.mp4', other))).id).not.toBe(id)
    expect(id).toMatch(/^v[0-9a-f]{20}$/)
  })
})

describe('names', () => {
  const names = [
    'a b.mp4',
    '-weird.mp4',
    'it\'s "quoted".mp4',
    'new\nline.mp4',
    '100%03d.mp4',
    'concat:a|b.mp4',
    'http:x.mp4',
    '\u00e9.mp4', // composed
    '\u0065\u0301.mp4', // decomposed: another name
    '--config=c.mp4',
    '--',
    'tab\there.mp4',
    'file:x.mp4',
    'pipe:0',
    'back\\slash.mp4',
    '\u202egpj.mp4',
    ' .mp4',
    '$(id);`x`.mp4',
    `${'n'.repeat(251)}.mp4`,
    `${'\u00e9'.repeat(125)}.mp4`, // 254 bytes
  ]
  test.each(names)('fault 12: %j is opened as it is', async name => {
    linkSync(whole, media.path(name))
    const video = await probe(media.path(name))
    expect([video.name, video.duration]).toEqual([name, 4])
  })

  test('fault 12: the name of an unreadable file is shown escaped', async () => {
    expect((await refusal(write('bad\n\u001b[31m.mp4', 'x'.repeat(100)))).message).toContain('"bad\\n\\u001b[31m.mp4"')
  })
})

describe('what is refused, each with its reason', () => {
  test('a file that is not there, with the name that was probably meant', async () => {
    const error = await refusal(media.path('whoel.mp4'))
    expect(error.message).toContain('There is no file')
    expect(error.hint).toBe('Did you mean "whole.mp4"?')
  })

  test('fault 13: folders, pipes and devices', async () => {
    expect((await refusal(media.path('.'))).message).toContain('is a folder')
    execFileSync('mkfifo', [media.path('pipe.mp4')])
    expect((await refusal(media.path('pipe.mp4'))).message).toContain('is not a regular file')
    for (const device of ['/dev/zero', '/dev/null', '/dev/tty'])
      expect((await refusal(device)).message).toContain('is not a regular file')
    const socket = createServer()
    await new Promise<void>(resolve => socket.listen(media.path('socket.mp4'), resolve))
    expect((await refusal(media.path('socket.mp4'))).message).toContain('is not a regular file')
    socket.close()
  })

  test('fault 13: a link to a pipe is refused as the pipe is, and nobody waits for a writer', async () => {
    execFileSync('mkfifo', [media.path('fifo')])
    symlinkSync(media.path('fifo'), media.path('to-fifo.mp4'))
    const began = performance.now()
    expect((await refusal(media.path('to-fifo.mp4'))).message).toContain('is not a regular file')
    expect(performance.now() - began).toBeLessThan(5000)
  })

  test('fault 13: a hard link is the file itself', async () => {
    linkSync(whole, media.path('hard.mp4'))
    expect((await probe(media.path('hard.mp4'))).id).toBe((await probe(whole)).id)
  })

  test('fault 13: links in a ring of three lead back to themselves', async () => {
    for (const [from, to] of [
      ['a.mp4', 'b.mp4'],
      ['b.mp4', 'c.mp4'],
      ['c.mp4', 'a.mp4'],
    ])
      symlinkSync(media.path(to!), media.path(from!))
    expect((await refusal(media.path('b.mp4'))).message).toContain('leads back to itself')
  })

  test('fault 13: links that lead nowhere or round; others are followed', async () => {
    symlinkSync(media.path('gone.mp4'), media.path('dangling.mp4'))
    symlinkSync(media.path('loop.mp4'), media.path('loop.mp4'))
    symlinkSync(whole, media.path('link.mp4'))
    expect((await refusal(media.path('dangling.mp4'))).message).toContain('link to a file that is not there')
    expect((await refusal(media.path('loop.mp4'))).message).toContain('leads back to itself')
    expect(await probe(media.path('link.mp4'))).toMatchObject({ name: 'link.mp4', path: whole })
  })

  const isRoot = process.getuid?.() === 0
  test.skipIf(isRoot)(
    `a file that may not be read${isRoot ? ' (skipped: root may read everything)' : ''}`,
    async () => {
      const locked = write('locked.mp4', readFileSync(whole))
      chmodSync(locked, 0)
      expect((await refusal(locked)).message).toContain('may not be read')
    },
  )

  test('fault 01: an empty file', async () => {
    expect((await refusal(write('empty.mp4', ''))).message).toContain('is empty')
  })

  test('fault 01: a file without its index', async () => {
    const bytes = readFileSync(whole)
    const error = await refusal(write('no-index.mp4', bytes.subarray(0, bytes.length / 2)))
    expect(error.message).toContain('cut short or never finished')
    expect(error.hint).toContain('again')
  })

  test('fault 01: text, random bytes and subtitles, whatever they are called', async () => {
    expect((await refusal(write('text.mp4', 'Just some words.\n'))).message).toContain('holds text')
    expect(
      (
        await refusal(
          write(
            'random.mp4',
            Buffer.from(Array.from({ length: 50_000 }, (_, i) => (i * 7919 + (i >> 3) * 104_729) & 255)),
          ),
        )
      ).message,
    ).toContain('as video or audio')
    expect((await refusal(write('cues.mp4', '1\n00:00:00,000 --> 00:00:02,000\nhi\n\n'))).message).toContain(
      'holds subtitles',
    )
  })

  test('fault 08: a still picture, under its own name and under that of a video', async () => {
    expect((await refusal(media.ffmpeg('still.png', picture(1), '-frames:v 1'))).message).toContain('still picture')
    copyFileSync(media.path('still.png'), media.path('still.mp4'))
    expect((await refusal(media.path('still.mp4'))).message).toContain('still picture')
    expect((await refusal(media.ffmpeg('still.gif', picture(1), '-frames:v 1'))).message).toContain('still picture')
  })

  test('fault 05: a file that holds nothing but subtitles', async () => {
    write('one.srt', '1\n00:00:00,000 --> 00:00:02,000\nhi\n\n')
    const path = media.ffmpeg('only-words.mkv', ['-i', media.path('one.srt')])
    expect((await refusal(path)).message).toContain('neither picture nor sound (only: subtitle)')
  })

  test('playlists that name other files or addresses, and nothing they name is touched', async () => {
    let asked = 0
    const server = createServer((_, reply) => {
      asked++
      reply.end()
    })
    await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
    const address = `http://127.0.0.1:${(server.address() as AddressInfo).port}/x.ts`
    for (const [name, content] of [
      ['hls-file.mp4', `#EXTM3U\n#EXT-X-TARGETDURATION:10\n#EXTINF:10,\nfile://${whole}\n#EXT-X-ENDLIST\n`],
      ['hls-net.mp4', `#EXTM3U\n#EXT-X-TARGETDURATION:10\n#EXTINF:10,\n${address}\n#EXT-X-ENDLIST\n`],
      ['concat.mp4', `ffconcat version 1.0\nfile '${whole}'\n`],
      [
        'sdp.mp4',
        'v=0\no=- 0 0 IN IP4 127.0.0.1\ns=x\nc=IN IP4 127.0.0.1\nt=0 0\nm=video 5004 RTP/AVP 96\na=rtpmap:96 H264/90000\n',
      ],
    ])
      expect((await refusal(write(name!, content!))).message).toMatch(/playlist|text/)
    server.close()
    expect(asked).toBe(0)
  })

  test('more streams or pixels than a video has', async () => {
    const many = Array.from({ length: 33 }, () => ['-map', '0:a']).flat()
    expect((await refusal(media.ffmpeg('many.mkv', tone(0.1), many, '-c:a pcm_s16le'))).message).toContain('33 streams')
    const huge = media.ffmpeg(
      'huge.mkv',
      ['-f', 'lavfi', '-i', 'color=s=8200x8200:r=1:d=1'],
      '-frames:v 1 -c:v mjpeg -q:v 31',
    )
    expect((await refusal(huge)).message).toContain('8200x8200')
  })
})
