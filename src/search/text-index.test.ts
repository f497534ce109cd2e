import { mkdtemp, readFile, truncate, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { StorageError } from '../core/errors.ts'
import { type Evidence, stamp, type Track } from '../core/evidence.ts'
import { openSqlite } from '../store/sqlite.ts'
import { buildTextIndex, openTextIndex, type TextFilter, type TextIndex } from './text-index.ts'

// Rows ten seconds apart; a text that begins with "T:" was read on screen.
function rowsOf(...texts: string[]): Evidence[] {
  return texts.map((text, at) => {
    const track: Track = text.startsWith('T:') ? 'text' : 'speech'
    return stamp({ span: { start: at * 10, end: at * 10 + 8 }, track, text: text.replace('T:', '') }, 'v', 'x/y')
  })
}

const talk = rowsOf(
  'Welcome everyone to the annual meeting of the harbour board.',
  'Our treasurer Catherine will explain the budget.',
  'We spent twenty five thousand euros on the new crane.',
  'T:M0DERN CRANES AND INDUSTRIAI TRAFF1C',
  'Please send your questions by e-mail before Friday.',
  'The data base of all ships was lost in the fire.',
  'He said that Naïve Café opens at 10:30 in Zürich.',
  'The running costs of the cranes were studied again and again, and again.',
  'The board left the meeting at noon.',
  '会議は東京で開かれました',
  'Ships are leaving the harbour every day; the ship of Mr. Smith left first.',
)

let folder: string
let index: TextIndex
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'longtake-text-'))
  await buildTextIndex(join(folder, 'words.sqlite'), talk)
  index = await openTextIndex(join(folder, 'words.sqlite'))
})
afterAll(() => index.close())

const found = (query: string, filter: Partial<TextFilter> = {}) =>
  index.search(query, { limit: 20, ...filter }).map(hit => talk.findIndex(row => row.id === hit.id))

describe('the text index', () => {
  test('leaves out function words of the language of the query, and words that say how to answer unless a row holds them', () => {
    const coverage = (query: string) => index.search(query, { limit: 1 })[0]?.coverage
    expect(coverage('Where in the video is Catherine mentioned?')).toBe(1)
    expect(coverage('Was wird über Catherine gesagt?')).toBe(1)
    expect(coverage('¿Cuándo se habla de Catherine?')).toBe(1)
    expect(coverage("Qu'est-ce qu'on dit de Catherine ?")).toBe(1)
    expect(coverage('Who explains that Catherine left?')).toBeLessThan(1) // rows hold "explain" and "left"
  })

  test('finds other forms of a word, and irregular ones too', () => {
    expect(found('meetings')).toEqual([8, 0])
    expect(found('run cost')).toEqual([7])
    expect(found('says')).toEqual([6])
    expect(found('crane')).toEqual(found('cranes'))
    expect(found('leave')).toContain(8)
    expect(found('study')).toEqual([7])
  })

  test('puts the row that holds more of the query first, and rare words above frequent ones', () => {
    expect(found('board meeting noon')[0]).toBe(8)
    expect(found('cranes budget')[0]).toBe(1)
  })

  test('says which words of the query each row holds, and how much of the query that is', () => {
    const [first, second] = index.search('the harbour board in Helsinki', { limit: 5 })
    expect(first!.terms).toEqual(['harbour', 'board'])
    expect(first!.coverage).toBeGreaterThan(second!.coverage)
    expect(first!.coverage).toBeLessThan(0.8)
    expect(index.search('harbour board', { limit: 1 })[0]!.coverage).toBe(1)
  })

  test('forgives a spelling slip', () => {
    expect(found('budgte')).toEqual([1])
    expect(found('tresurer')).toEqual([1])
    expect(found('questoins')).toEqual([4])
  })

  test('forgives what hearing does to a word', () => {
    expect(found('Katherine')).toEqual([1])
    expect(found('Smyth')).toEqual([10])
  })

  test('forgives what reading from a picture does to a word', () => {
    expect(found('modern')).toEqual([3])
    expect(found('industrial')).toEqual([3])
    expect(found('traffic')).toEqual([3])
  })

  test('gives a near word less weight than the word itself', async () => {
    const file = join(folder, 'near.sqlite')
    const rows = rowsOf('the model is old', 'the m0del is old', 'nothing of the sort')
    await buildTextIndex(file, rows)
    const near = await openTextIndex(file)
    const hits = near.search('model', { limit: 5 })
    expect(hits.map(hit => hit.id)).toEqual([rows[0]!.id, rows[1]!.id])
    expect(hits[1]!.score).toBeLessThan(hits[0]!.score)
    near.close()
  })

  test('does not take one word for another', () => {
    for (const word of ['fine', 'cat', 'shop', 'crate', 'nook']) expect(found(word), word).toEqual([])
  })

  test('finds numbers in words and in digits', () => {
    expect(found('25000 euros')[0]).toBe(2)
    expect(found('twenty-five thousand')).toEqual([2])
    expect(found('10:30')).toEqual([6])
    expect(found('35000')).toEqual([])
  })

  test('finds words written as one, as two or with a hyphen', () => {
    expect(found('email')).toEqual([4])
    expect(found('e-mail')).toEqual([4])
    expect(found('database')).toEqual([5])
    expect(found('data base')).toEqual([5])
  })

  test('finds words without their accents, and other scripts', () => {
    expect(found('naive cafe Zurich')).toEqual([6])
    expect(found('東京')).toEqual([9])
  })

  test('does not count stop words, unless there is nothing else', () => {
    expect(index.search('what is the budget of the board', { limit: 5 }).flatMap(hit => hit.terms)).not.toContain('the')
    expect(found('the a of')).toContain(0)
    expect(found('an noon')).toEqual([8])
    expect(found('a gain')).toEqual([])
  })

  test('knows its tracks by their names, whatever their order is today', async () => {
    let file = join(folder, 'reversed.sqlite')
    await buildTextIndex(file, talk)
    const database = await openSqlite(file, { mode: 'write' })
    const read = database.value<Uint8Array>('SELECT bytes FROM columns WHERE name = ?')
    const write = database.run('UPDATE columns SET bytes = ? WHERE name = ?')
    const list = JSON.parse(new TextDecoder().decode(read('trackList'))) as string[]
    write(Buffer.from(JSON.stringify([...list].reverse())), 'trackList')
    write(
      read('tracks')!.map(track => list.length - 1 - track),
      'tracks',
    )
    database.close()
    const inText = async () => {
      const opened = await openTextIndex(file)
      const ids = opened.search('crane', { limit: 20, tracks: ['text'] }).map(hit => hit.id)
      opened.close()
      return ids
    }
    expect(await inText()).toEqual([talk[3]?.id])
    await buildTextIndex(join(folder, 'unnamed.sqlite'), talk)
    file = join(folder, 'unnamed.sqlite')
    const unnamed = await openSqlite(file, { mode: 'write' })
    unnamed.exec("DELETE FROM columns WHERE name = 'trackList'") // as indexes were before they named their tracks
    unnamed.close()
    expect(await inText()).toEqual([talk[3]?.id])
  })

  test('looks only where it is asked to', () => {
    expect(found('crane', { tracks: ['text'] })).toEqual([3])
    expect(found('crane', { span: { start: 0, end: 25 } })).toEqual([2])
    expect(found('crane', { after: 30 })).toEqual([3, 7])
    expect(found('crane', { before: 30 })).toEqual([2])
    expect(found('crane', { limit: 1 })).toHaveLength(1)
    expect(found('crane', { limit: 0 })).toEqual([])
  })

  test.each([
    '"',
    '""',
    "'",
    '*',
    'crane*',
    '-crane',
    'NEAR(crane board)',
    'crane OR',
    'text:crane',
    '^crane',
    '(',
    'a AND (b',
    '{a b}: c',
    'crane + board',
    '\0',
    '%',
    ';DROP TABLE rows;--',
    '\\',
    '😀',
    ' ',
    'x'.repeat(20_000),
    'board '.repeat(5000),
  ])('takes %j as words and never as a command', query => {
    const hits = index.search(query, { limit: 5 })
    expect(hits.every(hit => Number.isFinite(hit.score))).toBe(true)
    if (/crane/.test(query)) expect(hits.some(hit => hit.terms.includes('crane'))).toBe(true)
  })

  test('gives the same result each time, and equal rows in time order', async () => {
    const file = join(folder, 'equal.sqlite')
    const rows = rowsOf('one bell', 'two bells', 'one bell', 'one bell')
    await buildTextIndex(file, rows)
    const equal = await openTextIndex(file)
    const ids = equal.search('one bell', { limit: 9 }).map(hit => hit.id)
    expect(ids).toEqual([rows[0]!.id, rows[2]!.id, rows[3]!.id, rows[1]!.id])
    expect(equal.search('one bell', { limit: 9 }).map(hit => hit.id)).toEqual(ids)
    equal.close()
  })

  test('is the same file, byte for byte, whatever order the rows came in', async () => {
    await buildTextIndex(join(folder, 'again.sqlite'), [...talk].reverse())
    const [a, b] = await Promise.all(['words.sqlite', 'again.sqlite'].map(name => readFile(join(folder, name))))
    expect(a!.equals(b!)).toBe(true)
  })

  test('of no rows finds nothing', async () => {
    await buildTextIndex(join(folder, 'empty.sqlite'), [])
    const empty = await openTextIndex(join(folder, 'empty.sqlite'))
    expect(empty.search('anything', { limit: 5 })).toEqual([])
    empty.close()
  })
})

describe('a text index file', () => {
  test('of a newer longtake, of another program, cut short or missing is refused in a sentence', async () => {
    const file = join(folder, 'bad.sqlite')
    await buildTextIndex(file, talk)
    const database = await openSqlite(file, { mode: 'write' })
    database.exec('PRAGMA user_version = 9')
    database.close()
    await expect(openTextIndex(file)).rejects.toThrow(/newer longtake \(format 9; this one reads up to 1\)/)
    await truncate(file, 5000)
    await expect(openTextIndex(file)).rejects.toThrow(StorageError)
    await writeFile(file, 'not a database at all, but long enough to be looked at '.repeat(20))
    await expect(openTextIndex(file)).rejects.toThrow(StorageError)
    await writeFile(file, '')
    await expect(openTextIndex(file)).rejects.toThrow('is not a text index of longtake')
    await expect(openTextIndex(join(folder, 'none.sqlite'))).rejects.toThrow(StorageError)
  })
})
