import type { SoundFrame } from './sound-frame.ts'

// A pitch that goes on from frame to frame.
export interface PitchTrack {
  from: number // first frame
  to: number // last frame
  pitch: number // Hz, the mean
  spread: number // highest over lowest, from 1
}

interface Open extends PitchTrack {
  last: number
  low: number
  high: number
}

// Links the peaks of neighbouring frames that differ by less than a quarter tone or so.
export function pitchTracks(frames: readonly SoundFrame[]): PitchTrack[] {
  const tracks: Open[] = []
  let open: Open[] = []
  frames.forEach((frame, at) => {
    const going: Open[] = []
    for (const { pitch } of frame.peaks) {
      const near = Math.max(7, pitch * 0.012)
      const track = open.find(candidate => Math.abs(candidate.last - pitch) < near && !going.includes(candidate))
      if (track) {
        track.pitch += (pitch - track.pitch) / (at - track.from + 1)
        Object.assign(track, {
          to: at,
          last: pitch,
          low: Math.min(track.low, pitch),
          high: Math.max(track.high, pitch),
        })
        going.push(track)
      } else {
        const begun = { from: at, to: at, pitch, spread: 1, last: pitch, low: pitch, high: pitch }
        tracks.push(begun)
        going.push(begun)
      }
    }
    open = going
  })
  for (const track of tracks) track.spread = track.high / track.low
  return tracks
}
