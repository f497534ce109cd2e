import { lowerQuantile } from '../../quantile.ts'
import { bursts, findTones, knocks, rings, type Singular } from './singular-sounds.ts'
import type { SoundEventKind } from './sound-event.ts'
import type { SoundFrame } from './sound-frame.ts'
import { steadyPitches } from './steady-pitches.ts'
import { textures } from './textures.ts'

export interface Label {
  kind: SoundEventKind
  singular?: Singular // the very sound, where it stands for itself
}

// What each frame belongs to: the singular sounds first, then the texture of what is around.
export function labelFrames(frames: readonly SoundFrame[]): Label[] {
  const { silent, quiet } = quietFrames(frames)
  const steady = steadyPitches(frames)
  const pitched = apart(rungOut(rings(frames, steady.share, quiet), findTones(frames, quiet)))
  const blows = knocks(frames, quiet).filter(blow => !pitched.some(other => meet(blow, other)))
  const short = bursts(frames, quiet).filter(burst => ![...pitched, ...blows].some(other => meet(burst, other)))

  // Textures come from the frames that belong to no singular sound; the quiet frames between sounds have their own.
  const singularFrames = new Set([...pitched, ...blows, ...short].flatMap(({ from, to }) => range(from, to)))
  const active = textures(frames, steady, at => quiet[at] || singularFrames.has(at))
  const behind = textures(frames, steady, at => silent[at] || !quiet[at]).map(kind =>
    kind === 'tone' ? 'backdrop' : kind,
  )
  const labels: Label[] = frames.map((_, at) => ({
    kind: silent[at] ? 'silence' : ((quiet[at] ? behind[at] : active[at]) ?? 'backdrop'),
  }))

  // A struck or held note within music is part of it, and so is a blow within speech or applause.
  const host = ({ from, to }: Singular, kinds: SoundEventKind[], minFrames: number): SoundEventKind | undefined => {
    const nearby = active.slice(Math.max(0, from - near), to + near)
    return kinds.find(kind => nearby.filter(other => other === kind).length >= minFrames)
  }
  for (const singular of [...pitched, ...blows, ...short]) {
    const within = pitched.includes(singular)
      ? host(singular, ['music'], near)
      : (host(singular, ['music', 'speech'], near / 2) ?? host(singular, ['crackle'], 3))
    const label = within ? { kind: within } : { kind: singular.kind, singular }
    for (const at of range(singular.from, Math.min(singular.to, frames.length))) labels[at] = label
  }
  return labels
}

const near = 16 // frames: half a second

// The last of a bell's ringing is a pure tone; it belongs to the bell.
function rungOut(struck: Singular[], held: Singular[]): Singular[] {
  const tones = held.filter(tone => {
    const bell = struck.find(ring => tone.from - ring.to <= 2 && tone.from > ring.from)
    if (bell) bell.to = Math.max(bell.to, tone.to)
    return !bell
  })
  return [...struck, ...tones]
}

// The first of those that share a frame.
function apart(list: Singular[]): Singular[] {
  return list.filter((singular, i) => !list.slice(0, i).some(other => meet(singular, other)))
}

function meet(a: Singular, b: Singular): boolean {
  return a.from < b.to && b.from < a.to
}

function range(from: number, to: number): number[] {
  return Array.from({ length: to - from }, (_, i) => from + i)
}

const quietest = -58 // decibels below full scale: silence, whatever else is heard
const under = 42 // decibels under the loud moments: silence as well
const contrast = 25 // decibels between loud moments and the background where they stand out of it
const above = 8 // decibels over the background that belong to it
const around = 78 // frames to each side that make the background: 2.5 s
const step = 8 // frames decided at a time

function quietFrames(frames: readonly SoundFrame[]): { silent: boolean[]; quiet: boolean[] } {
  const levels = frames.map(frame => frame.level)
  const limit = Math.max(quietest, lowerQuantile(levels, 0.95) - under)
  const silent = levels.map(level => level < limit)
  const quiet = [...silent]
  for (let at = 0; at < levels.length; at += step) {
    const sorted = levels.slice(Math.max(0, at - around), at + around).sort((a, b) => a - b)
    const background = sorted[Math.floor(sorted.length * 0.1)]!
    if (sorted[Math.floor(sorted.length * 0.95)]! - background < contrast) continue
    for (let i = at; i < Math.min(at + step, levels.length); i++) quiet[i] ||= levels[i]! < background + above
  }
  return { silent, quiet }
}
