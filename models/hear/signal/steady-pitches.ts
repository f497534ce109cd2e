import type { SoundFrame } from './sound-frame.ts'

const minFrames = 8 // a quarter of a second. Voices do not hold a pitch that long, instruments do.
const maxSpread = 1.03 // highest over lowest

export interface Note {
  at: number // frame in which it begins
  pitches: number[]
}

export interface SteadyPitches {
  share: Float32Array // of each frame's power that lies on pitches which are held
  notes: Note[] // held pitches that begin together, in time order
}

// The pitches that are held from frame to frame.
export function steadyPitches(frames: readonly SoundFrame[]): SteadyPitches {
  const share = new Float32Array(frames.length)
  const notes: Note[] = []
  for (const { from, to, pitch, low, high } of pitchTracks(frames)) {
    if (to - from + 1 < minFrames || high / low >= maxSpread) continue
    for (const [i, frame] of frames.slice(from, to + 1).entries()) {
      const peak = frame.peaks.find(candidate => Math.abs(candidate.pitch - pitch) < Math.max(10, pitch * 0.02))
      share[from + i] = Math.min(1, share[from + i]! + (peak?.share ?? 0))
    }
    const last = notes.at(-1)
    if (last && from - last.at <= 2) last.pitches.push(pitch)
    else notes.push({ at: from, pitches: [pitch] })
  }
  return { share, notes }
}

// A pitch that goes on from frame to frame, in Hz.
interface PitchTrack {
  from: number // first frame
  to: number // last frame
  pitch: number // the mean
  last: number
  low: number
  high: number
}

// Links the peaks of neighbouring frames that differ by less than a quarter tone or so. In the order of their beginnings.
function pitchTracks(frames: readonly SoundFrame[]): PitchTrack[] {
  const tracks: PitchTrack[] = []
  let open: PitchTrack[] = []
  for (const [at, { peaks }] of frames.entries()) {
    const continued: PitchTrack[] = []
    for (const { pitch } of peaks) {
      const tolerance = Math.max(7, pitch * 0.012)
      let track = open.find(known => Math.abs(known.last - pitch) < tolerance && !continued.includes(known))
      if (track) {
        track.pitch += (pitch - track.pitch) / (at - track.from + 1)
        track.low = Math.min(track.low, pitch)
        track.high = Math.max(track.high, pitch)
      } else {
        track = { from: at, to: at, pitch, last: pitch, low: pitch, high: pitch }
        tracks.push(track)
      }
      track.to = at
      track.last = pitch
      continued.push(track)
    }
    open = continued
  }
  return tracks
}
