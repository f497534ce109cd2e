import { BackendError } from '../../core/errors.ts'
import type { SubtitleStream, Video } from '../../core/video.ts'
import { ffmpegArguments } from '../ffmpeg/ffmpeg-command.ts'
import { runProgram } from '../program/program.ts'
import { maxSubtitleBytes } from './parse-subtitles.ts'

// The lines of a mov_text stream as SubRip in the bytes that they were written in: ffmpeg copies the packets without reading them, and
// lists their times and sizes beside.
export async function readPackets(
  video: Video,
  stream: SubtitleStream,
  signal: AbortSignal | undefined,
): Promise<Uint8Array> {
  const copy = ['-map', `0:${stream.index}`, '-c', 'copy']
  const args = ffmpegArguments({
    input: video,
    inputOptions: ['-copyts'],
    outputs: [
      { options: [...copy, '-f', 'data'], pipe: 1 },
      { options: [...copy, '-f', 'framecrc'], pipe: 3 },
    ],
  })
  const listed: Uint8Array[] = []
  const { stdout } = await runProgram('ffmpeg', args, {
    signal,
    stallSeconds: 180,
    maxStdoutBytes: maxSubtitleBytes,
    pipes: [
      async bytes => {
        for await (const piece of bytes) listed.push(Buffer.from(piece))
      },
    ],
  })
  return subRip(stdout, Buffer.concat(listed).toString('latin1'))
}

function subRip(packets: Buffer, list: string): Buffer {
  const [, up, down] = /^#tb 0: (\d+)\/(\d+)/m.exec(list) ?? []
  if (!up) throw new BackendError('ffmpeg listed no packets of the subtitle stream.')
  const seconds = (ticks: string) => (Number(ticks) * Number(up)) / Number(down)
  const parts: Buffer[] = []
  let at = 0
  for (const [, start = '', lasts = '', size] of list.matchAll(/^0,\s*-?\d+,\s*(-?\d+),\s*(\d+),\s*(\d+),/gm)) {
    const packet = packets.subarray(at, at + Number(size))
    at += Number(size)
    const length = packet.length >= 2 ? packet.readUInt16BE(0) : 0
    if (length === 0) continue // a pause
    const times = `${clock(seconds(start))} --> ${clock(seconds(start) + seconds(lasts))}\n`
    parts.push(Buffer.from(times), packet.subarray(2, 2 + length), Buffer.from('\n\n'))
  }
  return Buffer.concat(parts)
}

function clock(seconds: number): string {
  const ms = Math.max(0, Math.round(seconds * 1000))
  const two = (value: number) => String(Math.floor(value)).padStart(2, '0')
  return `${two(ms / 3_600_000)}:${two((ms / 60_000) % 60)}:${two((ms / 1000) % 60)},${String(ms % 1000).padStart(3, '0')}`
}
