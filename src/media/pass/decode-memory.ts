import { countFitting, memoryRoom } from '../../core/machine/memory.ts'
import type { PictureStream } from '../../core/video.ts'

const program = 30 // MB of one ffmpeg without pictures
const framesKept = 24 // that a decoder and its filters hold: references, threads, what goes through the pipes
const heldMegabytes = 35 // MB of ours: a piece that waits for its turn, stills, sound

// What decoding with so many decoders side by side takes, MB; one of them reads the sound first.
export function decodeMegabytes(picture: PictureStream | undefined, atOnce: number): number {
  return heldMegabytes + program + atOnce * decoderMegabytes(picture)
}

// As many decoders as there is memory for.
export function decodersThatFit(picture: PictureStream | undefined, wanted: number): number {
  return memoryRoom() === undefined ? wanted : countFitting(wanted, decoderMegabytes(picture), heldMegabytes + program)
}

function decoderMegabytes(picture: PictureStream | undefined): number {
  if (!picture) return program
  const bytesOfPixel = picture.hdr ? 3 : 1.5
  return program + (framesKept * picture.width * picture.height * bytesOfPixel) / 1e6
}
