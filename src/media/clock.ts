import type { Span } from '../core/time.ts'
import type { Video } from '../core/video.ts'

// How to open a file so that the times of its frames are known on our clock.
export interface Clock {
  inputOptions: string[]
  zero: number // the time on ffmpeg's clock that is our second 0
}

// Opened at its start or, for a span, at the keyframe before it; frames before the span are left to the caller's filters.
// The video is to hold just the streams that will be read.
export function openingClock(video: Video, span?: Span): Clock {
  if (span && span.start > 0) {
    const at = (video.start + span.start).toFixed(6)
    return { inputOptions: ['-copyts', '-noaccurate_seek', '-seek_timestamp', '1', '-ss', at], zero: video.start }
  }
  if (!/mpegts|mpeg/.test(video.container)) return { inputOptions: ['-copyts'], zero: video.start }
  // Joined recordings start their clock again in the middle. ffmpeg mends that for the kinds of file where it happens, but only
  // when it also moves the first frame that is read to 0. A gap without a jump back is a real pause of up to an hour.
  const first = Math.min(
    video.picture?.start ?? Number.POSITIVE_INFINITY,
    video.sound?.start ?? Number.POSITIVE_INFINITY,
  )
  return { inputOptions: ['-dts_delta_threshold', '3600'], zero: video.start - first }
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

  // As one that has told `last` already.
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
