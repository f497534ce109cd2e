import { sampleRate } from './audio.ts'
import { runProgram } from './program/run-program.ts'

const pcm = ['-f', 's16le', '-ar', String(sampleRate), '-ac', '1'] as const
const quiet = ['-nostdin', '-hide_banner', '-loglevel', 'error'] as const
const stallSeconds = 120

type Piece = (piece: Uint8Array) => void | Promise<void>

// The sound of the decode pass as FLAC, which is lossless and about half as large.
export async function pcmToFlac(path: string, write: Piece, signal?: AbortSignal): Promise<void> {
  const input = ['-protocol_whitelist', 'file', ...pcm, '-i', `file:${path}`]
  await runProgram('ffmpeg', [...quiet, ...input, '-c:a', 'flac', '-compression_level', '5', '-f', 'flac', 'pipe:1'], {
    onStdout: write,
    stallSeconds,
    signal,
  })
}

// And back: the same samples. What comes is a stranger's, and nothing but FLAC is read from it.
export async function flacToPcm(flac: AsyncIterable<Uint8Array>, write: Piece, signal?: AbortSignal): Promise<void> {
  const whitelist = ['-protocol_whitelist', 'pipe', '-format_whitelist', 'flac', '-codec_whitelist', 'flac']
  await runProgram(
    'ffmpeg',
    [...quiet, ...whitelist, '-f', 'flac', '-i', 'pipe:0', '-map', '0:a:0', ...pcm, 'pipe:1'],
    { input: flac, onStdout: write, stallSeconds, signal },
  )
}
