import type { PictureStream } from '../../core/video.ts'
import { fittingSize, scaleTo, toneMap } from '../ffmpeg/filters.ts'

// The size in which a picture is shown: at most so many lines.
export function playbackSize(picture: PictureStream, height: number): { width: number; height: number } {
  return fittingSize(picture, Math.round((picture.width * height) / picture.height))
}

// A filter: the picture as every browser shows it, with square pixels, in standard range, in the colours of HD.
export async function shownPicture(picture: PictureStream, height: number): Promise<string> {
  const tones = await toneMap(picture)
  const scaled = scaleTo(playbackSize(picture, height))
  const coloured = tones ? `${scaled},${tones}` : `${scaled}:out_color_matrix=bt709:out_range=tv`
  return `${coloured},format=yuv420p,setsar=1`
}

// Without them browsers guess the colours, and guess wrong.
export const colourTags = [
  ...['-colorspace', 'bt709', '-color_primaries', 'bt709', '-color_trc', 'bt709', '-color_range', 'tv'],
]

export const soundRate = 48_000

// A filter: samples from the beginning of the span on, gaps filled with silence.
export const shownSound = `aresample=${soundRate}:async=1:first_pts=0:min_hard_comp=0.02,aformat=sample_fmts=s16:channel_layouts=stereo`
