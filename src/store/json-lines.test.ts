import { appendFile, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { beforeEach, expect, test } from 'vitest'
import { z } from 'zod'
import { openJsonLines, readJsonLines } from './json-lines.ts'

const Row = z.object({ n: z.number() })

let file: string
beforeEach(async () => {
  file = join(await mkdtemp(join(tmpdir(), 'longtake-lines-')), 'rows.jsonl')
})

test('rows are appended whole and in order, however many are written at once', async () => {
  const lines = await openJsonLines(file, 'each-line')
  await Promise.all(Array.from({ length: 200 }, (_, n) => lines.append({ n, text: 'x\ny'.repeat(n) })))
  await lines.flush()
  expect((await readJsonLines(file, Row)).map(row => row.n)).toEqual(Array.from({ length: 200 }, (_, n) => n))
})

test('a file that is not there has no rows', async () => {
  expect(await readJsonLines(file, Row)).toEqual([])
})

test.each(['{"n":', '{"n":3}', 'é'.slice(0, 1), '\0'])('a torn last line is dropped: %j', async torn => {
  await writeFile(file, '{"n":1}\n{"n":2}\n')
  await appendFile(file, torn)
  expect(await readJsonLines(file, Row)).toEqual([{ n: 1 }, { n: 2 }])
})

test('writing goes on after a torn line as if it had never been', async () => {
  await writeFile(file, '{"n":1}\n{"n":2')
  const lines = await openJsonLines(file, 'at-flush')
  await lines.append({ n: 5 })
  await lines.flush()
  expect(await readFile(file, 'utf8')).toBe('{"n":1}\n{"n":5}\n')
})

test('a broken line before the last is a fault, with its number', async () => {
  await writeFile(file, '{"n":1}\n{"n":\n{"n":3}\n')
  await expect(readJsonLines(file, Row)).rejects.toThrow('damaged at line 2')
})

test('a write that fails fails each row that was in it, and the next row is written', async () => {
  const lines = await openJsonLines(file, 'each-line')
  await rm(dirname(file), { recursive: true })
  const results = await Promise.allSettled([1, 2, 3].map(n => lines.append({ n })))
  expect(results.map(result => result.status)).toEqual(['rejected', 'rejected', 'rejected'])
  await mkdir(dirname(file))
  await lines.append({ n: 4 })
  expect(await readJsonLines(file, Row)).toEqual([{ n: 4 }])
})
