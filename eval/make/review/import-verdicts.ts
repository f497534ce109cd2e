import { extname } from 'node:path'
import { z } from 'zod'
import { Refused } from '../../../src/core/api/problem.ts'
import { absentAs, LongtakeError, UsageError } from '../../../src/core/errors.ts'
import { stableJson } from '../../../src/core/json.ts'
import { readBoundedText } from '../../../src/core/machine/read-bounded.ts'
import { ensureFolder } from '../../../src/store/durable.ts'
import { openJsonLines } from '../../../src/store/json-lines.ts'
import { parseStoredJson } from '../../../src/store/read-file.ts'
import type { MadeSet } from '../../data/benchmark-json.ts'
import { explainFirstIssue } from '../../data/parse-record.ts'
import { parseTable } from '../../data/table.ts'
import { applyReview, checkWritable } from './apply-review.ts'
import { checkSaid } from './check-said.ts'
import { inTime } from './queue.ts'
import { type ReviewSet, readReviewSet, readReviews, verdictFile, verdictFolder } from './review-set.ts'
import { checkReviewer, type ReviewLine, ReviewVerdict, Undone } from './verdict.ts'

interface Imported {
  imported: number
  known: number // that were said before, to the word
  refused: string[] // why, with the place
  set?: MadeSet
}

// Of a table: cells are texts, and empty ones are not there.
const Cells = z
  .looseObject({ seconds: z.coerce.number().optional(), confidence: z.coerce.number().optional() })
  .transform(({ reasons, ...row }) => ({
    ...row,
    ...(typeof reasons === 'string' && { reasons: reasons.split(/[\s;,]+/).filter(Boolean) }),
  }))

const When = z.iso.datetime({ offset: true }).transform(text => new Date(text).toISOString())

interface ImportWish {
  folder: string
  file: string
  reviewer?: string
  signal: AbortSignal
}

// Takes verdicts from a file that the static page saved, or that a person wrote: item and verdict are enough. A line that is refused
// leaves the others in; none is taken where the set could not be written with them.
export async function importVerdicts(wish: ImportWish): Promise<Imported> {
  const { folder, file, reviewer, signal } = wish
  if (reviewer !== undefined) checkReviewer(reviewer)
  const pending: ReviewLine[] = []
  const set = { ...(await readReviewSet(folder)), pending }
  const records = await recordsIn(file)
  if (reviewer === undefined && records.length > 0 && records.every(record => record.reviewer === undefined))
    throw nameless(file)
  const storedLines = inTime((await readReviews(set)).lines)
  const lineByReviewer = new Map(storedLines.map(line => [ofWhom(line), line]))
  const storedJson = new Set(storedLines.map(line => stableJson(line)))
  const result: Imported = { imported: 0, known: 0, refused: [] }
  for (const [at, value] of records.entries()) {
    const recordName = `${file}, record ${at + 1}`
    const read = await readLine(value, set, wish).catch((error: unknown) => {
      if (!(error instanceof Refused || error instanceof LongtakeError)) throw error
      result.refused.push(`${recordName}: ${error.message}`)
    })
    if (!read) continue
    const before = lineByReviewer.get(ofWhom(read.line))
    const line = { ...read.line, at: read.at ?? later(before) }
    // A line without a time says what holds from now on: it is known where that holds already.
    if (read.at === undefined ? before && sameness(before) === sameness(line) : storedJson.has(stableJson(line))) {
      result.known++
      continue
    }
    pending.push(line)
    storedJson.add(stableJson(line))
    if (!before || before.at <= line.at) lineByReviewer.set(ofWhom(line), line)
  }
  await checkWritable(set, signal)
  await ensureFolder(verdictFolder(folder), 'umask')
  for (const line of pending) {
    await (await openJsonLines(verdictFile(folder, line.reviewer), 'each-line', 'umask')).append(line)
    result.imported++
  }
  const written = await applyReview(folder, signal)
  return { ...result, ...(written && { set: written }) }
}

type Line = (ReviewVerdict | Undone) & { reviewer: string }

// Throws what makes a line unusable.
async function readLine(
  { reviewer: own, at: when, ...rest }: Record<string, unknown>,
  set: ReviewSet,
  { reviewer: named, signal }: ImportWish,
): Promise<{ line: Line; at?: string }> {
  const itemHash = (typeof rest.item === 'string' && set.hashes.get(rest.item)) || ''
  const fields = { itemHash, seconds: 0, ...rest }
  const cells = rest.verdict === 'undone' ? Undone.safeParse(fields) : ReviewVerdict.safeParse(fields)
  if (!cells.success) throw new UsageError(explainFirstIssue(cells.error, 'verdict'))
  const at = When.optional().safeParse(when)
  if (!at.success) throw new UsageError(`at must be a time as "2026-11-22T10:00:00Z", not ${JSON.stringify(when)}`)
  const reviewer = own ?? named
  if (reviewer === undefined) throw nameless('The line')
  if (typeof reviewer === 'object') throw new UsageError('reviewer must be a name')
  const name = checkReviewer(String(reviewer))
  return { line: { ...(await checkSaid(cells.data, name, set, signal)), reviewer: name }, at: at.data }
}

const ofWhom = ({ reviewer, item }: Pick<ReviewLine, 'reviewer' | 'item'>) => stableJson([reviewer, item])

// Now, or after what was said before, where another machine's clock is ahead.
function later(before: ReviewLine | undefined): string {
  const now = new Date().toISOString()
  return before && before.at > now ? before.at : now
}

function sameness({ at: _, ...said }: ReviewLine): string {
  return stableJson(said)
}

function nameless(place: string): UsageError {
  return new UsageError(`${place} names no reviewer.`, {
    hint: 'Say who it was with --as NAME, or in a column "reviewer".',
  })
}

async function recordsIn(file: string): Promise<Record<string, unknown>[]> {
  const text = await readBoundedText(file, 256e6).catch(absentAs(undefined))
  if (text === undefined) throw new UsageError(`There is no file at ${file}.`, { hint: 'Correct --import.' })
  if (extname(file).toLowerCase() === '.csv') {
    const rows = parseTable(text.replace(/^\ufeff/, ''), ',')
    return rows.map(row => {
      const filled = Object.fromEntries(Object.entries(row).filter(([, cell]) => cell !== ''))
      const read = Cells.safeParse(filled)
      return read.success ? read.data : filled // a cell that is not a number is refused with its line
    })
  }
  return text.split('\n').flatMap((line, at) => {
    if (line.trim() === '') return []
    const value = parseStoredJson(line)
    if (value !== null && typeof value === 'object' && !Array.isArray(value)) return [value as Record<string, unknown>]
    throw new UsageError(`${file}, line ${at + 1}, must be a JSON object.`, {
      hint: 'Write one object a line, or a .csv file.',
    })
  })
}
