import type { Box } from '../../core/evidence.ts'
import type { PictureStream } from '../../core/video.ts'
import { runProgram } from '../program/run-program.ts'

// Filter strings hold numbers of ours only, never a word from the file or the user.

const listed = new Map<string, Promise<Set<string>>>()

// Whether this ffmpeg was built with a filter.
async function hasFilter(name: string): Promise<boolean> {
  const program = process.env.LONGTAKE_FFMPEG ?? ''
  const filters = listed.get(program) ?? listFilters()
  listed.set(program, filters)
  return (await filters).has(name)
}

async function listFilters(): Promise<Set<string>> {
  const { stdout } = await runProgram('ffmpeg', ['-hide_banner', '-filters'], { timeoutSeconds: 30 })
  return new Set([...stdout.toString('utf8').matchAll(/(?<=^ \S{3} )\w+(?= )/gm)].map(([name]) => name))
}

// Writes each passing frame's presentation time in microseconds to a pipe, before the frame itself comes out.
// Only "pts" is exact there: "pts_time" is rounded to six digits. Gathered, some hundred times come at once and after their frames.
export function timesTo(pipe: number, { gathered = false } = {}): string {
  const print = `metadata=mode=print:file='pipe\\:${pipe}'${gathered ? '' : ':direct=1'}`
  return `settb=1/1000000,metadata=mode=add:key=n:value=1,${print}`
}

// The size a picture is given out in: at most `width` wide, never enlarged, even.
export function fittingSize(
  picture: Pick<PictureStream, 'width' | 'height'>,
  width?: number,
): { width: number; height: number } {
  const scale = width && width < picture.width ? width / picture.width : 1
  return { width: even(picture.width * scale), height: even(picture.height * scale) }
}

// Cuts out a part of the picture, whatever its size; begins with the comma.
export function cropTo(region?: Box): string {
  if (!region) return ''
  const cropSize = (size: string, fraction: number) => `max(2,${size}*${fraction.toFixed(4)})`.replaceAll(',', '\\,')
  const { x, y, width, height } = region
  return `,crop=${cropSize('iw', width)}:${cropSize('ih', height)}:iw*${x.toFixed(4)}:ih*${y.toFixed(4)}`
}

// Square pixels of that size. Rotation has been applied by ffmpeg before any filter of ours.
export function scaleTo({ width, height }: { width: number; height: number }): string {
  return `scale=${width}:${height}:flags=bicubic`
}

// HDR to standard range; undefined if the picture needs none, or if this ffmpeg cannot (see `staysPale`).
export async function toneMap(picture: PictureStream): Promise<string | undefined> {
  if (!picture.hdr || (await staysPale(picture))) return undefined
  return [
    'zscale=transfer=linear:npl=100',
    'format=gbrpf32le',
    'tonemap=tonemap=hable:desat=0',
    'zscale=primaries=bt709:transfer=bt709:matrix=bt709:range=tv',
    'format=yuv420p',
  ].join(',')
}

// True for an HDR picture that this ffmpeg cannot turn into standard range; the caller must say so.
export async function staysPale(picture: PictureStream): Promise<boolean> {
  return picture.hdr && !((await hasFilter('zscale')) && (await hasFilter('tonemap')))
}

function even(value: number): number {
  return Math.max(2, Math.round(value / 2) * 2)
}
