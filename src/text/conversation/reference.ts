import type { Reference } from '../../core/agent.ts'
import type { Evidence } from '../../core/evidence.ts'
import type { Span } from '../../core/time.ts'

// A question on its way to standing alone.
export interface Reading {
  text: string
  references: Reference[]
  about?: 'moment' | 'speaker'
}

// The reading in other words, with what they point at.
export function restate(reading: Reading, text: string, ...references: readonly Reference[]): Reading {
  return { ...reading, text, references: [...reading.references, ...references] }
}

// The reading with some of its words exchanged for what they point at.
export function exchange(reading: Reading, words: string, at: number, by: string, reference: Reference): Reading {
  const text = `${reading.text.slice(0, at)}${by}${reading.text.slice(at + words.length)}`
  return restate(reading, text.replace(/\s+/g, ' ').trim(), reference)
}

// What words mean, if no rows say it.
export function meaning(words: string, kind: Reference['kind'], means: string): Reference {
  return { words, kind, means, evidence: [] }
}

export function refer(words: string, kind: Reference['kind'], rows: readonly Evidence[], span?: Span): Reference {
  return {
    words: words.trim(),
    kind,
    means: rows.slice(0, 2).map(quoteReference).join('; '),
    ...(span ? { span } : {}),
    evidence: rows.map(row => row.id),
  }
}

const how: Record<string, string> = { speech: 'said', text: 'on screen', sound: 'heard', picture: 'seen' }

export function quoteReference(row: Evidence): string {
  const text = row.text.replace(/\s+/g, ' ').trim()
  const who = row.track === 'speech' && row.speaker ? `${row.speaker} says` : (how[row.track] ?? row.track)
  return `${who}: "${text.length > 120 ? `${text.slice(0, 119)}…` : text}"`
}
