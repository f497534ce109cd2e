import { randomBytes } from 'node:crypto'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { tarOf, zipOf } from '../../../tests/support/archives.ts'
import { findArchives, unpackCommand } from './find-archives.ts'
import { safePath } from './member.ts'
import { openArchive } from './open-archive.ts'

let root: string
beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), 'longtake-archives-'))
})
afterAll(() => rm(root, { recursive: true }))

const files = [
  { name: 'videos/a.mp4', content: randomBytes(70_000) },
  { name: `videos/${'x'.repeat(120)}.mp4`, content: randomBytes(3_000) },
  { name: 'subtitles/a.srt', content: Buffer.from('hello '.repeat(9_000)) },
  { name: 'empty.txt', content: Buffer.alloc(0) },
]

let count = 0
async function folderOf(contents: Record<string, Buffer>): Promise<string> {
  const folder = join(root, String(count++))
  await mkdir(folder)
  for (const [name, content] of Object.entries(contents)) await writeFile(join(folder, name), content)
  return folder
}

function pieces(whole: Buffer, names: readonly string[]): Record<string, Buffer> {
  const length = Math.ceil(whole.length / names.length)
  return Object.fromEntries(names.map((name, i) => [name, whole.subarray(i * length, (i + 1) * length)]))
}

async function contentsOf(folder: string): Promise<Record<string, string>> {
  const found: Record<string, string> = {}
  for (const archive of await findArchives(folder)) {
    const { members, each } = await openArchive(archive)
    await each(new Set(members.map(member => member.name)), async ({ name }, content) => {
      const parts: Uint8Array[] = []
      for await (const part of content) parts.push(part)
      found[name] = Buffer.concat(parts).toString('base64')
    })
  }
  return found
}

const whole = Object.fromEntries(files.map(({ name, content }) => [name, content.toString('base64')]))
const zipped = zipOf(files)
const tarred = tarOf(files)
const names = (list: string) => list.split(' ')

describe('what is in an archive comes out as it was put in', () => {
  test.each([
    ['a zip', { 'videos.zip': zipped }],
    ['a zip without compression', { 'videos.zip': zipOf(files, 0) }],
    ['a zip with something before it', { 'videos.zip': Buffer.concat([Buffer.from('PK\x03\x04....'), zipped]) }],
    ['a zip in chunks', pieces(zipped, names('chunk_1.zip chunk_2.zip chunk_10.zip'))],
    ['a zip in numbered pieces', pieces(zipped, names('v.zip.001 v.zip.002 v.zip.003'))],
    ['a tar', { 'videos.tar': tarred }],
    ['a tar.gz', { 'videos.tar.gz': gzipSync(tarred) }],
    ['a tar.gz in pieces', pieces(gzipSync(tarred), names('videos_part_aa.tar.gz videos_part_ab.tar.gz'))],
    ['a tar.gz in pieces named after it', pieces(gzipSync(tarred), names('v.tar.gz.part_aa v.tar.gz.part_ab'))],
    ['a tar in pieces', pieces(tarred, names('videos.tar.part.aa videos.tar.part.ab videos.tar.part.ac'))],
    ['a plain tar that is named gz', { 'val_videos.tar.gz': tarred }],
  ])('%s', async (_, contents: Record<string, Buffer>) => {
    expect(await contentsOf(await folderOf(contents))).toEqual(whole)
  })

  test('several zips beside each other, each for itself', async () => {
    const folder = await folderOf({ 'chunk_1.zip': zipOf(files.slice(0, 2)), 'chunk_2.zip': zipOf(files.slice(2)) })
    expect(await findArchives(folder)).toHaveLength(2)
    expect(await contentsOf(folder)).toEqual(whole)
  })
})

test('links, devices and folders of a tar are passed over', async () => {
  const hostile = tarOf([{ name: 'a.mp4', content: Buffer.alloc(0), link: '/etc/passwd' }, files[0]!])
  expect(Object.keys(await contentsOf(await folderOf({ 'x.tar': hostile })))).toEqual(['videos/a.mp4'])
})

describe('what is broken is said to be so', () => {
  const changed = Buffer.from(zipped)
  changed[40_000]! ^= 0xff
  const bomb = Buffer.from(zipped)
  for (let at = bomb.indexOf('PK\x01\x02'); at >= 0; at = bomb.indexOf('PK\x01\x02', at + 1))
    bomb.writeUInt32LE(10, at + 24)
  test.each([
    ['a zip that is cut short', { 'a.zip': zipped.subarray(0, -100) }, /no end that lists its members/],
    ['a zip that lacks its last piece', pieces(zipped, names('a.zip.001 a.zip.002')), /no end/, 'a.zip.002'],
    ['a byte that was changed', { 'a.zip': changed }, /damaged in the archive/],
    ['a member that is larger than it says', { 'a.zip': bomb }, /larger than the archive says/],
    ['a tar that is cut short', { 'a.tar': tarred.subarray(0, 40_000) }, /ends/],
    ['a tar.gz that is cut short', { 'a.tar.gz': gzipSync(tarred).subarray(0, 30_000) }, /cannot be decompressed/],
  ])('%s', async (_, contents: Record<string, Buffer>, message, without?: string) => {
    const { [without ?? '']: __, ...left } = contents
    await expect(contentsOf(await folderOf(left))).rejects.toThrow(message)
  })
})

test('a name that leads out of the folder, or means another place elsewhere, is no name to unpack to', () => {
  for (const name of [
    '../a',
    'a/../../b',
    '/etc/passwd',
    'C:/x',
    'a\\..\\b',
    'a//b',
    'a\u0000b',
    'x/./y',
    'trick. ',
    '',
  ])
    expect(safePath(name), name).toBeUndefined()
  expect(safePath('./videos/a b.mp4')).toEqual(['videos', 'a b.mp4'])
})

test('the command that unpacks it names the pieces in their order', async () => {
  const command = async (contents: Record<string, Buffer>) => {
    const [found] = await findArchives(await folderOf(contents))
    return unpackCommand(found!).replace(/^cd \S+ && /, '')
  }
  expect(await command({ 'a b.zip': zipped })).toBe("unzip -n 'a b.zip'")
  expect(await command(pieces(zipped, names('c_2.zip c_10.zip')))).toBe(
    'cat c_2.zip c_10.zip > whole.zip && unzip -n whole.zip',
  )
  const many = Array.from({ length: 9 }, (_, i) => `videos_part_0${i}.tar.gz`)
  expect(await command(pieces(gzipSync(tarred), many))).toBe('cat $(ls -v videos_part_0*.tar.gz) | tar -xzf -')
})
