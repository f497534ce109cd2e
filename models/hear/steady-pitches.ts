import { type PitchTrack, pitchTracks } from './pitch-tracks.ts'
import type { SoundFrame } from './sound-frame.ts'

const shortest = 8 // frames: a quarter of a second. Voices do not hold a pitch that long, instruments do.
const widest = 1.03 // highest over lowest

export interface Note {
  at: number // frame in which it begins
  pitches: number[]
}

export interface SteadyPitches {
  share: Float32Array // of each frame's power that lies on pitches which are held
  notes: Note[] // held pitches that begin together, in time order
}

export function steadyPitches(frames: readonly SoundFrame[]): SteadyPitches {
  const held = pitchTracks(frames).filter(track => track.to - track.from + 1 >= shortest && track.spread < widest)
  const share = new Float32Array(frames.length)
  for (const track of held) {
    for (let at = track.from; at <= track.to; at++) {
      const peak = frames[at]!.peaks.find(
        candidate => Math.abs(candidate.pitch - track.pitch) < Math.max(10, track.pitch * 0.02),
      )
      share[at] = Math.min(1, share[at]! + (peak?.share ?? 0))
    }
  }
  return { share, notes: notesOf(held) }
}

function notesOf(held: PitchTrack[]): Note[] {
  const notes: Note[] = []
  for (const { from, pitch } of held.sort((a, b) => a.from - b.from)) {
    const last = notes.at(-1)
    if (last && from - last.at <= 2) last.pitches.push(pitch)
    else notes.push({ at: from, pitches: [pitch] })
  }
  return notes
}
