import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { annotationFiles } from './files.ts'
import { fileLines, writeJsonLines } from './lines.ts'
import { readExactRecords, readRecords } from './records.ts'
import { readReplies, unknownLines, wasAsked } from './replies.ts'
import { parseTable } from './table.ts'

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'longtake-data-'))
})
afterAll(() => rm(folder, { recursive: true }))

async function file(name: string, text: string): Promise<string> {
  const path = join(folder, name)
  await writeFile(path, text)
  return path
}

test('text after a closing quote belongs to the field, as in Python', () => {
  expect(parseTable('a,b\n"he said "hi" now",1\n"x"y,2\n', ',')).toEqual([
    { a: 'he said hi" now"', b: '1' },
    { a: 'xy', b: '2' },
  ])
})

test('JSON arrays, JSON lines and tables give the same records', async () => {
  const records = [
    { id: '1', text: 'a, "b"\nc' },
    { id: '2', text: '' },
  ]
  const csv = 'id,text\r\n1,"a, ""b""\nc"\r\n2,\r\n'
  expect(await readRecords(await file('a.json', JSON.stringify(records)))).toEqual(records)
  expect(
    await readRecords(await file('a.jsonl', `\ufeff${records.map(r => JSON.stringify(r)).join('\n\n')}\n`)),
  ).toEqual(records)
  expect(await readRecords(await file('a.csv', csv))).toEqual(records)
  expect(await readRecords(await file('a.tsv', csv.replaceAll(',', '\t')))).toEqual(
    records.map(r => ({ ...r, text: r.text.replace(',', '\t') })),
  )
  expect(parseTable('a,b\n1,2\n\n3', ',')).toEqual([
    { a: '1', b: '2' },
    { a: '3', b: '' },
  ])
})

test('a record read exactly keeps 2 and 2.0 apart', async () => {
  const records = await readExactRecords(await file('exact.json', '[{"a": 2, "b": 2.0}]'))
  expect(records).toEqual([
    new Map<string, unknown>([
      ['a', 2n],
      ['b', 2],
    ]),
  ])
})

test('a format that cannot be read says what to do, a broken file where it breaks', async () => {
  await expect(readRecords(await file('a.zip', ''))).rejects.toMatchObject({ exitCode: 2, hint: /Unpack/ })
  await expect(readRecords(await file('cut.json', '[{"a": 1}'))).rejects.toThrow(/cut\.json is not JSON/)
  await expect(readRecords(await file('cut.jsonl', '{"a": 1}\n{"b"'))).rejects.toThrow(/cut\.jsonl, line 2/)
})

test('--data takes the file itself or a folder that holds it', async () => {
  const one = join(folder, 'deep', 'er')
  await mkdir(one, { recursive: true })
  const path = await file('deep/er/known.json', '[]')
  const known = { isFile: (name: string) => name === 'known.json' }
  const other = { isFile: (name: string) => name === 'other.json' }
  expect(await annotationFiles(folder, 'x', known)).toEqual(new Map([[undefined, [path]]]))
  expect(await annotationFiles(one, 'x', other)).toEqual(new Map([[undefined, [path]]]))
  expect(await annotationFiles(path, 'x', other)).toEqual(new Map([[undefined, [path]]]))
  const second = await file('deep/er/second.jsonl', '')
  expect(await annotationFiles(one, 'x', other)).toEqual(new Map([[undefined, [path, second]]]))
  expect(await annotationFiles(one, 'x', known)).toEqual(new Map([[undefined, [path]]]))
  await mkdir(join(folder, 'bare'))
  await expect(annotationFiles(join(folder, 'bare'), 'x', known)).rejects.toThrow(/no annotation file of x/)
  await expect(annotationFiles(join(folder, 'nowhere'), 'x', known)).rejects.toThrow(/nothing at/)
})

test('lines end at the line feed alone', async () => {
  const lines: string[] = []
  for await (const line of fileLines(await file('l.jsonl', '"a\u2028b"\n\n"c"'))) lines.push(line)
  expect(lines).toEqual(['"a\u2028b"', '', '"c"'])
})

test('the last line for an id counts, and a torn last line is noted', async () => {
  const replies = await readReplies(
    writeJsonLines([
      '{"id": 7, "replies": {"a": "x", "b": null, "c": 2.0}}',
      '{"id": "8", "judge": {"open": true}}',
      '{"id": 7, "replies": {"a": "y"}}',
      '{"id": 9, "rep',
    ]),
  )
  expect([...replies.byId.keys()]).toEqual(['7', '8'])
  expect(replies.byId.get('7')).toEqual({ id: '7', replies: { a: 'y' }, judge: {} })
  expect(replies.byId.get('8')?.judge).toEqual({ open: 'True' })
  expect(replies.notes.map(note => note.id)).toEqual(['7', 'line 4'])
  expect(unknownLines(replies, new Set(['7']))).toMatchObject([{ id: '8' }])
  expect([wasAsked(replies, 'a'), wasAsked(replies, 'b')]).toEqual([true, false])
})

test('a broken line in the middle and a line without an id are errors', async () => {
  await expect(readReplies(writeJsonLines(['{"id', '{"id": 1}']))).rejects.toThrow(/Line 1 .* not JSON/)
  await expect(readReplies(writeJsonLines(['{"replies": {}}']))).rejects.toThrow(/no id/)
})

test('a mark of the byte order before the first line, and lines that end in two signs, are no part of the replies', async () => {
  const lines = ['{"id": 1, "replies": {"answer": "A"}}', '{"id": "2", "replies": {"answer": null}}']
  const path = await file('marked.jsonl', `\ufeff${lines.join('\r\n')}\r\n`)
  const { byId, notes } = await readReplies(fileLines(path))
  expect([...byId.keys()]).toEqual(['1', '2'])
  expect(notes).toEqual([])
})
