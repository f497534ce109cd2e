import { type FileHandle, open } from 'node:fs/promises'
import type { Video } from '../../core/video.ts'
import { fileInput } from '../ffmpeg/input-options.ts'
import { extract } from '../mp4/extract.ts'
import { findKeyframes } from '../mp4/keyframe-positions.ts'
import { openTrack } from '../mp4/track.ts'

// Pieces of an MP4 or MOV file that ffmpeg can open without reading the whole file's tables, which at twelve hours take it
// half a second and over a hundred megabytes in each process.
interface PieceFiles {
  input(piece: number): Promise<string | undefined> // what ffmpeg opens; its picture is stream 0
  close(): Promise<void>
}

// Stores a small file under a name, replacing the one before, and returns its path.
export type KeepFile = (name: string, bytes: Uint8Array) => Promise<string>

const namesInTurn = 16 // more than pieces are ever in work
const runOut = 64 // samples after the end of a piece: enough to show the first frames of the next one

// One piece from the start, and one from each of these keyframes on; nothing if the file is better left to ffmpeg.
export async function pieceFiles(
  { path, container, picture }: Video,
  seams: number[],
  keep: KeepFile,
): Promise<PieceFiles | undefined> {
  if (!picture || !/mp4|mov/.test(container) || path.includes('|')) return undefined
  const file = await open(path)
  const pieces = await openPieces(file, picture, seams).catch(() => undefined)
  if (!pieces) {
    await file.close()
    return undefined
  }
  const { track, places } = pieces
  return {
    async input(piece) {
      const [from, next] = places.slice(piece, piece + 2)
      const end = next ? next.sample + runOut : track.samples
      // Tables that contradict themselves are left to ffmpeg too.
      const extracted = from && (await extract(file, track, from, end).catch(() => undefined))
      if (!extracted) return undefined
      const head = await keep(`head-${piece % namesInTurn}.mp4`, extracted.head)
      if (head.includes('|')) return undefined // a name that cannot be joined
      return `concat:${fileInput(head)}|subfile,,start,${extracted.start},end,${extracted.end},,:${fileInput(path)}`
    },
    close: () => file.close(),
  }
}

async function openPieces(file: FileHandle, picture: NonNullable<Video['picture']>, seams: number[]) {
  const track = await openTrack(file, picture.index)
  const places = track && (await findKeyframes(file, track, seams))
  const [first] = places ?? []
  if (!track || !places || !first) return undefined
  // What ffmpeg says of the start is the proof that times are read as it reads them.
  return Math.abs(first.seconds - picture.start) < 0.001 ? { track, places } : undefined
}
