import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { paxEntry, tarEnd, tarEntry, zipOf } from '../../../tests/support/archives.ts'
import { findArchives } from './find-archives.ts'
import { type Archive, openArchive } from './open-archive.ts'

let root: string
beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), 'longtake-hostile-'))
})
afterAll(() => rm(root, { recursive: true }))

let count = 0
async function opened(kind: 'tar' | 'tar.gz' | 'zip', bytes: Buffer, signal?: AbortSignal): Promise<Archive> {
  const folder = await mkdtemp(join(root, `${count++}-`))
  await writeFile(join(folder, `a.${kind}`), bytes)
  const [archive] = await findArchives(folder)
  return openArchive(archive!, signal)
}

async function contentOf(archive: Archive, name: string): Promise<string> {
  let text = ''
  const member = archive.members.find(one => one.name === name)
  await archive.each(new Set([member?.target?.name ?? name]), async (_, content) => {
    text = ''
    for await (const piece of content) text += Buffer.from(piece).toString()
  })
  return text
}

const file = (name: string, text: string) => tarEntry(name, { content: Buffer.from(text) })
const tar = (...parts: Buffer[]) => Buffer.concat([...parts, tarEnd])
const names = ({ members }: Archive) => members.map(({ name }) => name)

describe('a number in a tar file is whole, not negative and within the file', () => {
  const base256 = (first: number, ...rest: number[]) => {
    const field = Buffer.alloc(12, first === 0xff ? 0xff : 0)
    field[0] = first
    Buffer.from(rest).copy(field, 12 - rest.length)
    return field
  }
  test.each([
    ['a PAX size below zero', tar(paxEntry({ size: '-1536' }), file('a.mp4', 'x')), /must be a whole number/],
    ['a PAX size that is no number', tar(paxEntry({ size: 'nonsense' }), file('a.mp4', 'x')), /"nonsense"/],
    ['a PAX size with a fraction', tar(paxEntry({ size: '1.5' }), file('a.mp4', 'x')), /"1.5"/],
    ['a PAX size in hexadecimal digits', tar(paxEntry({ size: '0x10' }), file('a.mp4', 'x')), /"0x10"/],
    ['an empty PAX size', tar(paxEntry({ size: '' }), file('a.mp4', 'x')), /must be a whole number/],
    ['a PAX size of more than 2^53', tar(paxEntry({ size: '9'.repeat(20) }), file('a.mp4', 'x')), /whole number/],
    ['a PAX size beyond the file', tar(paxEntry({ size: '99999' }), file('a.mp4', 'x')), /ends in the middle/],
    ['a size beyond the file', tar(tarEntry('a.mp4', { size: 99_999 })), /ends in the middle/],
    ['an octal size below zero', tar(tarEntry('a.mp4', { size: '-0000000100' })), /must be a whole number/],
    ['an octal size of other digits', tar(tarEntry('a.mp4', { size: '00000000189' })), /must be a whole number/],
    ['a base-256 size below zero', tar(tarEntry('a.mp4', { size: base256(0xff, 0xfa, 0) })), /negative/],
    [
      'a base-256 size of more than 2^53',
      tar(tarEntry('a.mp4', { size: base256(0x80, 255, 0, 0, 0, 0, 0, 0, 0) })),
      /2\^53/,
    ],
    [
      'a PAX record longer than its header',
      tar(tarEntry('P', { type: 'x', content: Buffer.from('99 path=a\n') }), file('b', 'x')),
      /extended header in it is damaged/,
    ],
    [
      'a PAX record of length zero',
      tar(tarEntry('P', { type: 'x', content: Buffer.from('0 path=a\n') }), file('b', 'x')),
      /extended header in it is damaged/,
    ],
    [
      'a long name that the file does not hold',
      Buffer.concat([tarEntry('L', { type: 'L', size: 90_000 })]),
      /ends in the middle/,
    ],
  ])(
    '%s',
    async (_, bytes, message) => {
      await expect(opened('tar', bytes)).rejects.toThrow(message)
      await expect(opened('tar.gz', gzipSync(bytes))).rejects.toThrow(message)
    },
    5000,
  )

  test('a large size in base 256 that is true is read', async () => {
    const bytes = tar(tarEntry('a.mp4', { content: Buffer.from('abc'), size: base256(0x80, 3) }), file('b.mp4', 'b'))
    const archive = await opened('tar', bytes)
    expect(await contentOf(archive, 'a.mp4')).toBe('abc')
    expect(names(archive)).toEqual(['a.mp4', 'b.mp4'])
  })
})

describe('the members of a tar file', () => {
  test('a hard link is its target, also through another link and with a long name', async () => {
    const bytes = tar(
      file('videos/a.mp4', 'film'),
      tarEntry('b.mp4', { type: '1', link: 'videos/a.mp4' }),
      paxEntry({ linkpath: 'b.mp4', path: `${'c'.repeat(150)}.mp4` }),
      tarEntry('c', { type: '1', size: 4 }),
      file('z.mp4', 'end'),
    )
    for (const archive of [await opened('tar', bytes), await opened('tar.gz', gzipSync(bytes))]) {
      expect(names(archive)).toEqual(['videos/a.mp4', 'b.mp4', `${'c'.repeat(150)}.mp4`, 'z.mp4'])
      expect(archive.members.map(({ size }) => size)).toEqual([4, 4, 4, 3])
      for (const { name } of archive.members.slice(0, 3)) expect(await contentOf(archive, name)).toBe('film')
    }
  })

  test.each([
    [
      'a hard link to nothing',
      tarEntry('a.mp4', { type: '1', link: '/etc/passwd' }),
      /a\.mp4 is a hard link to \/etc\/passwd/,
    ],
    [
      'a sparse file of old GNU tar',
      tarEntry('a.mp4', { type: 'S', content: Buffer.from('x') }),
      /a\.mp4 is stored as a sparse file/,
    ],
    [
      'a sparse file in the PAX form',
      Buffer.concat([
        paxEntry({ 'GNU.sparse.major': '1', 'GNU.sparse.name': 'a.mp4' }),
        file('GNUSparseFile.1/a.mp4', 'x'),
      ]),
      /a\.mp4 is stored as a sparse file/,
    ],
    [
      'an unknown type',
      tarEntry('a.mp4', { type: 'M', content: Buffer.from('x') }),
      /a\.mp4 is of an unknown type \("M"\)/,
    ],
  ])('%s is a named fault, and the others come out', async (_, bytes, message) => {
    const archive = await opened('tar', tar(bytes, file('b.mp4', 'good')))
    expect(names(archive)).toEqual(['a.mp4', 'b.mp4'])
    expect(archive.members[0]!.fault).toMatch(message)
    expect(await contentOf(archive, 'b.mp4')).toBe('good')
  })

  test('of a name that stands twice the last is the file', async () => {
    const archive = await opened('tar', tar(file('a.mp4', 'old'), file('b.mp4', 'b'), file('a.mp4', 'newer')))
    expect(archive.members.map(({ name, size }) => [name, size])).toEqual([
      ['b.mp4', 1],
      ['a.mp4', 5],
    ])
    expect(await contentOf(archive, 'a.mp4')).toBe('newer')
  })

  test('a hundred thousand empty ones are listed in seconds', async () => {
    const header = tarEntry('a/000000.mp4')
    const many = Buffer.concat(Array.from({ length: 100_000 }, () => header))
    const began = process.cpuUsage() // not the clock: other work on the machine is none of its doing
    expect((await opened('tar', many)).members).toHaveLength(1)
    const { user, system } = process.cpuUsage(began)
    expect((user + system) / 1e6).toBeLessThan(5)
  })

  test('a compressed one that is nearly all air is not read to its end', async () => {
    const entry = (name: string) => tarEntry(name, { content: Buffer.alloc(50_000_000) })
    const air = gzipSync(entry('any.mp4').subarray(512))
    const parts = Array.from({ length: 25 }, (_, i) => [gzipSync(entry(`${i}.mp4`).subarray(0, 512)), air])
    await expect(opened('tar.gz', Buffer.concat(parts.flat()))).rejects.toThrow(/decompresses to more than 1000 MB/)
  })

  test('looking into one stops when it is told to', async () => {
    const stop = new AbortController()
    stop.abort()
    await expect(opened('tar', tar(file('a.mp4', 'x')), stop.signal)).rejects.toThrow(/abort/)
  })
})

describe('a zip file whose fields contradict it is refused', () => {
  const two = [
    { name: 'a.mp4', content: Buffer.from('first file') },
    { name: 'b.mp4', content: Buffer.from('second file') },
  ]
  const list = (bytes: Buffer) => bytes.indexOf('PK\x01\x02')
  const end = (bytes: Buffer) => bytes.lastIndexOf('PK\x05\x06')
  const changed = (change: (bytes: Buffer) => void, method: 0 | 8 = 0) => {
    const bytes = zipOf(two, method)
    change(bytes)
    return bytes
  }
  test.each([
    [
      'more members than the list can hold',
      changed(b => b.writeUInt16LE(60_000, end(b) + 10)),
      /list of members that does not fit/,
    ],
    ['fewer members than the list holds', changed(b => b.writeUInt16LE(1, end(b) + 10)), /lists more members/],
    ['a list larger than the file', changed(b => b.writeUInt32LE(0x7fffffff, end(b) + 12)), /does not fit/],
    ['a list beyond the file', changed(b => b.writeUInt32LE(0x7fffffff, end(b) + 16)), /does not fit|damaged/],
    ['a member beyond the list', changed(b => b.writeUInt32LE(0x7ffffff0, list(b) + 42)), /a\.mp4 does not lie within/],
    ['a packed size beyond the list', changed(b => b.writeUInt32LE(0x7ffffff0, list(b) + 20)), /does not lie within/],
    [
      'two members in one place',
      changed(b => b.writeUInt32LE(0, b.indexOf('PK\x01\x02', list(b) + 4) + 42)),
      /overlaps/,
    ],
    [
      'a size that its bytes cannot hold',
      changed(b => b.writeUInt32LE(0x7ffffff0, list(b) + 24), 8),
      /is said to hold/,
    ],
    [
      'a size of 4 GB without its field',
      changed(b => b.writeUInt32LE(0xffffffff, list(b) + 24)),
      /lacks a number of more than 4 GB/,
    ],
  ])('%s', async (_, bytes, message) => {
    await expect(opened('zip', bytes)).rejects.toThrow(message)
  })

  test('a member that has another name in its place than in the list', async () => {
    const archive = await opened(
      'zip',
      changed(b => b.write('c.mp4', 30)),
    )
    await expect(contentOf(archive, 'a.mp4')).rejects.toThrow(/a\.mp4 is not where the archive says/)
  })

  test.each([...'0123456789'].map(tenth => Number(tenth) / 10))('cut after %s of it', async share => {
    const bytes = zipOf(two)
    await expect(
      opened('zip', Buffer.concat([bytes.subarray(0, bytes.length * share), Buffer.alloc(4)])),
    ).rejects.toThrow()
  })
})

test('names without the mark of UTF-8 are UTF-8 where they can be, else code page 437', async () => {
  const content = Buffer.from('x')
  const archive = await opened(
    'zip',
    zipOf([
      { name: '', rawName: Buffer.from('\u0081ber.mp4', 'latin1'), content },
      { name: 'naïve.mp4', content },
    ]),
  )
  expect(names(archive)).toEqual(['über.mp4', 'naïve.mp4'])
})
