import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { open, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { StorageError } from '../../../../src/core/errors.ts'
import { StageMeta } from '../../../../src/core/stage.ts'
import type { Video } from '../../../../src/core/video.ts'
import { flacToPcm, pcmToFlac } from '../../../../src/media/flac.ts'
import { blockSize, tarPadding } from '../../../../src/store/archive/tar-header.ts'
import { parseStoredJson, readTextFile } from '../../../../src/store/read-file.ts'
import { endMark, endName, flacEnding, videoName } from './read-pack.ts'

interface Pack {
  meta: StageMeta
  bytes: number
  body(): Readable
  sha256(): string // of the last body that was read to its end
}

interface Member {
  name: string
  bytes: number
  content: () => AsyncIterable<Uint8Array> | Iterable<Uint8Array>
}

// The whole result of a stage as one uncompressed tar: meta.json, what is known of the video, the files, and a mark at the end that
// holds the hash of all before it. `work` is a folder for the sound as FLAC.
export async function packStage(
  folder: string,
  video: Video,
  { work, signal }: { work: string; signal?: AbortSignal },
): Promise<Pack> {
  const text = await readTextFile(join(folder, 'meta.json'))
  const meta = StageMeta.safeParse(parseStoredJson(text)).data
  if (text === undefined || !meta) throw unreadable(folder)
  const members = [memory('meta.json', text), memory(videoName, JSON.stringify(portable(video)))]
  for (const [name, { bytes, sha256 }] of Object.entries(meta.files)) {
    const path = join(folder, name)
    const flac =
      name.endsWith('.pcm') && (await asFlac(path, { bytes, sha256 }, join(work, `${name}${flacEnding}`), signal))
    members.push(flac ? await file(`${name}${flacEnding}`, flac) : await file(name, path, bytes))
  }
  const content = members.reduce((sum, { bytes }) => sum + tarEnd.length / 2 + bytes + tarPadding(bytes), 0)
  const mark = endMark('0'.repeat(64), members.length)
  let sha256 = ''
  return {
    meta,
    bytes: content + tarEnd.length / 2 + mark.length + tarPadding(mark.length) + tarEnd.length,
    body: () =>
      Readable.from(
        writeTar(members, sum => (sha256 = sum), signal),
        { objectMode: false, highWaterMark: 1 << 20 },
      ),
    sha256: () => sha256,
  }
}

async function* writeTar(
  members: readonly Member[],
  done: (sha256: string) => void,
  signal?: AbortSignal,
): AsyncIterable<Uint8Array> {
  const hash = createHash('sha256')
  const hashed = <Piece extends Uint8Array>(piece: Piece) => {
    signal?.throwIfAborted()
    hash.update(piece)
    return piece
  }
  const write = async function* ({ name, bytes, content }: Member) {
    yield hashed(tarHeader(name, bytes))
    for await (const piece of content()) yield hashed(piece)
    if (tarPadding(bytes) > 0) yield hashed(Buffer.alloc(tarPadding(bytes)))
  }
  for (const member of members) yield* write(member)
  yield* write(memory(endName, endMark(hash.copy().digest('hex'), members.length)))
  yield hashed(tarEnd)
  done(hash.digest('hex'))
}

// Where another machine would look for its file, its subtitles and its address is none of the pack's business.
function portable({ path: _path, sidecars: _sidecars, ...video }: Video): Video {
  return { ...video, path: '', sidecars: [] }
}

// The file as FLAC, if that is smaller and gives back these bytes exactly; else undefined.
async function asFlac(
  path: string,
  { bytes, sha256 }: { bytes: number; sha256: string },
  to: string,
  signal?: AbortSignal,
): Promise<string | undefined> {
  {
    await using out = await open(to, 'wx', 0o600)
    const encoded = await pcmToFlac(path, async piece => void (await out.writeFile(piece)), signal).then(
      () => true,
      () => false,
    )
    signal?.throwIfAborted()
    if (!encoded) return undefined
  }
  const { size } = await stat(to)
  return size < bytes && (await givesBack(createReadStream(to), { bytes, sha256 }, signal)) ? to : undefined
}

async function file(name: string, path: string, expected?: number): Promise<Member> {
  const { size: bytes } = await stat(path)
  if (bytes !== (expected ?? bytes)) throw unreadable(join(path, '..'))
  return { name, bytes, content: () => createReadStream(path, { highWaterMark: 1 << 20 }) }
}

function memory(name: string, text: string): Member {
  const bytes = Buffer.from(text)
  return { name, bytes: bytes.length, content: () => [bytes] }
}

function unreadable(folder: string): StorageError {
  return new StorageError(`The result in ${folder} is not what its meta.json says; it was not sent to the store.`, {
    hint: 'Run "longtake config cache verify": it moves damaged results away, and the next command rebuilds them.',
  })
}

// Whether FLAC gives back just these bytes. An odd number of bytes, for one, has half a sample at its end.
async function givesBack(
  flac: AsyncIterable<Uint8Array>,
  expected: { bytes: number; sha256: string },
  signal?: AbortSignal,
): Promise<boolean> {
  const hash = createHash('sha256')
  const decoded = flacToPcm(flac, piece => void hash.update(piece), signal)
  const came = await decoded.then(
    () => true,
    () => false,
  )
  signal?.throwIfAborted()
  return came && hash.digest('hex') === expected.sha256
}

// A header that every tar reads. Nothing of this machine stands in it: no owner, no time.
export function tarHeader(name: string, bytes: number): Buffer {
  const header = Buffer.alloc(blockSize)
  if (Buffer.byteLength(name) > 100) throw new Error(`The name of a member is too long for a pack: ${name}`)
  header.write(name, 0)
  header.write('0000644\0', 100)
  header.write('0000000\0', 108)
  header.write('0000000\0', 116)
  if (bytes < 8 ** 11) header.write(`${bytes.toString(8).padStart(11, '0')}\0`, 124)
  else {
    header[124] = 0x80 // the number itself, in base 256
    header.writeBigUInt64BE(BigInt(bytes), 128)
  }
  header.write('00000000000\0', 136)
  header.write('        0', 148) // the sum is taken over blanks in its place; then the type
  header.write('ustar\x0000', 257, 'latin1')
  const sum = header.reduce((sum, byte) => sum + byte, 0)
  header.write(`${sum.toString(8).padStart(6, '0')}\0 `, 148)
  return header
}

const tarEnd = Buffer.alloc(2 * blockSize)
