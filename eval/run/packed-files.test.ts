import { randomBytes } from 'node:crypto'
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { tarOf, zipOf } from '../../tests/support/archives.ts'
import { videoFinder } from './find-videos.ts'
import { withPacked } from './packed-files.ts'

let root: string
let data: string
let folder: string
let said: string[]
beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'longtake-packed-'))
  data = join(root, 'data')
  folder = join(root, 'home', 'unpacked')
  said = []
  await mkdir(data, { recursive: true })
})
afterEach(() => rm(root, { recursive: true }))

const video = (name: string) => ({ name, content: randomBytes(20_000) })

async function finder(names: string[], limits?: { unpack: number; lookInto: number }) {
  const find = await videoFinder(data)
  return withPacked({
    names,
    find,
    roots: [data],
    folder,
    limits,
    say: line => said.push(line),
    signal: new AbortController().signal,
  })
}

async function everything(below: string): Promise<string[]> {
  return (await readdir(below, { recursive: true, withFileTypes: true }))
    .filter(one => one.isFile())
    .map(one => one.name)
}

test('what is needed is unpacked once, beside nothing of the data, and nothing else is', async () => {
  const wanted = video('cg_videos_720p/abc.mp4')
  await writeFile(join(data, 'video_chunk_1.zip'), zipOf([wanted, video('cg_videos_720p/other.mp4')]))
  const found = (await finder(['cg_videos_720p/abc.mp4']))('cg_videos_720p/abc.mp4')
  expect(await readFile('path' in found ? found.path : '')).toEqual(wanted.content)
  expect(said).toHaveLength(1)
  expect(await everything(folder)).toEqual(['abc.mp4'])
  expect(await everything(data)).toEqual(['video_chunk_1.zip'])
  expect((await finder(['cg_videos_720p/abc.mp4']))('cg_videos_720p/abc.mp4')).toEqual(found)
  expect(said).toHaveLength(1) // not a second time
})

test('pieces of a tar.gz give a video too; a file that lies unpacked comes first', async () => {
  const packed = gzipSync(tarOf([video('./videos_filtered/a.mp4'), video('./videos_filtered/b.mp4')]))
  await writeFile(join(data, 'videos_part_aa.tar.gz'), packed.subarray(0, 20_000))
  await writeFile(join(data, 'videos_part_ab.tar.gz'), packed.subarray(20_000))
  await writeFile(join(data, 'b.mp4'), 'mine')
  const find = await finder(['videos_filtered/a.mp4', 'videos_filtered/b.mp4'])
  expect(find('videos_filtered/a.mp4')).toHaveProperty('path')
  expect(find('videos_filtered/b.mp4')).toEqual({ path: join(data, 'b.mp4') })
  expect(await everything(folder)).toEqual(['a.mp4'])
})

test('where it would be much, the fault says in which archive it is and what to type', async () => {
  await writeFile(join(data, 'videos.zip'), zipOf([video('data/a.mp4')]))
  await writeFile(join(data, 'more.tar.gz'), gzipSync(tarOf([video('data/b.mp4')])))
  const find = await finder(['data/a.mp4', 'data/b.mp4'], { unpack: 1000, lookInto: 1000 })
  expect(find('data/a.mp4')).toEqual({
    fault: expect.stringMatching(/is in .*videos\.zip.*unpack it: cd .* && unzip -n/),
  })
  expect(find('data/b.mp4')).toEqual({
    fault: expect.stringMatching(/may be in .*more\.tar\.gz .*too large to look into.*tar -xzf/),
  })
  await expect(readdir(folder)).rejects.toThrow()
})

test('a member that would land elsewhere is never written, whatever it is called', async () => {
  const name = '../../../../evil.mp4'
  await writeFile(join(data, 'videos.zip'), zipOf([{ name, content: Buffer.from('x') }], 0))
  expect((await finder([name]))(name)).toHaveProperty('fault')
  expect((await finder(['evil.mp4']))('evil.mp4')).toHaveProperty('fault')
  expect(await everything(root)).toEqual(['videos.zip'])
})

test('a damaged member leaves no file, and the others come out', async () => {
  const [bad, good] = [video('a.mp4'), video('b.mp4')]
  const packed = zipOf([bad, good], 0)
  packed[100] ^= 0xff
  await writeFile(join(data, 'videos.zip'), packed)
  const find = await finder(['a.mp4', 'b.mp4'])
  expect(find('a.mp4')).toEqual({ fault: expect.stringMatching(/a\.mp4 is damaged/) })
  expect(find('b.mp4')).toHaveProperty('path')
  expect(await everything(folder)).toEqual(['b.mp4'])
})

test('an archive that is cut short is named where a video is missing', async () => {
  await writeFile(join(data, 'videos.zip'), zipOf([video('a.mp4')]).subarray(0, 5000))
  expect((await finder(['a.mp4']))('a.mp4')).toEqual({
    fault: expect.stringMatching(/nowhere below.*broken.*videos\.zip/),
  })
})
