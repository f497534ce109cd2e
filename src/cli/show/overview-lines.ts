import { formatSpan } from '../../core/time.ts'
import type { OverviewPart, OverviewSentence } from '../../core/video.ts'
import { visibleLine } from '../../core/words/visible-text.ts'

// Titles, and of a written overview the sentences of each chapter with the rows that they rest on.
export function chapterLines(chapters: readonly OverviewPart[]): string[] {
  return chapters.flatMap(({ span, title, sentences }) => [
    `${formatSpan(span)} ${visibleLine(title)}`,
    ...toldLines(sentences).map(line => `  ${line}`),
  ])
}

export function toldLines(told: readonly OverviewSentence[] = []): string[] {
  return told.map(({ text, cites }) => `${visibleLine(text)} [${cites.join(' ')}]`)
}
