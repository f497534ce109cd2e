import { type FileHandle, open } from 'node:fs/promises'
import { overlap, roundTime, type Span, spanLength } from '../../core/time.ts'
import type { Video } from '../../core/video.ts'
import { listPackets } from '../probe/ffprobe.ts'

interface PictureGaps {
  gaps: Span[] // longer than is usual between two frames
  usual: number // seconds from frame to frame
  tail?: Span // from the end of the last frame to the declared end
  soundGaps: Span[]
  soundEnd: number // 0 if there is no sound
  errors: number
  keyframesOnly: boolean
}

// Of the gaps between frames those in which something was lost; the others are frames that stand still for long, as in recordings of
// a screen. The packets of the file decide: a lasting frame has a duration that says so, or the next packet follows it in the file.
export async function pictureHoles(
  video: Video,
  { gaps, usual, tail, soundGaps, soundEnd, errors, keyframesOnly }: PictureGaps,
  signal: AbortSignal,
): Promise<Span[]> {
  const candidates = tail ? [...gaps, tail] : gaps
  if (candidates.length === 0) return []
  const isSilent = (gap: Span) => soundGaps.some(one => overlap(one, gap) > spanLength(gap) / 2)
  const isJump = (gap: Span) => spanLength(gap) > maxFrame && !(soundEnd > gap.end - 1)
  const open = candidates.filter(gap => !isSilent(gap) && !isJump(gap))
  const scanned = open.length > 0 ? await scan(video, open, usual, keyframesOnly, signal) : []
  // AVI counts frames instead of keeping times: what follows a hole comes too early.
  const torn = scanned?.find(one => one.torn !== undefined)?.torn
  if (tail && torn !== undefined && /avi/.test(video.container))
    return [...gaps.filter(gap => gap.end <= torn), { start: roundTime(torn + usual), end: tail.end }]
  const lasting = new Set<Span>()
  for (const scan of scanned ?? []) {
    const { gap, inside, insideBytes, covered, from, to, lost } = scan
    const isEmpty = inside === 0 || (errors === 0 && insideBytes <= inside * emptyPacket)
    if (!isEmpty || lost) continue
    if (/mp4|mov/.test(video.container) || gap === tail) {
      if (covered) lasting.add(gap)
    } else if (from === undefined || to === undefined) continue
    else if (/mpegts/.test(video.container)) {
      if (await readsOn(video.path, from, to)) lasting.add(gap)
    } else lasting.add(gap)
  }
  return candidates.filter(gap => !lasting.has(gap))
}

export const maxFrame = 3600 // seconds; where the sound does not go on either, the clock has jumped
const emptyPacket = 32 // bytes of a packet that says "as before"

interface Scanned {
  gap: Span
  inside: number // packets of the picture that lie in it
  insideBytes: number
  covered: boolean // the frame before it is said to last
  from?: number // offset in the file of the packet before it
  to?: number // and the one after
  torn?: number // the time of the last picture before the first such bytes in the file
  lost: boolean // there are bytes that belong to no packet
}

// Bytes that may lie between two packets of a file that is read from the front to the back.
const between: [RegExp, number][] = [
  [/matroska|webm|flv/, 1024],
  [/mp4|mov|mpegts/, Number.POSITIVE_INFINITY],
  [/./, 16 * 1024],
]

async function scan(
  video: Video,
  gaps: Span[],
  usual: number,
  keyframesOnly: boolean,
  signal: AbortSignal,
): Promise<Scanned[] | undefined> {
  const index = video.picture?.index
  const near = Math.min(0.02, usual / 2)
  const scans: Scanned[] = gaps.map(gap => ({ gap, inside: 0, insideBytes: 0, covered: false, lost: false }))
  const allowed = between.find(([kind]) => kind.test(video.container))?.[1] ?? 0
  let read = Number.POSITIVE_INFINITY // up to here in the file
  let lastTime = 0
  let torn: number | undefined // the time of the picture before bytes that belong to nothing
  let next = 0 // gaps before this one are over
  const take = (line: string) => {
    const match = packetLine.exec(line)
    if (!match) return
    const [stream, pts = 0, duration = 0, size = 0, pos = 0] = match.slice(1, 6).map(Number)
    if (Number.isFinite(pos)) {
      if (pos - read > allowed) {
        torn ??= lastTime
        scans[0]!.torn ??= lastTime
      }
      read = pos + size
    }
    if (stream !== index || !Number.isFinite(pts) || match[6]!.includes('D')) return
    if (keyframesOnly && !match[6]!.includes('K')) return
    const time = pts - video.start
    const lostSince = torn
    torn = undefined
    while (next < scans.length - 1 && scans[next]!.to !== undefined && scans[next]!.gap.end < time - late) next++
    for (let i = next; i < scans.length && scans[i]!.gap.start - usual < time + late; i++) {
      const scan = scans[i]!
      const { start, end } = scan.gap
      const before = start - usual
      if (lostSince !== undefined && lostSince < end - near && time > before + near) scan.lost = true
      if (time <= before + near) {
        scan.from = pos
        scan.covered = time + duration >= end - Math.max(0.1, usual)
      } else if (time < end - near) {
        scan.inside++
        scan.insideBytes += size
      } else scan.to ??= pos
    }
    lastTime = time
  }
  const show = 'packet=stream_index,pts_time,duration_time,size,pos,flags'
  const stream = Number.isFinite(allowed) ? undefined : index
  return (await listPackets(video.path, { stream, show }, take, signal)) === 0 ? scans : undefined
}

const late = 60 // seconds that a packet may come out of order: frames are stored in another order than they are shown in
const packetLine = /^(\d+),([-\d.]+|N\/A),([-\d.]+|N\/A),(\d+),(\d+|N\/A),([A-Z_]+)/

const maxBytes = 64 * 1024 * 1024 // that are looked at
const sync = 0x47

// Whether an MPEG transport stream is whole between two of its packets: none is damaged, and of the first one's stream none is missing.
async function readsOn(path: string, from: number, to: number): Promise<boolean> {
  await using file = await open(path)
  const size = await packetSize(file, from)
  if (!size) return false
  let stream: number | undefined
  let count: number | undefined
  const end = Math.min(to + size, from + maxBytes)
  const chunk = Buffer.alloc(size * 1024)
  for (let at = from; at < end; ) {
    const { bytesRead } = await file.read(chunk, 0, Math.min(chunk.length, end - at), at)
    if (bytesRead < size) break
    for (let i = 0; i + size <= bytesRead; i += size) {
      if (chunk[i] !== sync) return false
      const id = chunk.readUInt16BE(i + 1) & 0x1fff
      stream ??= id
      const flags = chunk[i + 3]!
      if (id !== stream || !(flags & 0x10)) continue
      const now = flags & 0x0f
      if (count !== undefined && now !== count && now !== ((count + 1) & 0x0f)) return false
      count = now
    }
    at += bytesRead - (bytesRead % size)
  }
  return true
}

// 188 bytes; 192 with a time before each; 204 with a checksum after each.
async function packetSize(file: FileHandle, at: number): Promise<number | undefined> {
  const head = Buffer.alloc(204 * 3)
  await file.read(head, 0, head.length, at)
  return [188, 192, 204].find(size => [0, size, 2 * size].every(place => head[place] === sync))
}
