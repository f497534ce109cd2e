import { randomBytes } from 'node:crypto'
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { tarEnd, tarEntry, tarOf, zipOf } from '../../tests/support/archives.ts'
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

const roomy = { unpack: 8e9, lookInto: 2e9 }

async function finder(
  names: string[],
  limits?: { unpack: number; lookInto: number; free?: number },
  { dryRun = false, signal = new AbortController().signal } = {},
) {
  const find = await videoFinder(data)
  return withPacked({
    names,
    find,
    roots: [data],
    folder,
    limits,
    dryRun,
    say: line => said.push(line),
    signal,
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
  packed[100]! ^= 0xff
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

test('a dry run unpacks nothing, and says what a run would', async () => {
  await writeFile(join(data, 'videos.zip'), zipOf([video('a.mp4'), video('b.mp4')]))
  await finder(['b.mp4'])
  const find = await finder(['a.mp4', 'b.mp4'], undefined, { dryRun: true })
  expect(find('a.mp4')).toEqual({ fault: expect.stringMatching(/a\.mp4 is in .*a run unpacks it/), packed: true })
  expect(find('b.mp4')).toHaveProperty('path') // it lies there already
  expect(await everything(folder)).toEqual(['b.mp4'])
})

test('what does not fit on the disk is not begun, and the free space is named', async () => {
  await writeFile(join(data, 'videos.zip'), zipOf([video('a.mp4')]))
  const find = await finder(['a.mp4'], { ...roomy, free: 500_010_000 })
  expect(find('a.mp4')).toEqual({ fault: expect.stringMatching(/has 500\.0 MB free; unpack it/) })
  expect(said).toEqual([])
  await expect(readdir(folder)).rejects.toThrow()
  expect((await finder(['a.mp4'], { ...roomy, free: 501_000_000 }))('a.mp4')).toHaveProperty('path')
  expect(said).toEqual([expect.stringMatching(/^Unpacking 1 files .*0\.1 MB in all, 501\.0 MB free/)])
})

test('a hard link in a tar is the video that it leads to', async () => {
  const film = Buffer.from('film')
  const linked = [tarEntry('v/a.mp4', { content: film }), tarEntry('v/b.mp4', { type: '1', link: 'v/a.mp4' }), tarEnd]
  await writeFile(join(data, 'videos.tar.gz'), gzipSync(Buffer.concat(linked)))
  const found = (await finder(['v/b.mp4']))('v/b.mp4')
  expect(await readFile('path' in found ? found.path : '', 'utf8')).toBe('film')
})

test.each([
  ['a gb18030 name', '你好世界.mp4', [0xc4, 0xe3, 0xba, 0xc3, 0xca, 0xc0, 0xbd, 0xe7], 'gb18030'],
  ['a Shift_JIS name with a backslash in it', 'ソ連.mp4', [0x83, 0x5c, 0x98, 0x41], 'shift_jis'],
  ['a Russian DOS name', 'Привет.mp4', [0x8f, 0xe0, 0xa8, 0xa2, 0xa5, 0xe2], 'ibm866'],
  ['a DOS name', 'über.mp4', [0x81, 0x62, 0x65, 0x72], undefined],
])('%s in a zip is found by the name in the data', async (_, name, bytes, encoding) => {
  const rawName = Buffer.concat([Buffer.from(bytes), Buffer.from('.mp4')])
  await writeFile(join(data, 'videos.zip'), zipOf([{ name: '', rawName, content: Buffer.from('film') }]))
  const found = (await finder([name]))(name)
  expect(await readFile('path' in found ? found.path : '', 'utf8')).toBe('film')
  expect(said.some(line => line.includes(`read as ${encoding}`))).toBe(encoding !== undefined)
})

test('names that differ by case or Unicode form alone are never taken for one another', async () => {
  const contents = ['Talk.mp4', 'talk.mp4', 'na\u00efve.mp4', 'nai\u0308ve.mp4', 'x.mp4/y.mp4', 'x.mp4']
  await writeFile(join(data, 'v.zip'), zipOf(contents.map(name => ({ name, content: Buffer.from(name) }))))
  const find = await finder(contents)
  const paths: string[] = []
  for (const name of contents) {
    const found = find(name)
    paths.push('path' in found ? found.path.normalize('NFC').toLowerCase() : '')
    expect(await readFile('path' in found ? found.path : '', 'utf8'), name).toBe(name)
  }
  expect(new Set(paths).size).toBe(contents.length)
})

test('a file that was unpacked with another size is unpacked again', async () => {
  await writeFile(join(data, 'videos.zip'), zipOf([{ name: 'a.mp4', content: Buffer.from('whole') }]))
  const found = (await finder(['a.mp4']))('a.mp4')
  const path = 'path' in found ? found.path : ''
  await writeFile(path, '')
  await finder(['a.mp4'])
  expect(await readFile(path, 'utf8')).toBe('whole')
})

test('unpacking stops when it is told to, and leaves no part of a file', async () => {
  await writeFile(join(data, 'v.zip'), zipOf([{ name: 'a.mp4', content: Buffer.alloc(400_000_000) }]))
  const stop = new AbortController()
  const began = performance.now()
  setTimeout(() => stop.abort(), 50)
  await expect(finder(['a.mp4'], undefined, { signal: stop.signal })).rejects.toThrow(/abort/)
  expect(performance.now() - began).toBeLessThan(2000)
  expect(await everything(root)).toEqual(['v.zip'])
})
