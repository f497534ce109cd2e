import { lowerQuantile, lowerQuantileBy } from '../../quantile.ts'
import type { SoundEventKind } from './sound-event.ts'
import { frameSeconds, type SoundFrame } from './sound-frame.ts'

// A sound that stands for itself, in frames; `to` is exclusive.
export interface Singular {
  kind: SoundEventKind
  from: number
  to: number
  pitch?: { low: number; high: number }
}

const frames = (seconds: number) => Math.round(seconds / frameSeconds)

// Beeps and sirens: nearly all of the power on one pitch, higher than voices hold. Vowels and hisses of speech are as pure
// for a moment, so where these lie a beep must be longer.
export function findTones(list: readonly SoundFrame[], silent: readonly boolean[]): Singular[] {
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
export function rings(list: readonly SoundFrame[], share: Float32Array, quiet: readonly boolean[]): Singular[] {
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
export function knocks(list: readonly SoundFrame[], quiet: readonly boolean[]): Singular[] {
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
export function bursts(list: readonly SoundFrame[], quiet: readonly boolean[]): Singular[] {
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
