import { z } from 'zod'
import { BackendError } from '../../core/errors.ts'
import { fileInput, safeInput, tooLarge, unreadable } from '../ffmpeg/input-options.ts'
import { byLine } from '../ffmpeg/split-bytes.ts'
import { type LocalFile, quoteName, readHead } from '../file/local-file.ts'
import { checkProgram } from '../program/check-program.ts'
import { explainExit, killed, killedHint, runProgram } from '../program/run-program.ts'

// ffprobe writes numbers as text, and leaves out or writes "N/A" what it does not know.
const number = z.preprocess(value => {
  const parsed = Number.parseFloat(String(value))
  return Number.isFinite(parsed) ? parsed : undefined
}, z.number().optional())

const ProbedStream = z.object({
  index: z.number(),
  codec_type: z.string().optional(),
  codec_name: z.string().optional(),
  codec_tag_string: z.string().optional(),
  profile: z.string().optional(),
  level: number,
  pix_fmt: z.string().optional(),
  width: number,
  height: number,
  sample_aspect_ratio: z.string().optional(),
  color_transfer: z.string().optional(),
  avg_frame_rate: z.string().optional(),
  r_frame_rate: z.string().optional(),
  nb_frames: number,
  channels: number,
  sample_rate: number,
  start_time: number,
  duration: number,
  disposition: z.record(z.string(), z.number()).default({}),
  tags: z.record(z.string(), z.string()).default({}),
  side_data_list: z.array(z.looseObject({ side_data_type: z.string().optional(), rotation: number })).default([]),
})
export type ProbedStream = z.infer<typeof ProbedStream>

const Probed = z.object({
  streams: z.array(ProbedStream).default([]),
  format: z
    .object({ format_name: z.string().default('unknown'), start_time: number, duration: number })
    .default({ format_name: 'unknown', start_time: undefined, duration: undefined }),
})
export type Probed = z.infer<typeof Probed>

// What ffprobe says is in the file; an InputError where it cannot.
export async function ffprobe(file: LocalFile): Promise<Probed> {
  const args = ['-hide_banner', '-v', 'error', ...safeInput, '-show_format', '-show_streams', '-of', 'json']
  const { code, stdout, stderr } = await runProgram('ffprobe', [...args, '-i', fileInput(file.path)], {
    failure: 'return',
    timeoutSeconds: 120,
    maxStdoutBytes: 8 * 1024 * 1024,
  })
  const name = quoteName(file.name)
  if (code === killed)
    throw new BackendError(`ffprobe ended on ${name}: ${explainExit(code, stderr)}.`, { hint: killedHint })
  if (code > 128) throw new BackendError(`ffprobe crashed on ${name} with signal ${code - 128}.`, { retryable: true })
  const size = /Picture size (\d+x\d+) exceeds/.exec(stderr)?.[1]
  if (size) throw tooLarge(name, size)
  const parsed = code === 0 ? jsonIn(stdout) : undefined
  if (parsed === undefined) await checkProgram('ffprobe')
  if (code !== 0) throw unreadable(name, stderr, await readHead(file.path))
  const probed = Probed.safeParse(parsed)
  if (!probed.success)
    throw new BackendError(`ffprobe returned output for ${name} that could not be parsed.`, {
      hint: 'Check the program: ffprobe -version; LONGTAKE_FFPROBE names another one.',
      cause: probed.error,
    })
  return probed.data
}

function jsonIn(stdout: Buffer): unknown {
  try {
    return JSON.parse(stdout.toString('utf8'))
  } catch {
    return undefined
  }
}

interface PacketTimes {
  first: number
  end: number
  packets: number
  untimed: number // packets before the first one with a time
  jump?: { from: number; to: number } // where the clock first runs ahead by more than an hour
}

const maxPause = 3600 // seconds

// The packets of a file as ffprobe lists them, a line each, without decoding anything. Returns ffprobe's exit code: a file that ends
// in the middle is listed up to there.
export async function listPackets(
  path: string,
  { show, stream, intervals }: { show: string; stream?: number; intervals?: string },
  take: (line: string) => void,
  signal?: AbortSignal,
): Promise<number> {
  const args = [
    ...['-hide_banner', '-v', 'error', ...safeInput],
    ...(stream === undefined ? [] : ['-select_streams', String(stream)]),
    ...(intervals === undefined ? [] : ['-read_intervals', intervals]),
    ...['-show_entries', show, '-of', 'csv=p=0', '-i', fileInput(path)],
  ]
  const options = { signal, failure: 'return', stallSeconds: 120, onStdout: byLine(take) } as const
  return (await runProgram('ffprobe', args, options)).code
}

// Whether the first packet of a stream says when it is shown.
export async function hasTime({ path }: LocalFile, stream: number): Promise<boolean> {
  const lines: string[] = []
  await listPackets(path, { stream, intervals: '%+#1', show: 'packet=pts_time' }, line => lines.push(line))
  return !lines[0]?.startsWith('N/A')
}

// The times of a stream's packets, read one after the other: for files that do not say how long they are.
export async function packetTimes({ path }: LocalFile, stream: number): Promise<PacketTimes | undefined> {
  const times: PacketTimes = { first: Number.POSITIVE_INFINITY, end: Number.NEGATIVE_INFINITY, packets: 0, untimed: 0 }
  const take = (line: string) => {
    const [pts = Number.NaN, duration = Number.NaN] = line.split(',').map(Number.parseFloat)
    times.packets++
    if (!Number.isFinite(pts)) {
      if (!Number.isFinite(times.first)) times.untimed++
      return
    }
    if (pts - times.end > maxPause && Number.isFinite(times.end)) times.jump ??= { from: times.end, to: pts }
    times.first = Math.min(times.first, pts)
    times.end = Math.max(times.end, pts + (Number.isFinite(duration) ? duration : 0))
  }
  await listPackets(path, { stream, show: 'packet=pts_time,duration_time' }, take)
  return times.packets > 0 ? times : undefined
}
