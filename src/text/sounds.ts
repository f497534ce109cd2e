import type { Evidence } from '../core/evidence.ts'
import { stem } from './words.ts'

// Kinds of sound by the names that people and sound finders give them.
const kinds = [
  ['beep', 'bleep', 'tone', 'ping', 'blip', 'buzz', 'buzzer', 'sine', 'signal'],
  ['bell', 'chime', 'ring', 'ding', 'gong', 'doorbell', 'ringing'],
  ['music', 'song', 'melody', 'tune', 'musical', 'singing', 'instrument'],
  ['applause', 'clapping', 'clap', 'ovation', 'cheering'],
  ['bark', 'dog', 'woof', 'barking'],
  ['siren', 'alarm', 'ambulance', 'police'],
  ['knock', 'knocking', 'thud', 'bang', 'impact', 'tap', 'door', 'hit'],
  ['silence', 'silent', 'quiet', 'pause'],
  ['noise', 'static', 'hiss', 'rain', 'wind', 'water', 'noisy'],
  ['laughter', 'laugh', 'laughing', 'giggle'],
  ['thunder', 'rumble', 'explosion', 'boom'],
  ['click', 'tick', 'snap', 'clock'],
  ['speech', 'voice', 'talking', 'speaking'],
  ['whistle', 'whistling'],
]

const kindOf = new Map(kinds.flatMap(names => names.map(name => [stem(name), names] as const)))

// All names of the kinds of sound that a text speaks of: "the beep" -> beep, tone, ping...
export function namedSounds(text: string): string[] {
  const words = text.toLowerCase().match(/[a-z]+/g) ?? []
  return [...new Set(words.flatMap(word => kindOf.get(stem(word)) ?? []))]
}

// Words that name a sound and little else, so that a question with them is about what is heard.
export function namesSound(text: string): boolean {
  return /\b(beeps?|bleeps?|tones?|chimes?|bells?|buzz(er)?s?|sirens?|alarms?|applause|clap(s|ping)?|bark(s|ing)?|knock(s|ing)?|thunder|laughter|music|silence|noises?|sounds?|whistles?|clicks?|bangs?)\b/i.test(
    text,
  )
}

// Speech, silence and mere loudness are sound too, but nobody means them who asks what is heard.
export function isNotable(row: Evidence, question: string): boolean {
  if (
    row.track !== 'sound' ||
    /\b(silen\w+|quiet\w*|loud\w*|speech|voices?|talking|background|hum|noises?)\b/i.test(question)
  )
    return true
  return !/^(?:(?:loud|faint) )?(?:speech-like|silence|background|it becomes)\b/i.test(row.text)
}

// "3 knocks (short dull blows)" is three of them in one row.
export function strokesIn(text: string): number {
  return Number(/^(?:(?:faint|loud) )?(\d{1,3}) /.exec(text)?.[1] ?? 1)
}
