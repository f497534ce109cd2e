import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { oraclePath, withOracle } from '../../../tests/support/oracle.ts'
import { sourceAddress } from '../../benchmarks/source-address.ts'
import { findVideoRoot } from '../../data/find-videos.ts'
import { leavesRoot, listWantedVideos, type WantedVideo } from './list-videos.ts'
import { lockVideos, readLock, verifyVideos } from './video-lock.ts'
import { type ListForm, writtenList } from './written-list.ts'

const folder = mkdtempSync(join(tmpdir(), 'longtake-videos-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))
const work = { onVideo: () => {}, signal: new AbortController().signal }
const written = (form: ListForm, videos: readonly WantedVideo[]) =>
  writtenList(form, videos, { benchmark: 'cg-bench', root: "/data/it's 100%", file: 'wanted.txt', height: 720 })

test('a name in the data never leads out of the folder, and data that are not there are named', async () => {
  const out = ['../a.mp4', 'x/../../a.mp4', '..', 'a.mp4', 'x/../a.mp4', '..a.mp4'].map(name =>
    leavesRoot('/data', name),
  )
  expect(out).toEqual([true, true, true, false, false, false])
  const nowhere = join(tmpdir(), 'longtake-nowhere')
  await expect(findVideoRoot(nowhere)).rejects.toThrow(`There is nothing at ${nowhere}.`)
})

test('the site of a video is told by the form of its id', () => {
  expect(sourceAddress('3ZpmN3-2-Zo')).toBe('https://www.youtube.com/watch?v=3ZpmN3-2-Zo')
  expect(sourceAddress('BV1Rm41117YT')).toBe('https://www.bilibili.com/video/BV1Rm41117YT')
  expect(['film-1', 'BV1Rm41117Y!', 'BV1Rm41117YT2', ''].map(sourceAddress)).toEqual(Array(4).fill(undefined))
})

const mini = '../data/cg-bench/cgbench_mini.json'
withOracle(mini)('the list of CG-Bench mini', () => {
  test('has a line for each of its 1,118 videos, 527 of YouTube and 591 of Bilibili', async () => {
    const videos = await listWantedVideos({ benchmark: 'cg-bench', data: oraclePath(mini) })
    const lines = written('txt', videos).trimEnd().split('\n')
    expect(lines).toHaveLength(1118)
    expect(lines[0]).toBe('3ZpmN3-2-Zo\thttps://www.youtube.com/watch?v=3ZpmN3-2-Zo\t3\t2741\tmissing\t')
    expect(lines.filter(line => line.includes('www.youtube.com'))).toHaveLength(527)
    expect(lines.filter(line => line.includes('www.bilibili.com'))).toHaveLength(591)
    expect(videos.reduce((sum, one) => sum + one.questions, 0)).toBe(3000)
    expect(written('csv', videos).trimEnd().split('\n')).toHaveLength(1119)
    expect(JSON.parse(written('json', videos)).videos).toHaveLength(1118)
  })
})

describe('a list for other programs', () => {
  const video = (id: string, more: Partial<WantedVideo> = {}): WantedVideo => ({
    ...{ id, video: `videos/${id}.mp4`, questions: 2, address: `https://www.youtube.com/watch?v=${id}`, ...more },
  })
  const videos = [
    video('gone'),
    video('there', { path: '/v/there.mp4' }),
    video('odd', { address: 'file:///etc/passwd' }),
    video('two\nlines', { address: 'https://a.example/x\n--exec rm' }),
  ]

  test('of yt-dlp holds only addresses of what is missing; the command and the note are comments', () => {
    const lines = written('yt-dlp', videos).trimEnd().split('\n')
    expect(lines.filter(line => !line.startsWith('# '))).toEqual(['https://www.youtube.com/watch?v=gone'])
    const comments = lines.join('\n')
    expect(comments).toContain("--batch-file 'wanted.txt'")
    expect(comments).toContain('height<=720')
    expect(comments).toContain('--download-archive')
    expect(comments).toContain("--output '/data/it'\\''s 100%%/videos/%(id)s.%(ext)s'")
    expect(comments).toMatch(/terms of the sites and your own right/)
  })

  test('of text keeps a video on one line, whatever its name holds', () => {
    expect(written('txt', videos).trimEnd().split('\n')).toHaveLength(4)
    expect(written('csv', videos)).toContain('there,https://www.youtube.com/watch?v=there,2,,here,/v/there.mp4')
  })
})

describe('copies of videos', () => {
  const copies = ['same', 'recoded', 'longer', 'faster'].map(id => ({ id, path: join(folder, `${id}.mp4`) }))
  const at = (id: string): WantedVideo => ({
    id: 'clip',
    video: 'clip.mp4',
    questions: 1,
    path: join(folder, `${id}.mp4`),
  })
  const film = (path: string, seconds: number, rate: number, quality: number) =>
    execFileSync('ffmpeg', [
      ...['-v', 'error', '-y', '-f', 'lavfi', '-i', `testsrc=s=160x90:r=${rate}:d=${seconds}`],
      ...['-c:v', 'libx264', '-preset', 'ultrafast', '-crf', String(quality), path],
    ])
  beforeAll(() => {
    mkdirSync(folder, { recursive: true })
    const [same, recoded, longer, faster] = copies.map(one => one.path) as [string, string, string, string]
    film(same, 4, 10, 20)
    film(recoded, 4, 10, 35)
    film(longer, 6, 10, 20)
    film(faster, 4, 12, 20)
  })

  test('a lock knows a copy again by its bytes, by length and rate, and tells another', async () => {
    const torn = join(folder, 'torn.mp4')
    writeFileSync(torn, 'this is not a video')
    const other = { ...at('longer'), video: 'other/clip.mp4' }
    const all = [{ ...at('same'), video: 'torn.mp4', path: torn }, at('same'), other]
    const { lock, broken } = await lockVideos('cg-bench', [...all, { ...at('same'), path: undefined }], work)
    expect(broken).toMatchObject([{ video: 'torn.mp4', state: 'broken', detail: expect.stringContaining('torn.mp4') }])
    expect(Object.keys(lock.videos)).toEqual(['clip.mp4', 'other/clip.mp4'])
    expect(lock.videos['clip.mp4']).toMatchObject({
      bytes: readFileSync(join(folder, 'same.mp4')).length,
      duration: 4,
      frames: 40,
    })
    writeFileSync(join(folder, 'lock.json'), JSON.stringify(lock))
    const known = await readLock(join(folder, 'lock.json'))
    const state = async (video: WantedVideo) => (await verifyVideos([video], known, work))[0]
    expect(await state(other)).toMatchObject({ video: 'other/clip.mp4', state: 'equal' })
    expect(await state({ ...at('same'), path: torn })).toMatchObject({ state: 'broken' })
    expect(await state(at('same'))).toMatchObject({ id: 'clip', state: 'equal' })
    expect(await state(at('recoded'))).toMatchObject({ id: 'clip', state: 'same' })
    expect(await state(at('longer'))).toMatchObject({ id: 'clip', state: 'other', detail: 'it lasts 6.0 s, not 4.0 s' })
    expect(await state(at('faster'))).toMatchObject({
      state: 'other',
      detail: 'it has 12.00 frames a second, not 10.00',
    })
    expect(await state({ ...at('same'), path: undefined })).toMatchObject({ id: 'clip', state: 'missing' })
    expect(await state({ ...at('same'), video: 'toString' })).toMatchObject({ state: 'unknown' })
  })

  test('the list that CG-Bench publishes is one too; anything else is refused', async () => {
    const file = join(folder, 'video_meta_info.json')
    writeFileSync(file, JSON.stringify({ clip: { duration: 4.4, max_frame: 44, fps: 10.05 } }))
    expect(await verifyVideos([at('same')], await readLock(file), work)).toMatchObject([{ id: 'clip', state: 'same' }])
    writeFileSync(file, '[]')
    await expect(readLock(file)).rejects.toThrow('must be a list of video copies')
  })
})
