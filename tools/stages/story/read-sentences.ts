import type { Evidence } from '../../../src/core/evidence.ts'
import type { OverviewSentence } from '../../../src/core/video.ts'
import { bracketedCites } from '../../../src/text/bracketed-cites.ts'
import { comesFrom, statedTimes } from '../../../src/text/times-in-prose.ts'
import { findUngrounded } from '../../../src/text/ungrounded.ts'

interface Read {
  told: OverviewSentence[]
  faults: string[] // one for each sentence that the rows do not bear out
}

export type RowsById = ReadonlyMap<string, Evidence>

const maxCites = 6
const maxLetters = 400

// The sentences that cite rows of their own part, and state no number, name or time that is not in these.
export function readSentences(
  sentences: readonly OverviewSentence[],
  rows: RowsById,
  { atMost, asks = false }: { atMost: number; asks?: boolean },
): Read {
  const read: Read = { told: [], faults: [] }
  for (const { text: written, cites: listed } of sentences) {
    const { text: bare, cites: inText } = bracketedCites(written)
    const text = bare.replace(/\s+/g, ' ').trim()
    const cites = [...new Set([...listed.map(bareId), ...inText])]
    const fault = findFault(text, cites, rows, asks)
    if (fault) read.faults.push(`"${text.slice(0, 160)}": ${fault}.`)
    else read.told.push({ text, cites: cites.slice(0, maxCites) })
  }
  for (const { text } of read.told.splice(atMost))
    read.faults.push(`"${text.slice(0, 160)}": more than ${atMost} sentences.`)
  return read
}

function bareId(id: string): string {
  return id.replace(/^[\s[("]+|[\s\])",;]+$/g, '')
}

function findFault(text: string, cites: readonly string[], rows: RowsById, asks: boolean): string | undefined {
  if (!/[\p{L}\p{N}]/u.test(text)) return 'it says nothing'
  if (text.length > maxLetters) return `it is longer than ${maxLetters} letters`
  if (asks && !/[?？؟;]$/u.test(text)) return 'it is not a question'
  if (cites.length === 0) return 'it cites no row'
  const strange = cites.find(id => !rows.has(id))
  if (strange !== undefined) return `${strange.slice(0, 20)} is not a row of this part`
  const cited = cites.slice(0, maxCites).flatMap(id => rows.get(id) ?? [])
  const time = statedTimes(text).find(stated => !comesFrom(stated, cited))
  if (time) return `the time "${time.text}" is in no row that it cites`
  const words = strangeIn(text, cited)
  return words.length > 0 ? `${words.map(word => `"${word}"`).join(', ')} stands in no row that it cites` : undefined
}

// Names and numbers that none of the rows has.
export function strangeIn(text: string, rows: readonly Evidence[]): string[] {
  return findUngrounded(
    text,
    rows.flatMap(row => [row.text, row.speaker ?? '']),
  )
}
