// Times as people write them, without a schema: the page uses this file as well.

// 75.4 -> "1:15", 3725 -> "1:02:05". For people; data always holds seconds.
export function formatTime(seconds: number): string {
  const whole = Math.max(0, Math.floor(seconds + 1e-6))
  const hours = Math.floor(whole / 3600)
  const minutes = Math.floor((whole % 3600) / 60)
  const rest = String(whole % 60).padStart(2, '0')
  return hours > 0 ? `${hours}:${String(minutes).padStart(2, '0')}:${rest}` : `${minutes}:${rest}`
}

// 75.38 -> "1:15.4". For models, and wherever several moments fall into one second.
export function formatMoment(seconds: number): string {
  const tenths = Math.max(0, Math.round(seconds * 10))
  return `${formatTime(Math.floor(tenths / 10))}.${tenths % 10}`
}

// "1:02" and "1:02:03" within a text, for a pattern.
export const clockTime = String.raw`\d{1,3}:\d{2}(?::\d{2})?`

// Reads "1:02:03", "2:03.5", "62", "62s" or a number; undefined if it is not a time.
export function parseTime(value: unknown): number | undefined {
  if (typeof value === 'number') return Number.isFinite(value) && value >= 0 ? value : undefined
  if (typeof value !== 'string') return undefined
  const match = /^\s*(?:(?:(\d+):)?(\d{1,3}):)?(\d+(?:[.,]\d+)?)\s*s?\s*$/i.exec(value)
  if (!match) return undefined
  const [, hours = 0, minutes = 0, seconds = ''] = match
  return Number(hours) * 3600 + Number(minutes) * 60 + Number(seconds.replace(',', '.'))
}
