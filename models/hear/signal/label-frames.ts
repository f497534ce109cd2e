import { lowerQuantile, lowerQuantileBy } from '../../quantile.ts'
import type { SoundEventKind } from './sound-event.ts'
import { frameSeconds, type SoundFrame } from './sound-frame.ts'
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

// A sound that stands for itself, in frames; `to` is exclusive.
interface Singular {
  kind: SoundEventKind
  from: number
  to: number
  pitch?: { low: number; high: number }
}

const frames = (seconds: number) => Math.round(seconds / frameSeconds)

// Beeps and sirens: nearly all of the power on one pitch, higher than voices hold. Vowels and hisses of speech are as pure
// for a moment, so where these lie a beep must be longer.
function findTones(list: readonly SoundFrame[], silent: readonly boolean[]): Singular[] {
  const runs: { from: number; to: number }[] = []
  const pure = (at: number) => !silent[at] && list[at]!.top.share >= 0.8 && list[at]!.top.pitch >= 280
  for (let at = 0; at < list.length; at++) {
    if (!pure(at)) continue
    const last = runs.at(-1)
    const goes = last && last.to === at && Math.abs(Math.log(list[at]!.top.pitch / list[at - 1]!.top.pitch)) < 0.12
    if (last && goes) last.to = at + 1
    else runs.push({ from: at, to: at + 1 })
  }
  return runs.flatMap(({ from, to }): Singular[] => {
    const pitches = list.slice(from, to).map(frame => frame.top.pitch)
    const [low, high] = [lowerQuantile(pitches, 0.05), lowerQuantile(pitches, 0.95)]
    const isSteady = high / low < 1.04
    const minSeconds = isSteady ? (low < 700 || high > 4500 ? 0.3 : 0.1) : 0.8
    if (to - from < frames(minSeconds) || (!isSteady && high / low <= 1.15)) return []
    return [{ kind: isSteady ? 'tone' : 'sweep', from, to, pitch: { low, high } }]
  })
}

// Bells: a sudden beginning, then pitches that are held while they die away.
function rings(list: readonly SoundFrame[], share: Float32Array, quiet: readonly boolean[]): Singular[] {
  const bells: Singular[] = []
  for (let at = 1; at < list.length; at++) {
    const before = Math.max(...list.slice(Math.max(0, at - 4), at).map(frame => frame.level))
    const strike = Math.max(list[at]!.level, list[at + 1]?.level ?? -100)
    if (strike - before < 12) continue
    const peak = list[at]!.level >= strike ? at : at + 1
    let to = peak + 1
    let lowest = list[peak]!.level
    while (to < list.length && !quiet[to] && list[to]!.level < lowest + 4) {
      lowest = Math.min(lowest, list[to]!.level)
      to++
    }
    const long = to - peak
    if (long < frames(0.4) || strike - list[Math.min(to, peak + frames(0.6)) - 1]!.level < 2) continue
    const sustain = share.slice(peak + 1, to).reduce((sum, value) => sum + value, 0) / (long - 1)
    if (sustain < 0.55) continue
    const pitches = list.slice(peak + 1, to).map(frame => frame.top.pitch)
    bells.push({
      kind: 'ring',
      from: at,
      to,
      pitch: { low: lowerQuantile(pitches, 0.25), high: lowerQuantile(pitches, 0.75) },
    })
    at = to - 1
  }
  return bells
}

// Knocks and clicks: louder by far within a few milliseconds, and gone again soon after.
function knocks(list: readonly SoundFrame[], quiet: readonly boolean[]): Singular[] {
  const levels = list.flatMap(frame => frame.levels)
  const events: Singular[] = []
  for (let at = 15; at < levels.length - 50; at++) {
    const before = Math.max(...levels.slice(at - 12, at - 1))
    const peak = Math.max(...levels.slice(at, at + 4))
    if (peak - before < 15 || peak < -45) continue
    const after = levels.slice(at + 15, at + 28)
    if (peak - lowerQuantile(after, 0.5) < 14) continue
    const from = Math.floor(at / 8)
    let to = from + frames(0.06)
    while (to < list.length && to < from + frames(0.3) && !quiet[to]) to++
    events.push({ kind: 'knock', from, to })
    at = Math.max(at + 20, to * 8)
  }
  return events
}

// Barks and coughs: rough, a tenth to half a second long, sudden, with quiet before and after.
function bursts(list: readonly SoundFrame[], quiet: readonly boolean[]): Singular[] {
  const burstEvents: Singular[] = []
  for (let at = 1; at < list.length; at++) {
    if (quiet[at] || !quiet[at - 1]) continue
    let to = at
    while (to < list.length && !quiet[to]) to++
    const slice = list.slice(at, to)
    const long = slice.length >= frames(0.09) && slice.length <= frames(0.5) && to < list.length
    const sudden = Math.max(...slice.slice(0, 3).map(frame => frame.level)) - list[at - 1]!.level > 12
    const rough = lowerQuantileBy(slice, 0.5, frame => frame.flatness) > 0.06
    if (long && sudden && rough) burstEvents.push({ kind: 'burst', from: at, to })
    at = to
  }
  return burstEvents
}
