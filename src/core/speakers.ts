import type { Evidence } from './evidence.ts'
import { spanLength } from './time.ts'
import type { Overview } from './video.ts'

// What a voice is called that nothing gives a name.
export function speakerName(number: number): string {
  return `Speaker ${number}`
}

// What a voice is called that rows bind a name to: "Diane Miller (speaker 2)".
export function boundName(name: string, speaker: string): string {
  return `${name} (${speaker.toLowerCase()})`
}

export function isNumbered(speaker: string): boolean {
  return /^Speaker \d+$/.test(speaker)
}

// "Diane Miller" of "Diane Miller (speaker 2)", and of itself; nothing of "Speaker 2".
export function nameOfSpeaker(speaker: string): string | undefined {
  return isNumbered(speaker) ? undefined : speaker.replace(bound, '')
}

const bound = / \(speaker (\d+)\)$/

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
  const wantedName = text.trim().toLowerCase()
  const number = /^(?:speaker\s*)?#?(\d{1,3})$/.exec(wantedName)?.[1]
  if (number) return speakers.find(name => parseNumber(name) === Number(number)) ?? speakers[Number(number) - 1]
  if (listSeveral(wantedName, speakers).length > 1) return undefined
  return (
    speakers.find(name => name.toLowerCase() === wantedName) ??
    speakers.find(name => nameOfSpeaker(name)?.toLowerCase() === wantedName) ??
    speakers.find(name => name.toLowerCase().split(/\s+/).includes(wantedName))
  )
}

// Why nobody is meant by it.
export function noSpeaker(text: string, speakers: readonly string[]): string {
  const several = listSeveral(text.trim().toLowerCase(), speakers)
  if (several.length > 1) return `"${text}" may be ${several.join(' or ')}; say which.`
  return speakers.length === 0
    ? 'Who speaks when is not known: the index names no speakers.'
    : `No speaker "${text}" is known; the speakers are ${speakers.join(', ')}.`
}

// Voices told apart to which rows bind the same name; whose words are meant is not for us to choose.
function listSeveral(wanted: string, speakers: readonly string[]): string[] {
  const names = speakers
    .filter(speaker => bound.test(speaker))
    .map(label => ({ label, name: nameOfSpeaker(label) ?? '' }))
  const whole = names.filter(({ label, name }) => [label, name].some(one => one.toLowerCase() === wanted))
  const chosen = whole.length > 0 ? whole : names.filter(({ name }) => name.toLowerCase().split(/\s+/).includes(wanted))
  return chosen.map(({ label }) => label)
}

function parseNumber(speaker: string): number | undefined {
  const number = (/^Speaker (\d+)$/.exec(speaker) ?? bound.exec(speaker))?.[1]
  return number === undefined ? undefined : Number(number)
}
