import { createHash } from 'node:crypto'
import { mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { packStage, tarHeader } from '../../apps/cluster/store/pack/pack.ts'
import { readPack } from '../../apps/cluster/store/pack/read-pack.ts'
import { unpackStage } from '../../apps/cluster/store/pack/unpack.ts'
import { runProgram } from '../../src/media/program/run-program.ts'
import { sealRecord } from '../../src/store/sealed-record.ts'
import { findOrMakeStage, findStage } from '../../src/store/stage/stage.ts'
import { someVideo } from '../support/shared-library.ts'

const signal = new AbortController().signal
const video = someVideo('v0123456789abcdef0123')
const place = { video: video.id, stage: 'decode', key: 'k1' }
let root: string
let made: string // the library where it was made
let bytes: Buffer
let sha256: string
let silent: { bytes: Buffer; sha256: string } // the same without sound: no ffmpeg is started
const files: Record<string, Buffer> = {
  'evidence.jsonl': Buffer.from('{"text":"one"}\n'),
  'empty.bin': Buffer.alloc(0),
  'stills.bin': Buffer.from(Array.from({ length: 70_000 }, (_, at) => (at * 37) % 251)),
  'sound.pcm': sound(50_000),
}

function sound(samples: number): Buffer {
  const pcm = Buffer.alloc(samples * 2)
  for (let i = 0; i < samples; i++) pcm.writeInt16LE(Math.round(12_000 * Math.sin(i / 30) + ((i * 7919) % 200)), i * 2)
  return pcm
}

async function make(folder: string, content: Record<string, Buffer>) {
  await findOrMakeStage({
    ...{ folder, stage: place.stage, key: place.key, by: 'x/y', settings: {}, inputs: {}, video: video.id, signal },
    async make(out) {
      out.note('made for the test')
      for (const [name, bytes] of Object.entries(content)) {
        const sink = await out.bytes(name)
        await sink.write(bytes)
        await sink.close()
      }
    },
  })
  return join(folder, 'stages', place.stage, place.key)
}

async function packed(folder: string) {
  const work = await mkdtemp(join(root, 'work-'))
  const pack = await packStage(folder, video, { work })
  const bytes = await buffer(pack.body())
  expect(bytes.length).toBe(pack.bytes)
  return { bytes, sha256: pack.sha256() }
}

// Everything but a name that is to be refused for not being there.
const listed = (name: string) => (name === 'not-listed.bin' ? {} : { [name]: Buffer.from('x') })

let count = 0
const pull = async (pack: Uint8Array, expected?: { bytes: number; sha256: string }) => {
  const folder = join(root, `library-${count++}`)
  await mkdir(folder)
  const pieces = async function* () {
    for (let at = 0; at < pack.length; at += 40_000) yield pack.subarray(at, at + 40_000)
  }
  return { folder, pulled: await unpackStage(pieces(), { folder, stage: place, expected }).catch(error => error) }
}
const computeTimeLeft = async (folder: string) => readdir(join(folder, 'stages', place.stage)).catch(() => [])

const flipped = (pack: Buffer, at: number) => {
  const wrong = Buffer.from(pack)
  wrong[at]! ^= 4
  return wrong
}
const refused = async (pack: Buffer, at: number, expected?: { bytes: number; sha256: string }) => {
  const { folder, pulled } = await pull(pack, expected)
  expect([at, pulled.name]).toEqual([at, 'DamagedPack'])
  expect(await computeTimeLeft(folder)).toEqual([])
}

beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), 'longtake-pack-'))
  made = await make(join(root, 'made'), files)
  ;({ bytes, sha256 } = await packed(made))
  const { 'sound.pcm': _, ...others } = files
  silent = await packed(await make(join(root, 'silent'), others))
})
afterAll(() => rm(root, { recursive: true, force: true }))

describe('a pack', () => {
  test('puts the same files into another library, where findStage finds them', async () => {
    const { folder, pulled } = await pull(bytes, { bytes: bytes.length, sha256 })
    expect(pulled).toMatchObject({ sha256, bytes: bytes.length, video: { id: video.id, path: '', sidecars: [] } })
    const found = await findStage(folder, place.stage, place.key)
    expect(found).toMatchObject({ reused: true, meta: { notes: ['made for the test'] } })
    for (const name of ['meta.json', ...Object.keys(files)])
      expect(await readFile(join(found!.folder, name))).toEqual(await readFile(join(made, name)))
    expect((await stat(join(found!.folder, 'stills.bin'))).mode & 0o777).toBe(0o600)
    expect(await readdir(found!.folder)).toHaveLength(5)
  })

  test('is read by any tar, meta.json first and the mark last, the sound as FLAC', async () => {
    const file = join(root, 'pack.tar')
    await writeFile(file, bytes)
    const { stdout } = await runProgram('tar', ['-tf', file])
    expect(stdout.toString().trim().split('\n')).toEqual([
      ...['meta.json', '.video.json', 'empty.bin', 'evidence.jsonl', 'sound.pcm.flac', 'stills.bin', '.end.json'],
    ])
    expect(bytes.length).toBeLessThan(files['stills.bin']!.length + files['sound.pcm']!.length)
    expect(bytes.includes(root)).toBe(false)
  })

  test('carries sound as it is where FLAC would not give back the same bytes, or is larger', async () => {
    const odd = { 'sound.pcm': sound(3000).subarray(0, 5999) }
    const tiny = { 'sound.pcm': sound(2) }
    for (const [name, content] of Object.entries({ odd, tiny, none: { 'sound.pcm': Buffer.alloc(0) } })) {
      const { bytes } = await packed(await make(join(root, name), content))
      expect(bytes.includes('sound.pcm.flac')).toBe(false)
      const { folder } = await pull(bytes)
      const found = await findStage(folder, place.stage, place.key)
      expect(await readFile(join(found!.folder, 'sound.pcm'))).toEqual(content['sound.pcm'])
    }
  })

  test('is refused wherever it is cut, and leaves nothing', async () => {
    const { bytes } = silent
    const members = membersOf(bytes).flatMap(at => [at - 1, at, at + 1, at + 511, at + 512, at + 600])
    for (const at of [...members, bytes.length - 1025, bytes.length - 1024, bytes.length - 512, bytes.length - 1])
      if (at >= 0 && at < bytes.length) await refused(bytes.subarray(0, at), at)
  })

  test('with sound is refused where that is cut or changed', async () => {
    const at = bytes.indexOf('sound.pcm.flac') + 512
    for (const cut of [at, at + 10, at + 20_000]) await refused(bytes.subarray(0, cut), cut)
    for (const place of [at + 2, at + 30, at + 20_000]) await refused(flipped(bytes, place), place)
  })

  test('is refused with any bit flipped', async () => {
    const { bytes, sha256 } = silent
    const places = Array.from({ length: 60 }, (_, i) => Math.floor((i * (bytes.length - 1)) / 59))
    for (const at of [...places, ...membersOf(bytes).flatMap(at => [at + 3, at + 130, at + 150, at + 520])])
      await refused(flipped(bytes, at), at, { bytes: bytes.length, sha256 })
  })

  test('of another stage, video or row is refused', async () => {
    const read = (stage: object) => readPack(Readable.from([bytes]), { stage: { ...place, ...stage } })
    await expect(read({ key: 'k2' })).rejects.toThrow('it holds stage "decode" of v0123456789abcdef0123, key k1')
    await expect(read({ video: 'v2' })).rejects.toThrow('it holds')
    await expect(read({ stage: 'speech' })).rejects.toThrow('it holds')
    const { pulled } = await pull(bytes, { bytes: bytes.length, sha256: '0'.repeat(64) })
    expect(pulled.message).toBe('it is not the pack that its row names')
  })

  test.each(['../out', '/tmp/out', 'a/b', '..', '.hidden', 'meta.json', 'C:x', 'not-listed.bin', '__proto__'])(
    'with a member %j is refused, and nothing is written outside',
    async name => {
      const { folder, pulled } = await pull(crafted([[name, Buffer.from('x')]], listed(name)))
      expect(pulled.name).toBe('DamagedPack')
      expect(await computeTimeLeft(folder)).toEqual([])
      expect((await readdir(root)).includes('out')).toBe(false)
    },
  )

  test('with a huge meta.json, a huge member, or twice the same is refused before it is read', async () => {
    const huge = Buffer.concat([tarHeader('meta.json', 2 ** 40), Buffer.alloc(4096)])
    expect((await pull(huge)).pulled.message).toBe(`meta.json has ${2 ** 40} bytes`)
    const one = Buffer.from('x')
    const larger = crafted([['a.bin', Buffer.alloc(5000)]], { 'a.bin': one })
    expect((await pull(larger)).pulled.message).toBe('a.bin has 5000 bytes in place of 1')
    const twice = crafted(
      [
        ['a.bin', one],
        ['a.bin', one],
      ],
      { 'a.bin': one },
    )
    expect((await pull(twice)).pulled.message).toContain('is not one of its files')
    const bomb = crafted([['sound.pcm.flac', await flacOf(sound(90_000))]], { 'sound.pcm': sound(80_000) })
    expect((await pull(bomb)).pulled.message).toContain('has more than 160000 bytes')
  })

  test('that needs more room than the disk has is an error with the fix, before a byte is written', async () => {
    const meta = { ...metaOf({}), files: { 'a.bin': { bytes: 2 ** 50, sha256: '0'.repeat(64) } } }
    const text = Buffer.from(JSON.stringify(sealRecord(meta)))
    const { folder, pulled } = await pull(Buffer.concat([member('meta.json', text), tarHeader('a.bin', 2 ** 50)]))
    expect(pulled).toMatchObject({ exitCode: 7, hint: expect.stringContaining('cluster.cache') })
    expect(pulled.message).toMatch(/Stage "decode" of v0123456789abcdef0123 needs \d+ MB/)
    expect(await computeTimeLeft(folder)).toEqual([])
  })
})

async function flacOf(pcm: Buffer): Promise<Buffer> {
  const file = join(root, 'bomb.pcm')
  await writeFile(file, pcm)
  const args = ['-v', 'error', '-f', 's16le', '-ar', '16000', '-ac', '1', '-i', file, '-f', 'flac', '-']
  return (await runProgram('ffmpeg', args)).stdout
}

function metaOf(files: Record<string, unknown>) {
  return {
    ...{
      format: 1 as const,
      ...place,
      by: 'x/y',
      settings: {},
      inputs: {},
      seconds: 1,
      finished: '2026-11-22',
      notes: [],
    },
    files,
  }
}

// A pack as someone else would write it.
function crafted(members: [string, Buffer][], listed: Record<string, Buffer>): Buffer {
  const hashes = Object.entries(listed).map(([name, bytes]) => [
    name,
    { bytes: bytes.length, sha256: createHash('sha256').update(bytes).digest('hex') },
  ])
  const meta = Buffer.from(JSON.stringify(metaOf(Object.fromEntries(hashes))))
  const content = Buffer.concat([member('meta.json', meta), ...members.map(([name, bytes]) => member(name, bytes))])
  const end = { format: 1, members: members.length + 1, sha256: createHash('sha256').update(content).digest('hex') }
  return Buffer.concat([content, member('.end.json', Buffer.from(JSON.stringify(end))), Buffer.alloc(1024)])
}

function member(name: string, bytes: Buffer): Buffer {
  return Buffer.concat([tarHeader(name, bytes.length), bytes, Buffer.alloc((512 - (bytes.length % 512)) % 512)])
}

// Where each header begins.
function membersOf(tar: Buffer): number[] {
  const found: number[] = []
  for (let at = 0; tar[at] !== 0; ) {
    found.push(at)
    const size = Number.parseInt(tar.toString('latin1', at + 124, at + 135), 8)
    at += 512 + Math.ceil(size / 512) * 512
  }
  return found
}
