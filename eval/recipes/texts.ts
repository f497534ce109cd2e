import { longRowLine } from '../../src/core/evidence.ts'
import type { SourceAbout } from './about.ts'
import type { SourceRecord, SourceRow } from './item.ts'

const linesOfPage = 55
const nowhere = { start: 0, end: 0 }

// What people wrote of a video: pages of its script, its summary, questions with their answers. They have ids like rows, and no time.
export function textRows({ summary, faq = [] }: SourceAbout, script?: string): SourceRow[] {
  const row = (id: string, text: string): SourceRow => ({ id, track: 'summary', span: nowhere, text })
  return [
    ...(script === undefined ? [] : pagesIn(script).map(({ page, text }) => row(`P#${page}`, text))),
    ...(summary === undefined ? [] : [row('about.summary', summary)]),
    ...faq.map(({ q, a }, at) => row(`about.faq.${at + 1}`, `${q}\n${a}`)),
  ]
}

// By lines "P#7:", by form feeds, else so many lines each.
export function pagesIn(script: string): { page: number; text: string }[] {
  const marks = [...script.matchAll(/^P#(\d+):[ \t]*/gm)]
  if (marks.length > 0)
    return marks.map((mark, at) => ({
      page: Number(mark[1]),
      text: script.slice(mark.index + mark[0].length, marks[at + 1]?.index).trim(),
    }))
  const lines = script.split(/\r?\n/)
  const pages = script.includes('\f')
    ? script.split('\f')
    : Array.from({ length: Math.ceil(lines.length / linesOfPage) }, (_, at) =>
        lines.slice(at * linesOfPage, (at + 1) * linesOfPage).join('\n'),
      )
  return pages.map((text, at) => ({ page: at + 1, text: text.trim() }))
}

export function scriptPages({ texts = [] }: Pick<SourceRecord, 'texts'>): SourceRow[] {
  return texts.filter(({ id }) => id.startsWith('P#'))
}

// What an author reads of a video: its script, or if there is none every row of its index.
export function sourceText(record: SourceRecord): string {
  const pages = scriptPages(record)
  if (pages.length > 0) return pages.map(({ id, text }) => `${id}:\n${text}`).join('\n')
  return record.rows
    .filter(({ track }) => track !== 'shot')
    .map(row => longRowLine(row, 4000))
    .join('\n')
}

export function rowIds({ rows, texts = [] }: SourceRecord): Set<string> {
  return new Set([...rows, ...texts].map(({ id }) => id))
}
