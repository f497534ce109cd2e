import { lowerQuantile, lowerQuantileBy } from '../../quantile.ts'
import type { SoundEventKind } from './sound-event.ts'
import type { SoundFrame } from './sound-frame.ts'
import type { Note, SteadyPitches } from './steady-pitches.ts'

const reach = 19 // frames to each side that decide about one: 1.2 s in all
const noteReach = 94 // frames to each side whose notes may make music: 6 s in all
const step = 4 // frames decided at a time

// Limits found on recordings of music, noise and speech and on generated sounds; see the notes in the tests.
const limits = {
  heldInMusic: 0.18, // share of the power on held pitches
  voicedInSpeech: 0.6, // periodicity of the voiced moments
  rangeOfSpeech: 7, // decibels between the loud and the quiet moments
  surelyVoiced: 0.85, // where the range does not matter
  crackle: 3.8, // decibels from one 4 ms to the next
  heldInHum: 0.3,
  backdrop: -44, // decibels below full scale
  rumble: 350, // Hz: half of the power lies below
  hiss: 2500,
}

// What each frame belongs to when nothing singular happens in it; undefined in silence.
export function textures(
  frames: readonly SoundFrame[],
  { share, notes }: SteadyPitches,
  left: (at: number) => boolean, // frames that are silent or belong to a sound of their own
): (SoundEventKind | undefined)[] {
  const kinds: (SoundEventKind | undefined)[] = new Array(frames.length).fill(undefined)
  for (let at = 0; at < frames.length; at += step) {
    const middle = at + step / 2
    const near: number[] = []
    for (let i = Math.max(0, middle - reach); i < Math.min(frames.length, middle + reach); i++)
      if (!left(i)) near.push(i)
    if (near.length < 3) continue
    const notesNear = notes.filter(note => Math.abs(note.at - middle) <= noteReach)
    const kind = classifyTexture(frames, near, share, notesNear)
    for (let i = at; i < Math.min(at + step, frames.length); i++) if (!left(i)) kinds[i] = kind
  }
  const even = smoothed(kinds)
  bridge(even, 'music', 64)
  bridge(even, 'speech', 24)
  return even
}

const steady = 16 // frames: half a second. What lasts less is smoothed away.

// Each frame takes the kind that most of the frames around it have.
function smoothed(kinds: readonly (SoundEventKind | undefined)[]): (SoundEventKind | undefined)[] {
  const counts = new Map<SoundEventKind, number>()
  const add = (at: number, by: number) => {
    const kind = kinds[at]
    if (kind) counts.set(kind, (counts.get(kind) ?? 0) + by)
  }
  for (let at = 0; at < steady; at++) add(at, 1)
  return kinds.map((kind, at) => {
    add(at + steady, 1)
    add(at - steady - 1, -1)
    if (!kind) return undefined
    let best = kind
    for (const [other, count] of counts) if (count > (counts.get(best) ?? 0)) best = other
    return best
  })
}

// A short gap of noise in music or speech belongs to it.
function bridge(kinds: (SoundEventKind | undefined)[], kind: SoundEventKind, maxGap: number): void {
  let last = -1
  kinds.forEach((found, at) => {
    if (found !== kind) return
    const between = kinds.slice(last + 1, at)
    const short = last >= 0 && between.length > 0 && between.length <= maxGap
    if (short && between.every(other => other && noises.includes(other))) kinds.fill(kind, last + 1, at)
    last = at
  })
}

const noises: SoundEventKind[] = ['noise', 'rumble', 'hiss', 'backdrop', 'tone']

function classifyTexture(
  frames: readonly SoundFrame[],
  near: number[],
  share: Float32Array,
  notes: Note[],
): SoundEventKind {
  const levels = near.map(i => frames[i]!.level)
  const loudest = Math.max(...levels)
  const heard = near.filter(i => frames[i]!.level > loudest - 25)
  const sounds = heard.map(i => frames[i]!)
  const heldShare = heard.reduce((sum, i) => sum + share[i]!, 0) / Math.max(1, heard.length)
  if (heldShare >= limits.heldInMusic && isMusical(notes)) return 'music'
  if (heldShare >= limits.heldInHum)
    return lowerQuantileBy(sounds, 0.5, sound => sound.top.pitch) < 280 ? 'hum' : 'tone'
  const voicing = lowerQuantileBy(sounds, 0.8, sound => sound.voicing)
  const range = lowerQuantile(levels, 0.9) - lowerQuantile(levels, 0.1)
  const wavers = range >= limits.rangeOfSpeech || voicing >= limits.surelyVoiced
  if (voicing >= limits.voicedInSpeech && wavers) return 'speech'
  const jumps = sounds.flatMap(sound => sound.levels.slice(1).map((level, k) => Math.abs(level - sound.levels[k]!)))
  const centre = lowerQuantileBy(sounds, 0.5, sound => sound.centre)
  if (lowerQuantile(jumps, 0.5) >= limits.crackle && centre > 1000) return 'crackle'
  if (lowerQuantile(levels, 0.75) < limits.backdrop) return 'backdrop'
  return centre < limits.rumble ? 'rumble' : centre > limits.hiss ? 'hiss' : 'noise'
}

// Music goes on to other pitches; a bell or a beep does not.
function isMusical(notes: Note[]): boolean {
  if (notes.length < 3) return false
  const low = Math.min(...notes.flatMap(note => note.pitches))
  return notes.some(note => note.pitches.every(pitch => pitch > low * 1.03)) || notes.length >= 6
}
