// Figures as people read them. Times of a video are formatTime of src/core/words/time-text.ts.
export function formatSize(bytes: number): string {
  const units = ['B', 'kB', 'MB', 'GB', 'TB']
  const power = bytes < 1 ? 0 : Math.min(units.length - 1, Math.floor(Math.log10(bytes) / 3))
  const value = bytes / 1000 ** power
  return `${value >= 100 || power === 0 ? Math.round(value) : value.toFixed(1)} ${units[power]}`
}

export function formatSeconds(seconds: number): string {
  if (seconds < 10) return `${seconds.toFixed(2)} s`
  if (seconds < 120) return `${Math.round(seconds)} s`
  return `${Math.round(seconds / 60)} min`
}

export function formatShare(part: number): string {
  return `${Math.round(part * 100)} %`
}

// Made once: each of these takes far longer to make than to use, and lists have thousands of dates.
const numbers = new Intl.NumberFormat('en-GB')
const times = new Intl.DateTimeFormat('en-GB', { hour: '2-digit', minute: '2-digit' })
const days = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short' })

// "today 14:05", "20 Nov 14:05", "20 Nov 2025"
export function formatDate(iso: string, now = new Date()): string {
  const date = new Date(iso)
  if (date.toDateString() === now.toDateString()) return `today ${times.format(date)}`
  const day = days.format(date)
  return date.getFullYear() === now.getFullYear() ? `${day} ${times.format(date)}` : `${day} ${date.getFullYear()}`
}

export function formatNumber(number: number): string {
  return numbers.format(number)
}

export function formatCount(number: number, one: string): string {
  return `${formatNumber(number)} ${one}${number === 1 ? '' : 's'}`
}
