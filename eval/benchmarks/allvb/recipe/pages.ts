import { rowLine } from '../../../../src/core/evidence.ts'
import type { SourceRecord } from '../../../recipes/item.ts'
import { scriptPages } from '../../../recipes/texts.ts'

interface Page {
  page: number
  text: string
  rows: string[]
}

const min = { characters: 3000, letters: 0.7 }

// The pages of the script; without one, what was said, read and seen, a page a minute.
export function splitPages(record: SourceRecord): Page[] {
  const script = scriptPages(record)
  if (script.length > 0) return script.map(({ id, text }) => ({ page: Number(id.slice(2)), text, rows: [id] }))
  const minutes = Math.max(1, Math.ceil(record.statistics.duration / 60))
  return Array.from({ length: minutes }, (_, at) => {
    const minuteRows = record.rows.filter(({ track, span }) => track !== 'shot' && Math.floor(span.start / 60) === at)
    return { page: at + 1, text: minuteRows.map(row => rowLine(row)).join('\n'), rows: minuteRows.map(({ id }) => id) }
  })
}

// Why a script is none: too short, or marks instead of letters as a bad scan has them.
export function scriptFault(record: SourceRecord): string | undefined {
  const pages = scriptPages(record).map(({ text }) => text)
  if (pages.length === 0) return undefined
  const { length } = pages.join('').replace(/\s+/g, ' ')
  if (length < min.characters) return `the script has ${length} characters, ${min.characters} at least are needed`
  const written = pages.join('').replace(/\s/g, '')
  const letters = (written.match(/\p{L}/gu) ?? []).length / written.length
  if (letters < min.letters)
    return `${Math.round(100 * letters)} % of the script are letters, ${100 * min.letters} % at least are needed`
}

export function pagesText(pages: readonly Page[]): string {
  return pages.map(({ page, text }) => `P#${page}:\n${text}`).join('\n')
}
