import type { SoundEvent } from './sound-event.ts'

// What is heard in one sentence: what the signal shows first, and in brackets what it may be. Nothing here knows what made
// a sound, so every name is a likeness.
export function soundSentence(event: SoundEvent): string {
  const plain = ['silence', 'louder', 'quieter'].includes(event.kind)
  return `${plain ? '' : loudness(event.level)}${sentences[event.kind](event)}`
}

const sentences: Record<SoundEvent['kind'], (event: SoundEvent) => string> = {
  tone: event =>
    event.count > 1
      ? `${event.count} beeps${near(event)} (beep- or alarm-like)`
      : seconds(event) > 1.5
        ? `steady tone${near(event)} (long beep-, alarm- or whistle-like)`
        : `beep${near(event)} (short tone, beep- or whistle-like)`,
  sweep: event =>
    `tone that glides between ${rounded(event.pitch?.low ?? 0)} and ${rounded(event.pitch?.high ?? 0)} Hz (siren- or alarm-like)`,
  ring: event =>
    event.count > 1
      ? `${event.count} strokes of a ringing sound${near(event)} (bell- or chime-like)`
      : `struck sound that rings${near(event)} (bell- or chime-like)`,
  knock: event =>
    event.centre < 900
      ? `${counted(event, 'knock', 'knocks')} (short dull blows: door knock- or thud-like)`
      : `${counted(event, 'click', 'clicks')} (short sharp blows: clap-, click- or tap-like)`,
  burst: event => `${counted(event, 'short burst', 'short bursts')} of sound (bark-, cough- or shout-like)`,
  crackle: () => 'dense crackle of short blows (applause-, rain- or frying-like)',
  speech: () => 'speech-like sound (somebody may be talking)',
  music: () => 'music-like sound (held notes that change)',
  noise: () => 'noise (rain-, water-, crowd- or traffic-like)',
  rumble: () => 'low rumbling noise (engine-, wind- or thunder-like)',
  hiss: () => 'hissing noise (rain-, spray- or static-like)',
  backdrop: () => 'background noise',
  hum: event => `low steady hum${near(event)} (motor- or mains-like)`,
  silence: () => 'silence',
  louder: ({ change }) => `it becomes much louder (by about ${Math.round(change ?? 0)} decibels)`,
  quieter: ({ change }) => `it becomes much quieter (by about ${Math.round(change ?? 0)} decibels)`,
}

function loudness(level: number): string {
  return level > -10 ? 'loud ' : level < -42 ? 'faint ' : ''
}

function counted(event: SoundEvent, one: string, many: string): string {
  return event.count === 1 ? one : `${event.count} ${many}`
}

function near({ pitch }: SoundEvent): string {
  return pitch ? ` near ${rounded((pitch.low + pitch.high) / 2)} Hz` : ''
}

// Two figures are what a person wants, three what the measurement bears.
function rounded(pitch: number): number {
  const step = pitch < 1000 ? 10 : 50
  return Math.round(pitch / step) * step
}

function seconds({ span }: SoundEvent): number {
  return span.end - span.start
}
