import { type FileHandle, mkdtemp, open, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Video } from '../core/video.ts'
import { fileInput } from './input-options.ts'
import { extract } from './mp4/extract.ts'
import { placesOf } from './mp4/places.ts'
import { openTrack } from './mp4/track.ts'

// Pieces of an MP4 or MOV file that ffmpeg can open without reading the whole file's tables, which at twelve hours take it
// half a second and over a hundred megabytes in each process.
export interface PieceFiles {
  input(piece: number): Promise<string | undefined> // what ffmpeg is told to open; its picture is stream 0
  close(): Promise<void>
}

const runOut = 64 // samples after the end of a piece: enough to show the first frames of the next one

// One piece from the start, and one from each of these keyframes on; nothing where the file is better left to ffmpeg.
export async function pieceFiles(
  { path, container, picture }: Video,
  seams: number[],
): Promise<PieceFiles | undefined> {
  if (!picture || !/mp4|mov/.test(container) || path.includes('|')) return undefined
  const file = await open(path)
  const found = await openPieces(file, picture, seams).catch(() => undefined)
  if (!found) {
    await file.close()
    return undefined
  }
  await sweep()
  const folder = await mkdtemp(join(tmpdir(), `${prefix}${process.pid}-`))
  const { track, places } = found
  return {
    async input(piece) {
      const end = places[piece + 1] ? places[piece + 1].sample + runOut : track.samples
      const part = await extract(file, track, places[piece], end)
      if (!part) return undefined
      const head = join(folder, `${piece}.mp4`)
      await writeFile(head, part.head)
      return `concat:${fileInput(head)}|subfile,,start,${part.start},end,${part.end},,:${fileInput(path)}`
    },
    async close() {
      await file.close()
      await rm(folder, { recursive: true, force: true })
    },
  }
}

const prefix = 'longtake-pieces-'

// What runs that were killed have left behind.
async function sweep(): Promise<void> {
  for (const name of await readdir(tmpdir()).catch(() => [])) {
    const owner = name.startsWith(prefix) ? Number.parseInt(name.slice(prefix.length), 10) : process.pid
    if (!isAlive(owner)) await rm(join(tmpdir(), name), { recursive: true, force: true }).catch(() => {})
  }
}

function isAlive(id: number): boolean {
  try {
    process.kill(id, 0)
    return true
  } catch (error) {
    return (error as NodeJS.ErrnoException).code !== 'ESRCH'
  }
}

async function openPieces(file: FileHandle, picture: NonNullable<Video['picture']>, seams: number[]) {
  const track = await openTrack(file, picture.index)
  const places = track && (await placesOf(file, track, seams))
  // What ffmpeg says of the start is the proof that times are read as it reads them.
  return places && Math.abs(places[0].seconds - picture.start) < 0.001 ? { track, places } : undefined
}
