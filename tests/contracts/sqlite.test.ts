import { mkdtemp, readdir, readFile, stat, truncate, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { beforeEach, describe, expect, test } from 'vitest'
import { errorCode } from '../../src/core/errors.ts'
import { openSqlite, type SqliteDriver, sqliteDrivers } from '../../src/store/sqlite.ts'
import { asStorageError } from '../../src/store/storage-error.ts'

let folder: string
let file: string
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'longtake-sqlite-'))
  file = join(folder, 'file?mode=memory')
})

// A tree whose packages were compiled for another Node has the one driver only.
async function unusable(driver: SqliteDriver): Promise<string | undefined> {
  const built = (error: Error) => /compiled against a different Node/.exec(error.message)?.[0]
  return (
    driver.missing() ?? (await driver.open(':memory:', 'write').then(database => database.close(), built)) ?? undefined
  )
}

const drivers: [string, SqliteDriver, string | undefined][] = []
for (const [name, driver] of Object.entries(sqliteDrivers)) drivers.push([name, driver, await unusable(driver)])
const here = drivers.filter(([, , missing]) => !missing)

test('a driver is there', () => {
  expect(here).not.toEqual([])
})

for (const [name, driver, missing] of drivers) {
  describe.skipIf(missing)(`SQLite by ${name}${missing ? ` (skipped: ${missing})` : ''}`, () => {
    const write = (path = file, waitMilliseconds = 0) => openSqlite(path, { mode: 'write', waitMilliseconds }, driver)
    const read = (path = file) => openSqlite(path, { mode: 'read' }, driver)
    const thrown = (work: () => unknown) => {
      try {
        work()
      } catch (error) {
        return error
      }
      throw new Error('nothing was thrown')
    }

    test('gives back text, numbers, bytes and nothing as they were written', async () => {
      const database = await write()
      database.exec('CREATE TABLE kept(name TEXT PRIMARY KEY, value)')
      const insert = database.run('INSERT INTO kept VALUES (?, ?)')
      const values = { text: 'Zürich 東京 \u{1f3d7}', whole: 2 ** 52 + 1, part: -0.1, big: 7n, none: null }
      for (const [key, value] of Object.entries(values)) insert(key, value)
      insert('bytes', Uint8Array.of(0, 1, 255))
      insert('buffer', Buffer.from(Uint32Array.of(1, 2, 70_000).buffer))
      database.close()
      const again = await read()
      const value = again.value('SELECT value FROM kept WHERE name = ?')
      expect(Object.fromEntries(Object.keys(values).map(key => [key, value(key)]))).toEqual({ ...values, big: 7 })
      expect([...(value('bytes') as Uint8Array)]).toEqual([0, 1, 255])
      const { buffer, byteOffset, length } = value('buffer') as Uint8Array<ArrayBuffer>
      expect([...new Uint32Array(buffer.slice(byteOffset, byteOffset + length))]).toEqual([1, 2, 70_000])
      expect(value('no such name')).toBeUndefined()
      again.close()
    })

    test('gives first columns and whole rows in order, by the same statement again and again', async () => {
      const database = await write()
      database.exec("CREATE TABLE t(a, b); INSERT INTO t VALUES (1, 'x'), (2, 'y'), (3, 'x')")
      const values = database.values<number>('SELECT a, b FROM t WHERE b = ? ORDER BY a')
      const rows = database.rows<[number, string]>('SELECT a, b FROM t WHERE a > ? ORDER BY a')
      for (let i = 0; i < 3; i++) {
        expect(values('x')).toEqual([1, 3])
        expect(values('z')).toEqual([])
        expect(rows(1)).toEqual([
          [2, 'y'],
          [3, 'x'],
        ])
      }
      database.close()
    })

    test('searches in full text, ranks with bm25 and lists its terms, also in temporary tables of a file that is only read', async () => {
      const database = await write()
      database.exec("CREATE VIRTUAL TABLE words USING fts5(text, content='', tokenize='porter unicode61')")
      const insert = database.run('INSERT INTO words(rowid, text) VALUES (?, ?)')
      insert(0, 'a crane lifts one crane')
      insert(1, 'the crane stands beside the harbour for a long time')
      insert(2, 'nothing of it')
      database.exec("INSERT INTO words(words) VALUES ('optimize')")
      database.close()
      const again = await read()
      const ranked = again.rows<[number, number]>(
        'SELECT rowid, bm25(words) FROM words WHERE words MATCH ? ORDER BY 2',
      )('cranes')
      expect(ranked.map(([row]) => row)).toEqual([0, 1])
      expect(ranked[0]![1]).toBeLessThan(ranked[1]![1])
      again.exec('PRAGMA temp_store = MEMORY; CREATE VIRTUAL TABLE temp.asked USING fts5(word)')
      again.exec('CREATE VIRTUAL TABLE temp.terms USING fts5vocab(temp, asked, instance)')
      again.run('INSERT INTO temp.asked(rowid, word) VALUES (?, ?)')(4, 'Harbours')
      expect(again.rows('SELECT term, doc FROM temp.terms')()).toEqual([['harbours', 4]])
      expect(() => again.exec('DELETE FROM words')).toThrow()
      again.close()
    })

    test('keeps what was committed and drops what was not', async () => {
      const database = await write()
      database.exec('CREATE TABLE t(a); BEGIN; INSERT INTO t VALUES (1); COMMIT; BEGIN; INSERT INTO t VALUES (2)')
      database.close()
      database.close()
      const again = await read()
      expect(again.values('SELECT a FROM t')()).toEqual([1])
      again.close()
      expect(() => again.exec('SELECT 1')).toThrow()
    })

    test('writes no journal beside the file where it is told to, under the name that was given, for its user alone', async () => {
      const database = await write()
      database.exec('PRAGMA journal_mode = MEMORY; PRAGMA synchronous = OFF; BEGIN; CREATE TABLE t(a)')
      database.exec('PRAGMA cache_size = 1; INSERT INTO t VALUES (zeroblob(200000))')
      expect(await readdir(folder)).toEqual(['file?mode=memory'])
      database.close()
      if (process.platform !== 'win32') expect((await stat(file)).mode & 0o777).toBe(0o600)
    })

    test('one writer at a time: the next is told so, waits as long as it may, and has it when the first is closed', async () => {
      const [first, second] = [await write(), await write()]
      first.exec('BEGIN IMMEDIATE')
      expect(errorCode(thrown(() => second.exec('BEGIN IMMEDIATE')))).toBe('SQLITE_BUSY')
      const patient = await write(file, 200)
      const began = performance.now()
      expect(errorCode(thrown(() => patient.exec('BEGIN IMMEDIATE')))).toBe('SQLITE_BUSY')
      expect(performance.now() - began).toBeGreaterThan(150)
      first.close()
      second.exec('BEGIN IMMEDIATE')
      second.close()
      patient.close()
    })

    describe('says in a sentence what the disk refused', () => {
      const told = (error: unknown) => asStorageError(error, 'do it')

      test('a disk that is full', async () => {
        const database = await write()
        database.exec('PRAGMA max_page_count = 4; CREATE TABLE t(a)')
        const error = thrown(() => database.run('INSERT INTO t VALUES (zeroblob(?))')(50_000))
        expect(told(error)).toMatchObject({
          message: 'Could not do it: the disk is full (database or disk is full).',
          hint: expect.stringMatching(/^Free some space/),
        })
        database.close()
      })

      test('a damaged file, and one that is no database', async () => {
        const database = await write()
        database.exec('CREATE TABLE t(a); INSERT INTO t VALUES (zeroblob(50000)), (zeroblob(50000))')
        database.close()
        await truncate(file, 9000)
        const cut = await read()
        expect(told(thrown(() => cut.values('SELECT length(a), hex(a) FROM t')()))).toMatchObject({
          message: 'Could not do it: the file is damaged (database disk image is malformed).',
        })
        cut.close()
        await writeFile(file, 'not a database at all, but long enough to be looked at '.repeat(20))
        const other = await read()
        expect(told(thrown(() => other.value('PRAGMA user_version')()))).toMatchObject({
          message: 'Could not do it: the file is damaged (file is not a database).',
        })
        other.close()
      })

      test('a file that is only read, a folder in its place, and one that is not there', async () => {
        const database = await write()
        database.exec('CREATE TABLE t(a)')
        database.close()
        const reading = await read()
        expect(told(thrown(() => reading.exec('INSERT INTO t VALUES (1)')))).toMatchObject({
          message: expect.stringMatching(/^Could not do it: this user may not write there \(/),
        })
        reading.close()
        expect(told(await write(folder).catch(error => error))).toMatchObject({
          message: expect.stringMatching(/^Could not do it: the file cannot be opened or made there \(/),
        })
        expect(told(await read(join(folder, 'none')).catch(error => error))).toMatchObject({
          message: expect.stringMatching(/^Could not do it: it is not there \(/),
        })
      })
    })

    test('a view of a stranger calls no function that can reach out of the file', async () => {
      const database = await write()
      database.exec("CREATE VIEW v AS SELECT fts3_tokenizer('simple')")
      database.close()
      const again = await read()
      expect(() => again.values('SELECT * FROM v')()).toThrow()
      again.close()
    })
  })
}

test.skipIf(here.length < 2)(
  `what one driver wrote the other reads${here.length < 2 ? ` (skipped: only ${here[0]?.[0]} is here)` : ''}`,
  async () => {
    for (const drivers of [here, [...here].reverse()]) {
      const [[, writer], [, reader]] = [drivers[0]!, drivers[1]!]
      const path = join(folder, String(writer === here[0]![1]))
      const database = await openSqlite(path, { mode: 'write' }, writer)
      database.exec("CREATE VIRTUAL TABLE words USING fts5(text, content='')")
      database.run('INSERT INTO words(rowid, text) VALUES (?, ?)')(3, 'red crane')
      database.close()
      const again = await openSqlite(path, { mode: 'read' }, reader)
      expect(again.values('SELECT rowid FROM words WHERE words MATCH ?')('crane')).toEqual([3])
      again.close()
    }
  },
)

test('loading SQLite warns of nothing, and hides no other warning', async () => {
  const { execFile } = await import('node:child_process')
  const { promisify } = await import('node:util')
  const script = `
    const { openSqlite } = await import(${JSON.stringify(new URL('../../src/store/sqlite.ts', import.meta.url).href)})
    const before = process.emitWarning
    ;(await openSqlite(${JSON.stringify(join(folder, 'one'))}, { mode: 'write' })).close()
    if (process.emitWarning !== before) throw new Error('emitWarning was not put back')
    process.emitWarning('SQLite is an experimental feature of the host')`
  const tsx = ['--import', import.meta.resolve('tsx'), '--input-type=module', '-e', script]
  const { stderr } = await promisify(execFile)(process.execPath, tsx)
  expect(stderr.match(/Warning:.*/g)).toEqual(['Warning: SQLite is an experimental feature of the host'])
  expect((await readFile(join(folder, 'one'))).length).toBe(0)
})
