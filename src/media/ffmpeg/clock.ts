import type { Span } from '../../core/time.ts'
import type { PictureStream, Video } from '../../core/video.ts'

// How to open a file so that the times of its frames are known on our clock.
export interface MediaClock {
  inputOptions: string[]
  zero: number // the time on ffmpeg's clock that is our second 0
  fromStart?: true // the file is read from its first frame on
}

// Opened at its start or, for a span, at the keyframe before it; frames before the span are left to the caller's filters.
// The video is to hold just the streams that will be read.
export function openingClock(video: Video, span?: Span): MediaClock {
  if (span && span.start > 0 && !isUntimed(video.picture, video.start + span.start)) {
    const at = (video.start + span.start).toFixed(6)
    return { inputOptions: ['-copyts', '-noaccurate_seek', '-seek_timestamp', '1', '-ss', at], zero: video.start }
  }
  if (!/mpegts|mpeg/.test(video.container)) return { inputOptions: ['-copyts'], zero: video.start, fromStart: true }
  // Joined recordings start their clock again in the middle. ffmpeg fixes that for the containers where it happens, but only
  // when it also moves the first frame that is read to 0. A gap without a jump back is a real pause of up to an hour.
  const first = Math.min(
    video.picture?.start ?? Number.POSITIVE_INFINITY,
    video.sound?.start ?? Number.POSITIVE_INFINITY,
  )
  return { inputOptions: ['-dts_delta_threshold', '3600'], zero: video.start - first }
}

// Where frames have no time a file cannot be entered by time.
function isUntimed(picture: PictureStream | undefined, time: number): boolean {
  return picture?.untimed !== undefined && time <= picture.start + picture.untimed / (picture.frameRate ?? 25)
}

// A filter that gives the untimed frames at the beginning their times.
export function timeUntimed({ untimed, start, frameRate = 25 }: PictureStream, { fromStart }: MediaClock): string {
  return untimed && fromStart ? `setpts='if(lt(N,${untimed}),(${start.toFixed(6)}+N/${frameRate})/TB,PTS)',` : ''
}

// Seconds on our clock from seconds on ffmpeg's. Never backwards: finders of shots rely on it.
export class FrameClock {
  #last = Number.NEGATIVE_INFINITY
  jumpedAt: number | undefined // where the file's own clock first ran back by more than half a second
  readonly #zero: number
  readonly #step: number

  constructor(zero: number, frameRate = 25) {
    this.#zero = zero
    this.#step = 1 / frameRate
  }

  get last(): number {
    return this.#last
  }

  // Resumes after the frame at `last`.
  goOnFrom(last: number, jumpedAt: number | undefined): void {
    this.#last = last
    this.jumpedAt = jumpedAt
  }

  time(raw: number | undefined): number {
    let time = raw === undefined ? this.#last + this.#step : raw - this.#zero
    if (!Number.isFinite(time)) time = 0
    if (time <= this.#last) {
      if (time < this.#last - 0.5) this.jumpedAt ??= this.#last
      time = this.#last + 0.001
    }
    this.#last = time
    return time
  }
}
