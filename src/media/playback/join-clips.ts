import { join } from 'node:path'
import { BackendError } from '../../core/errors.ts'
import type { Span } from '../../core/time.ts'
import { quoteName } from '../file/local-file.ts'
import { runProgram } from '../program/run-program.ts'
import { type ClipWork, makeClip } from './clip.ts'

interface ClipsWork extends Omit<ClipWork, 'span'> {
  spans: readonly Span[] // in the order of the clip
  folder: string // for the pieces; the caller removes it
}

// Writes spans of a video one after another as one MP4 file. Each is cut by itself, so that nothing between them is decoded.
export async function joinClips({ spans, folder, ...work }: ClipsWork, file: string): Promise<void> {
  const [only, ...others] = spans
  if (only && others.length === 0) return makeClip({ ...work, span: only }, file)
  const pieces = spans.map((_, at) => join(folder, `${at}.mp4`))
  for (const [at, span] of spans.entries()) await makeClip({ ...work, span }, pieces[at] ?? '')
  // The list is ours, and names nothing but the pieces.
  const list = pieces.map(piece => `file 'file:${piece.replaceAll("'", "'\\''")}'\n`).join('')
  const input = ['-protocol_whitelist', 'file,pipe', '-f', 'concat', '-safe', '0', '-i', 'pipe:0']
  const args = ['-nostdin', '-hide_banner', '-loglevel', 'error', '-y', ...input]
  const output = ['-c', 'copy', '-movflags', '+faststart', '-f', 'mp4', `file:${file}`]
  await runProgram('ffmpeg', [...args, ...output], {
    signal: work.signal,
    input: Buffer.from(list),
    stallSeconds: 180,
  }).catch(cause => {
    if (!(cause instanceof BackendError)) throw cause
    throw new BackendError(`The clips of ${quoteName(work.video.name)} cannot be joined: ${cause.message}`, { cause })
  })
}
