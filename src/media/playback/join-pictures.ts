import { BackendError } from '../../core/errors.ts'
import { quoteName } from '../file/local-file.ts'
import { runProgram } from '../program/run-program.ts'

// Writes JPEG files one after another as a video, a second each. They are copied as they are.
export async function joinPictures(pictures: readonly string[], file: string, signal: AbortSignal): Promise<void> {
  const entry = (path: string) => `file 'file:${path.replaceAll("'", "'\\''")}'\noption framerate 1\nduration 1\n`
  const input = ['-protocol_whitelist', 'file,pipe', '-f', 'concat', '-safe', '0', '-i', 'pipe:0']
  const args = ['-nostdin', '-hide_banner', '-loglevel', 'error', '-y', ...input, '-c', 'copy', '-f', 'matroska']
  await runProgram('ffmpeg', [...args, `file:${file}`], {
    signal,
    input: Buffer.from(pictures.map(entry).join('')),
    stallSeconds: 180,
  }).catch(cause => {
    if (!(cause instanceof BackendError)) throw cause
    throw new BackendError(`The pictures from ${quoteName(pictures[0] ?? '')} on cannot be joined: ${cause.message}`, {
      cause,
    })
  })
}
