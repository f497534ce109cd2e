import { formatTime } from '../../core/time.ts'

// How long something took: "3.2 s", "48 s", "12:05".
export function formatDuration(seconds: number): string {
  if (seconds < 10) return `${seconds.toFixed(1)} s`
  return seconds < 60 ? `${Math.round(seconds)} s` : formatTime(seconds)
}
