import type { Reference } from '../../core/agent.ts'
import type { Evidence } from '../../core/evidence.ts'
import type { Span } from '../../core/time.ts'

// A question on its way to standing alone.
export interface Reading {
  text: string
  references: Reference[]
  about?: 'moment' | 'speaker'
}

// The reading with some of its words exchanged for what they point at.
export function exchange(reading: Reading, words: string, at: number, by: string, reference: Reference): Reading {
  return {
    ...reading,
    text: `${reading.text.slice(0, at)}${by}${reading.text.slice(at + words.length)}`.replace(/\s+/g, ' ').trim(),
    references: [...reading.references, reference],
  }
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
