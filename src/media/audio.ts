import { type FileHandle, open } from 'node:fs/promises'
import { BackendError } from '../core/errors.ts'
import type { Span } from '../core/time.ts'
import type { AudioSource } from '../core/video.ts'

export const sampleRate = 16_000

// Sound that the decode pass has written to a file (s16le, 16 kHz, mono). The file is opened for each read, so nothing is left open.
// Of several places the first that is there counts: the file may move from one to the next while it is read.
export async function pcmFile(...places: string[]): Promise<AudioSource> {
  const file = await openFirst(places)
  const { size } = await file.stat().finally(() => file.close())
  const samples = Math.floor(size / 2)
  return {
    duration: samples / sampleRate,
    rate: sampleRate,
    async read(span) {
      const { first, count } = samplesIn(span, samples)
      const bytes = Buffer.alloc(count * 2)
      await using file = await openFirst(places)
      await readFully(file, bytes, first * 2)
      return pcmToFloats(bytes)
    },
  }
}

async function openFirst([path = '', ...others]: string[]): Promise<FileHandle> {
  return open(path, 'r').catch(error => {
    if (others.length === 0) throw error
    return openFirst(others)
  })
}

// A WAV file: 16 kHz, mono, 16 bits.
export function wavBytes(samples: Float32Array): Uint8Array {
  const bytes = Buffer.alloc(44 + samples.length * 2)
  bytes.write('RIFF', 0)
  bytes.writeUInt32LE(36 + samples.length * 2, 4)
  bytes.write('WAVEfmt ', 8)
  bytes.writeUInt32LE(16, 16)
  bytes.writeUInt16LE(1, 20) // PCM
  bytes.writeUInt16LE(1, 22) // one channel
  bytes.writeUInt32LE(sampleRate, 24)
  bytes.writeUInt32LE(sampleRate * 2, 28)
  bytes.writeUInt16LE(2, 32)
  bytes.writeUInt16LE(16, 34)
  bytes.write('data', 36)
  bytes.writeUInt32LE(samples.length * 2, 40)
  samples.forEach((sample, i) => {
    bytes.writeInt16LE(Math.max(-32_768, Math.min(32_767, Math.round(sample * 32_768))), 44 + i * 2)
  })
  return new Uint8Array(bytes)
}

// The samples of such a file.
export function wavSamples(wav: Uint8Array): Float32Array {
  return pcmToFloats(Buffer.from(wav.buffer, wav.byteOffset + 44, wav.byteLength - 44))
}

// Which samples a span covers, inside what there is.
export function samplesIn(span: Span, samples: number): { first: number; count: number } {
  const first = Math.min(samples, Math.max(0, Math.round(span.start * sampleRate)))
  const end = Math.min(samples, Math.max(first, Math.round(span.end * sampleRate)))
  return { first, count: end - first }
}

async function readFully(file: FileHandle, bytes: Buffer, position: number): Promise<void> {
  for (let at = 0; at < bytes.length; ) {
    const { bytesRead } = await file.read(bytes, at, bytes.length - at, position + at)
    if (bytesRead === 0) throw new BackendError('The sound file became shorter while it was read.')
    at += bytesRead
  }
}

export function pcmToFloats(bytes: Buffer): Float32Array {
  const samples = new Float32Array(bytes.length >> 1)
  for (let i = 0; i < samples.length; i++) samples[i] = bytes.readInt16LE(i * 2) / 32_768
  return samples
}
