import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import type { FileHandle } from 'node:fs/promises'
import { extract } from '../../../src/media/mp4/extract.ts'
import { findKeyframes } from '../../../src/media/mp4/keyframe-positions.ts'
import { type Mp4Track, openTrack } from '../../../src/media/mp4/track.ts'
import { dictionary } from '../dictionary.ts'
import { mutateBytes } from '../mutate/bytes.ts'
import type { Draw } from '../mutate/draw.ts'
import { scratch } from '../scratch.ts'
import { Breach, promise, type Target } from '../target.ts'

const mp4: Target = {
  name: 'mp4',
  summary: 'tables of MP4 and MOV files',
  guided: /src\/media\/mp4\//,
  seeds: async () => forms.map(makeSmallFile),
  mutate(input, draw, other) {
    const boxed = draw.chance(0.6) ? mutateBoxes(input, draw, other) : input
    return boxed === input || draw.chance(0.3) ? mutateBytes(boxed, draw, other, dictionary.boxes) : boxed
  },
  async run(input) {
    const file = inMemory(input)
    for (const index of [0, 1]) {
      const track = await openTrack(file, index)
      if (!track) continue
      checkTrack(track, input.length)
      for (const seams of [[], [0.5], [1, 2]]) {
        // Tables that contradict themselves are left to ffmpeg, by an error or by nothing: openPieces takes both as that.
        const places = await leftToFfmpeg(() => findKeyframes(file, track, seams))
        for (const [i, place] of (places ?? []).entries()) {
          promise(Number.isFinite(place.seconds) && place.sample < track.samples, 'a place lies inside the track')
          const extracted = await leftToFfmpeg(() =>
            extract(file, track, place, places?.[i + 1]?.sample ?? track.samples),
          )
          if (!extracted) continue
          promise(
            extracted.start >= 0 && extracted.end > extracted.start,
            `an extract has a length: ${extracted.start} to ${extracted.end}`,
          )
          promise(extracted.end <= input.length, `an extract lies inside the file: ${extracted.end} of ${input.length}`)
        }
      }
    }
  },
}

export default mp4

const forms = [
  ['-c:v', 'libx264', '-g', '5', '-bf', '2', '-f', 'mp4'],
  ['-c:v', 'libx264', '-g', '5', '-bf', '0', '-movflags', '+faststart', '-f', 'mp4'],
  ['-c:v', 'libx264', '-g', '10', '-output_ts_offset', '0.4', '-f', 'mov'],
  ['-c:v', 'rawvideo', '-pix_fmt', 'rgb24', '-s', '4x4', '-f', 'mov'],
]

function makeSmallFile(form: string[], at: number): Buffer {
  const path = scratch(`seed-${at}.mp4`)
  const source = ['-f', 'lavfi', '-i', 'testsrc2=s=16x16:r=10:d=3', '-f', 'lavfi', '-i', 'anullsrc=r=8000:cl=mono:d=1']
  const sound = at === 1 ? ['-map', '0:v', '-map', '1:a', '-c:a', 'aac', '-shortest'] : ['-map', '0:v']
  execFileSync('ffmpeg', ['-nostdin', '-v', 'error', '-y', ...source, ...sound, '-threads', '1', ...form, path])
  return readFileSync(path)
}

const tables = ['stsz', 'stts', 'stsc', 'stco', 'ctts', 'stss', 'elst', 'mdhd', 'mvhd', 'tkhd', 'stsd', 'hdlr']

// A box cut out or doubled with the lengths of those around it kept right, or a number of a table changed.
function mutateBoxes(input: Buffer, draw: Draw, other: Buffer): Buffer {
  const type = draw.of(draw.chance(0.5) ? tables : dictionary.boxes)
  const at = input.indexOf(type, 0, 'latin1') - 4
  if (at < 0) return mutateBytes(input, draw, other)
  const length = input.readUInt32BE(at)
  if (length < 8 || at + length > input.length) return mutateBytes(input, draw, other)
  const box = input.subarray(at, at + length)
  if (draw.chance(0.6) && length > 12) {
    const changed = Buffer.from(input)
    const field = at + 8 + 4 * draw.below(Math.floor((length - 8) / 4))
    const value = draw.of([0, 1, 2, 3, 10, 0x7fffffff, 0x80000000, 0xffffffff, 0x10000, input.length, draw.below(64)])
    changed.writeUInt32BE(value, field)
    return changed
  }
  const put = draw.chance(0.5) ? Buffer.alloc(0) : Buffer.concat([box, box])
  const changed = Buffer.concat([input.subarray(0, at), put, input.subarray(at + length)])
  for (const outer of ['moov', 'trak', 'mdia', 'minf', 'stbl', 'edts']) {
    const start = input.indexOf(outer, 0, 'latin1') - 4
    if (start < 0 || start >= at || start + input.readUInt32BE(start) < at + length) continue
    changed.writeUInt32BE((input.readUInt32BE(start) + put.length - length) >>> 0, start)
  }
  return changed
}

function checkTrack(track: Mp4Track, size: number): void {
  promise(track.timescale > 0 && Number.isFinite(track.edit.shift), 'times have a scale')
  promise(Number.isInteger(track.samples) && track.samples >= 0, 'samples are counted')
  for (const [name, table] of Object.entries(track.tables)) {
    if (table) promise(table.start + table.count * table.entry <= size, `the table ${name} lies inside the file`)
  }
}

async function leftToFfmpeg<Result>(work: () => Promise<Result>): Promise<Result | undefined> {
  return work().catch((error: unknown) => {
    if (error instanceof Breach) throw error
    return undefined
  })
}

// What the reader asks of an open file, with a promise of its own: it reads only inside of it.
function inMemory(bytes: Buffer): FileHandle {
  const file = {
    stat: async () => ({ size: bytes.length }),
    async read(into: Buffer, offset: number, length: number, position: number) {
      promise(Number.isSafeInteger(position) && position >= 0, `reads begin inside the file, not at ${position}`)
      const bytesRead = position >= bytes.length ? 0 : bytes.copy(into, offset, position, position + length)
      return { bytesRead, buffer: into }
    },
  }
  return file as unknown as FileHandle
}
