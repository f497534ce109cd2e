import { existsSync, readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import type { PublishedTable } from '../../benchmarks/published.ts'
import { publishedTablesOfAll } from './paper-tables.ts'

// The papers as text, beside the repository because they are not ours to give away.
const textOf = (benchmark: string) => new URL(`../../../../shared/papers/${benchmark}.txt`, import.meta.url)
const tables = (await publishedTablesOfAll()).filter(({ source }) => source.includes('paper'))
const benchmarks = [...new Set(tables.map(({ benchmark }) => benchmark))]

// The numbers of each line of a text, as they are printed.
const numbersIn = (text: string) => text.split('\n').map(line => line.match(/[+-]?\d+(?:\.\d+)?/g) ?? [])

// What a line of the source holds one after the other: a model's row, or a row of all models where these are columns.
function printedLines({ columns, rows, across }: PublishedTable): string[][] {
  const byModel = rows.map(row =>
    columns.map(({ key }) => [row.printed[key], row.differences[key]].filter(cell => cell !== undefined)),
  )
  const lines = across ? columns.map((_, at) => byModel.map(row => row[at] ?? [])) : byModel
  return lines.map(cells => cells.flat()).filter(cells => cells.length > 0)
}

const holds = (line: readonly string[], part: readonly string[]) =>
  line.some((_, at) => part.every((cell, i) => Number(line[at + i]) === Number(cell)))

for (const benchmark of benchmarks)
  describe.skipIf(!existsSync(textOf(benchmark)))(
    `the text of the paper of ${benchmark}${existsSync(textOf(benchmark)) ? '' : ' (skipped: ../shared/papers is not there)'}`,
    () => {
      const lines = existsSync(textOf(benchmark)) ? numbersIn(readFileSync(textOf(benchmark), 'utf8')) : []
      for (const table of tables.filter(one => one.benchmark === benchmark))
        test(`prints the lines of ${table.id}, number by number`, () => {
          const missing = printedLines(table).filter(cells => !lines.some(line => holds(line, cells)))
          expect(missing).toEqual([])
        })
    },
  )
