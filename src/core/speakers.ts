import type { Evidence } from './evidence.ts'
import { spanLength } from './time.ts'
import type { Overview } from './video.ts'

// What a voice is called that nothing gives a name.
export function speakerName(number: number): string {
  return `Speaker ${number}`
}

export function isNumbered(speaker: string): boolean {
  return /^Speaker \d+$/.test(speaker)
}

// How long each speaker speaks, in the order in which they first do.
export function speakingTimes(rows: readonly Evidence[]): NonNullable<Overview['speaking']> {
  const times = new Map<string, { seconds: number; lines: number }>()
  for (const { track, speaker, span } of rows) {
    if (track !== 'speech' || !speaker) continue
    const { seconds, lines } = times.get(speaker) ?? { seconds: 0, lines: 0 }
    times.set(speaker, { seconds: seconds + spanLength(span), lines: lines + 1 })
  }
  return [...times].map(([speaker, { seconds, lines }]) => ({ speaker, seconds: Math.round(seconds * 10) / 10, lines }))
}

// The speaker that somebody means by "2", "speaker 2", "Anna" or "anna lee": a number counts in the order in which they first speak.
export function speakerMeant(text: string, speakers: readonly string[]): string | undefined {
  const wanted = text.trim().toLowerCase()
  const number = /^(?:speaker\s*)?#?(\d{1,3})$/.exec(wanted)?.[1]
  if (number) return speakers.find(name => name === speakerName(Number(number))) ?? speakers[Number(number) - 1]
  return (
    speakers.find(name => name.toLowerCase() === wanted) ??
    speakers.find(name => name.toLowerCase().split(/\s+/).includes(wanted))
  )
}

// Why nobody is meant by it.
export function noSpeaker(text: string, speakers: readonly string[]): string {
  return speakers.length === 0
    ? 'Who speaks when is not known: the index names no speakers.'
    : `No speaker "${text}" is known; the speakers are ${speakers.join(', ')}.`
}
