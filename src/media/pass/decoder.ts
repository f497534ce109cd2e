import { stat } from 'node:fs/promises'
import { withDeadline } from '../../core/basics/signals.ts'
import { absentAs, forbidden, UsageError } from '../../core/errors.ts'
import type { IndexSettings } from '../../core/settings.ts'
import { openingClock } from '../ffmpeg/clock.ts'
import { quoteName } from '../file/local-file.ts'
import { lastLine, runProgram } from '../program/run-program.ts'
import { onCard, type PassWork } from './pass-command.ts'
import { runPass } from './pass-run.ts'

// What decoded the picture, and why it was not the graphics card where that was considered.
export interface DecoderUsed {
  used: 'software' | 'cuda'
  why?: string
}

// The graphics card decodes only what it was seen to decode: one second of this very file, by the very command of the pass.
export async function chooseDecoder(
  work: PassWork,
  wanted: IndexSettings['decoder'],
  signal: AbortSignal,
): Promise<DecoderUsed> {
  if (wanted === 'software' || !work.picture) return { used: 'software' }
  const why = (await whyNoCard()) ?? whyNotOnCard(work) ?? (await trial(work, signal))
  if (why === undefined) return { used: 'cuda' }
  if (wanted === 'cuda')
    throw new UsageError(
      `index.decoder is "cuda", and ${quoteName(work.video.name)} cannot be decoded on a graphics card: ${why}.`,
      { hint: 'Set index.decoder to auto or software; "longtake doctor gpu" shows what a card still needs.' },
    )
  return { used: 'software', why }
}

const maxTrial = 30 // seconds

// Undefined if a card decodes a second of video that ffmpeg itself has made.
export async function whyNoCudaDecoding(): Promise<string | undefined> {
  const none = await whyNoCard()
  if (none) return none
  const source = ['-f', 'lavfi', '-i', 'testsrc2=s=320x180:r=25:d=1', '-c:v', 'libx264', '-pix_fmt', 'yuv420p']
  const quiet = ['-nostdin', '-hide_banner', '-loglevel', 'error']
  const encoded = await runProgram('ffmpeg', [...quiet, ...source, '-f', 'mpegts', 'pipe:1'], {
    timeoutSeconds: maxTrial,
    failure: 'return',
  })
  if (encoded.code !== 0) return `ffmpeg could not make a video to try it on: ${lastLine(encoded.stderr)}`
  const decode = [...onCard, '-i', 'pipe:0', '-vf', 'scale_cuda=64:36:format=yuv420p,hwdownload,format=yuv420p']
  const { code, stderr } = await runProgram('ffmpeg', [...quiet.slice(1), ...decode, '-f', 'null', '-'], {
    input: encoded.stdout,
    timeoutSeconds: maxTrial,
    failure: 'return',
  })
  return code === 0 ? undefined : lastLine(stderr)
}

async function whyNoCard(): Promise<string | undefined> {
  if (process.platform === 'win32') return undefined
  const devices = ['/dev/nvidiactl', '/dev/dxg'] // the second is a card of Windows seen from its Linux
  const deviceStats = await Promise.all(devices.map(path => stat(path).catch(absentAs(undefined, ...forbidden))))
  return deviceStats.some(Boolean) ? undefined : 'there is no NVIDIA card here'
}

function whyNotOnCard({ picture }: PassWork): string | undefined {
  if (picture?.hdr) return 'HDR is turned into standard range on the processor'
  return picture?.rotation ? 'pictures are turned upright on the processor' : undefined
}

async function trial(work: PassWork, signal: AbortSignal): Promise<string | undefined> {
  const span = { start: 0, end: 1 }
  const clock = openingClock({ ...work.video, sound: undefined }, span)
  let frames = 0
  const count = () => void frames++
  const tried: PassWork = { ...work, sound: undefined, span, clock, decoder: 'cuda', threads: 1 }
  const limit = withDeadline(maxTrial, signal)
  const { code, said } = await runPass(tried, { small: count, still() {}, sound() {} }, limit.signal)
    .catch(error => {
      if (!limit.signal.aborted || signal.aborted) throw error
      return { code: 1, said: `nothing came within ${maxTrial} s` }
    })
    .finally(limit.clear)
  if (code !== 0) return said || `ffmpeg ended with code ${code}`
  return frames > 0 ? undefined : 'no picture came from it'
}
