import type { Draft } from '../../../src/core/brief.ts'
import { byTime, type Evidence } from '../../../src/core/evidence.ts'

export interface CitedSentence {
  text: string
  cites: string[]
}

const how: Record<string, string> = {
  speech: 'said',
  text: 'on screen',
  sound: 'heard',
  picture: 'seen',
  caption: 'seen',
  shot: 'shot',
  summary: 'in short',
}

// Quotes a row in an answer: `on screen: "Room 204"`.
export function quoteEvidence(row: Evidence, max = 220): string {
  const who = row.speaker && row.track === 'speech' ? `${row.speaker} says` : (how[row.track] ?? row.track)
  return `${who}: "${shortLine(row.text, max)}"`
}

export function shortLine(text: string, max = 220): string {
  const line = text
    .replace(/(?<!\s)\s*\n\s*/g, ' / ')
    .replace(/\s+/g, ' ')
    .replaceAll('"', "'")
    .trim()
  return line.length > max ? `${line.slice(0, max - 1)}…` : line
}

export function quoteRows(lead: string, rows: readonly Evidence[]): CitedSentence {
  const ordered = [...new Map(rows.map(row => [row.id, row])).values()].sort(byTime)
  const quotes = ordered
    .slice(0, 3)
    .map(row => quoteEvidence(row))
    .join('; ')
  return { text: lead ? `${lead} — ${quotes}` : capitalize(quotes), cites: ordered.map(row => row.id) }
}

// An answer that says that there is none, and why.
export function decline(text: string, confidence: number, ...near: CitedSentence[]): Draft {
  return { sentences: [{ text, cites: [] }, ...near], abstained: true, confidence }
}

export function capitalize(text: string): string {
  return text.replace(/^[a-z]/, letter => letter.toUpperCase())
}
