import type { Span } from '../../core/time.ts'

// What fills the tracks of a fragmented MP4 file, in seconds; a track without samples is left out.
interface Filled {
  picture?: Span
  sound?: Span
}

// How many bytes come before the first fragment: what a player needs to know of all of them.
export function headLength(bytes: Buffer): number {
  return readBoxes(bytes).find(({ type }) => type === 'moof')?.start ?? bytes.length
}

export function filledSpans(bytes: Buffer): Filled {
  const top = readBoxes(bytes)
  const tracks = top.filter(({ type }) => type === 'moov').flatMap(({ content }) => readTracks(content))
  const entries: Filled = {}
  for (const { content } of top.filter(({ type }) => type === 'moof'))
    for (const fragment of inside(content, 'traf')) {
      const { id, start, length } = readFragment(fragment)
      const track = tracks.find(one => one.id === id)
      if (!track || length === undefined) continue
      const span = { start: start / track.timescale, end: (start + length) / track.timescale }
      const before = entries[track.kind]
      entries[track.kind] = before ? { start: before.start, end: span.end } : span
    }
  return entries
}

interface Box {
  type: string
  start: number
  content: Buffer
}

// They are ffmpeg's own and whole; what is cut off at the end is left out.
function readBoxes(bytes: Buffer): Box[] {
  const boxes: Box[] = []
  for (let start = 0; start + 8 <= bytes.length; ) {
    const length = bytes.readUInt32BE(start)
    if (length < 8 || start + length > bytes.length) break
    boxes.push({
      type: bytes.toString('latin1', start + 4, start + 8),
      start,
      content: bytes.subarray(start + 8, start + length),
    })
    start += length
  }
  return boxes
}

function inside(content: Buffer, type: string): Buffer[] {
  return readBoxes(content).flatMap(box => (box.type === type ? [box.content] : []))
}

function at(content: Buffer, path: string): Buffer | undefined {
  return path.split('/').reduce<Buffer | undefined>((found, type) => found && inside(found, type)[0], content)
}

function readTracks(movie: Buffer): { id: number; kind: keyof Filled; timescale: number }[] {
  return inside(movie, 'trak').flatMap(track => {
    const [head, mediaHead, handler] = [at(track, 'tkhd'), at(track, 'mdia/mdhd'), at(track, 'mdia/hdlr')]
    if (!head || !mediaHead || !handler) return []
    const id = head.readUInt32BE(head[0] === 1 ? 20 : 12)
    const timescale = mediaHead.readUInt32BE(mediaHead[0] === 1 ? 20 : 12)
    return [{ id, kind: handler.toString('latin1', 8, 12) === 'vide' ? 'picture' : 'sound', timescale }]
  })
}

// Where a fragment of a track begins and how long it is, in the track's units; the length is missing where it holds no sample.
function readFragment(part: Buffer): { id: number; start: number; length?: number } {
  const head = at(part, 'tfhd') as Buffer
  const time = at(part, 'tfdt') as Buffer
  const flags = head.readUInt32BE(0)
  const usual = flags & 0x8 ? head.readUInt32BE(8 + (flags & 0x1 ? 8 : 0) + (flags & 0x2 ? 4 : 0)) : 0
  const runs = inside(part, 'trun').map(run => runLength(run, usual))
  const start = time[0] === 1 ? Number(time.readBigUInt64BE(4)) : time.readUInt32BE(4)
  return {
    id: head.readUInt32BE(4),
    start,
    ...(runs.length > 0 && { length: runs.reduce((sum, length) => sum + length, 0) }),
  }
}

function runLength(run: Buffer, usual: number): number {
  const flags = run.readUInt32BE(0)
  const count = run.readUInt32BE(4)
  if (!(flags & 0x100)) return count * usual
  const entry = 4 * [0x100, 0x200, 0x400, 0x800].filter(flag => flags & flag).length
  const first = 8 + (flags & 0x1 ? 4 : 0) + (flags & 0x4 ? 4 : 0)
  return Array.from({ length: count }, (_, n) => run.readUInt32BE(first + n * entry)).reduce((sum, one) => sum + one, 0)
}
