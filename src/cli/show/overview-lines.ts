import { formatSpan } from '../../core/time.ts'
import type { OverviewPart, Told } from '../../core/video.ts'
import { oneLine } from '../../core/words/visible-text.ts'

// Titles, and of a written overview the sentences of each chapter with the rows that they rest on.
export function chapterLines(chapters: readonly OverviewPart[]): string[] {
  return chapters.flatMap(({ span, title, sentences }) => [
    `${formatSpan(span)} ${oneLine(title)}`,
    ...toldLines(sentences).map(line => `  ${line}`),
  ])
}

export function toldLines(told: readonly Told[] = []): string[] {
  return told.map(({ text, cites }) => `${oneLine(text)} [${cites.join(' ')}]`)
}
