import { type Evidence, type SummaryLevel, stamp } from '../../../src/core/evidence.ts'
import type { StoryPart } from './part.ts'

// What was written, as rows that can be searched and cited.
export function storyRows(levels: Record<SummaryLevel, readonly StoryPart[]>, video: string, by: string): Evidence[] {
  const rows = (Object.entries(levels) as [SummaryLevel, readonly StoryPart[]][]).flatMap(([level, parts]) =>
    parts
      .filter(({ told }) => told.length > 0)
      .map(({ span, title, told }) => {
        const summary = told.map(({ text }) => text).join(' ')
        return stamp({ span, track: 'summary', text: title ? `${title}: ${summary}` : summary, level }, video, by)
      }),
  )
  return [...new Map(rows.map(row => [row.id, row])).values()]
}
