import type { Recurring } from '../../../src/core/people.ts'
import { formatSpan, mergeSpans } from '../../../src/core/time.ts'
import type { PeopleClip } from './people-view.ts'

// What several scenes apart from each other show, as they were described. The same words may mean another one.
export function recurring(clips: readonly PeopleClip[], namesIn: (clip: PeopleClip) => readonly string[]): Recurring[] {
  const runsByText = new Map<string, { text: string; runs: number; last: number; clips: PeopleClip[] }>()
  for (const [at, clip] of clips.entries())
    for (const text of new Set(namesIn(clip).map(plainName).filter(Boolean))) {
      const entry = runsByText.get(text) ?? { text, runs: 0, last: -2, clips: [] }
      if (entry.last < at - 1) entry.runs++
      entry.last = at
      entry.clips.push(clip)
      runsByText.set(text, entry)
    }
  return [...runsByText.values()]
    .filter(({ runs }) => runs >= 2)
    .map(({ text, clips }) => ({
      text,
      spans: mergeSpans(clips.map(({ span }) => span)),
      evidence: clips.map(({ id }) => id),
    }))
    .sort((a, b) => b.evidence.length - a.evidence.length || (a.text < b.text ? -1 : 1))
}

// "A red suitcase." and "the red suitcase" are the same words.
export function plainName(text: string): string {
  return text
    .toLowerCase()
    .replace(/[.,;]+\s*$/, '')
    .replace(/^\s*(?:an?|the|some|one)\s+/, '')
    .replace(/\s+/g, ' ')
    .trim()
}

// "0:10-0:20, 1:00-1:10 and 4 more".
export function spansText(spans: readonly { start: number; end: number }[], most = 6): string {
  const spanTexts = spans.slice(0, most).map(formatSpan).join(' ')
  return spans.length > most ? `${spanTexts} and ${spans.length - most} more` : spanTexts
}
