import { createHash } from 'node:crypto'
import { Readable } from 'node:stream'
import { tarHeader } from '../../../apps/cluster/store/pack/pack.ts'
import { DamagedPack, readPack } from '../../../apps/cluster/store/pack/read-pack.ts'
import { BackendError } from '../../../src/core/errors.ts'
import { blockSize } from '../../../src/store/archive/tar-header.ts'
import { mutateBytes } from '../mutate/bytes.ts'
import type { Draw } from '../mutate/draw.ts'
import { promise, type Target } from '../target.ts'

// Results of other machines, as they come from the store. What is decoded from FLAC is left to ffmpeg and not tried here.
const pack: Target = {
  name: 'pack',
  summary: 'packs of results in the store of a cluster',
  guided: /apps\/cluster\/store\/pack\/|src\/store\/archive\//,
  seeds: async () => [
    packOf({}),
    packOf({ 'a.bin': Buffer.from('one') }),
    packOf({ a: Buffer.alloc(700, 1), 'b.json': Buffer.from('{}') }),
  ],
  mutate: (input, draw, other) =>
    withEnd(withSums(draw.chance(0.2) ? renamed(input, draw) : mutateBytes(input, draw, other))),
  async run(input) {
    const written = new Map<string, number>()
    const file = async (name: string) => {
      promise(/^[a-zA-Z0-9][\w.-]*$/.test(name) && name !== 'meta.json', `${name} is a name inside the folder`)
      promise(!written.has(name), `${name} is written once`)
      written.set(name, 0)
      return {
        write: async (piece: Uint8Array) => void written.set(name, (written.get(name) ?? 0) + piece.length),
        close: async () => {},
      }
    }
    try {
      const { meta, bytes } = await readPack(Readable.from([input], { objectMode: false }), { file })
      promise(bytes === input.length, 'all bytes of a pack that is accepted were read')
      for (const [name, { bytes }] of Object.entries(meta.files))
        promise(written.get(name) === bytes, `${name} is as long as its meta says`)
    } catch (error) {
      if (!(error instanceof DamagedPack)) throw error
      throw new BackendError(error.message, { cause: error })
    }
  },
}

export default pack

function packOf(files: Record<string, Buffer>): Buffer {
  const sha256 = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex')
  const listed = Object.entries(files).map(([name, bytes]) => [name, { bytes: bytes.length, sha256: sha256(bytes) }])
  const meta = {
    ...{ format: 1, stage: 'text', key: 'k', video: 'v', by: 'x/y', settings: {}, inputs: {}, seconds: 1 },
    ...{ finished: '2026-11-22', notes: [], files: Object.fromEntries(listed) },
  }
  const members = [['meta.json', Buffer.from(JSON.stringify(meta))] as const, ...Object.entries(files)]
  const content = Buffer.concat(members.map(([name, bytes]) => member(name, bytes)))
  const end = { format: 1, members: members.length, sha256: sha256(content) }
  return Buffer.concat([content, member('.end.json', Buffer.from(JSON.stringify(end))), Buffer.alloc(2 * blockSize)])
}

function member(name: string, bytes: Buffer): Buffer {
  return Buffer.concat([
    tarHeader(name, bytes.length),
    bytes,
    Buffer.alloc((blockSize - (bytes.length % blockSize)) % blockSize),
  ])
}

// Another time, stage or note: what a pack may well say.
function renamed(input: Buffer, draw: Draw): Buffer {
  const digit = input.indexOf('2026') + 3
  return Buffer.from(input).fill(draw.of(['0', '7', '9', 'x']), digit, digit + 1)
}

// The hash in the mark at the end made right again.
function withEnd(input: Buffer): Buffer {
  const at = input.lastIndexOf('.end.json')
  const hash = input.indexOf('"sha256":"', at) + 10
  if (at < 0 || at % blockSize !== 0 || hash < 10 || hash + 64 > input.length) return input
  const bytes = Buffer.from(input)
  bytes.write(createHash('sha256').update(input.subarray(0, at)).digest('hex'), hash)
  return bytes
}

// The sums of headers made right again, so that what lies behind them is reached.
function withSums(input: Buffer): Buffer {
  const bytes = Buffer.from(input)
  for (let at = 0; at + blockSize <= bytes.length; at += blockSize) {
    if (bytes.toString('latin1', at + 257, at + 262) !== 'ustar') continue
    bytes.fill(' ', at + 148, at + 156)
    const sum = bytes.subarray(at, at + blockSize).reduce((sum, byte) => sum + byte, 0)
    bytes.write(`${sum.toString(8).padStart(6, '0')}\0 `, at + 148, 'latin1')
  }
  return bytes
}
