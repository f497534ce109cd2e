import { mkdtempSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { databaseFault, openDatabase } from '../../apps/cluster/data/database.ts'
import { connectionString, shownAddress } from '../../apps/cluster/data/database-address.ts'
import type { Database } from '../../apps/cluster/data/sql.ts'
import { ownPostgres, type Postgres } from '../support/postgres.ts'

const until = async (isSo: () => boolean | Promise<boolean>, seconds = 15) => {
  for (const end = performance.now() + seconds * 1000; performance.now() < end; await sleep(50))
    if (await isSo()) return
  throw new Error(`Not so after ${seconds} s.`)
}

describe('a database that is killed and comes back', () => {
  let postgres: Postgres
  let database: Database
  beforeAll(async () => {
    postgres = ownPostgres(mkdtempSync(join(tmpdir(), 'longtake-own-')))
    database = await openDatabase(postgres.address(), { patience: 30 })
    await database.query('create table note (word text primary key)')
  })
  afterAll(async () => {
    await database.close()
    postgres.remove()
  })

  test('a statement and a transaction that it interrupts are done when it is back, once', async () => {
    const heard: string[] = []
    await database.listen(word => heard.push(word))
    await database.notify('first')
    await until(() => heard.includes('first'))
    let begun = 0
    const slow = database.transaction(async sql => {
      begun++
      await sql.query("insert into note values ('slow') on conflict do nothing")
      if (begun === 1) await sleep(1500)
      await sql.query('select 1')
      return 'committed'
    })
    await sleep(300)
    postgres.kill()
    const asked = database.query<{ n: number }>('select count(*) as n from note')
    await sleep(500)
    postgres.start()
    expect((await asked).rows[0]?.n).toBeLessThan(2)
    expect(await slow).toBe('committed')
    expect(begun).toBe(2)
    expect((await database.query<{ n: number }>('select count(*) as n from note')).rows[0]?.n).toBe(1)
    await until(async () => {
      await database.notify('second')
      return heard.includes('second')
    })
  })

  test('whoever has no patience is told where it is and what to do, without its password', async () => {
    const hurried = await openDatabase(postgres.address(), { patience: 0.2 })
    postgres.kill()
    const failed = await hurried.query('select 1').catch(error => error)
    expect(failed).toMatchObject({ exitCode: 4, retryable: true })
    expect(failed.message).toContain('does not answer')
    await hurried.close()
    postgres.start()
  })

  test('what a rolled back transaction did is not there', async () => {
    const work = database.transaction(async sql => {
      await sql.query("insert into note values ('never')")
      throw new Error('no')
    })
    await expect(work).rejects.toThrow('no')
    expect((await database.query("select 1 from note where word = 'never'")).rows).toEqual([])
  })
})

describe('the address', () => {
  const secret = 'postgres://longtake:hunter2-hunter2@db:5433/lt'

  test('is shown without who asks', () => {
    expect(shownAddress(secret)).toBe('db:5433/lt')
    expect(shownAddress('postgres://longtake@/lt?host=/tmp/pg')).toBe('/tmp/pg/lt')
    expect(shownAddress('postgres:///lt')).toBe('localhost/lt')
  })

  test('off this machine asks for encryption and a password, unless it says that its network is trusted', () => {
    expect(connectionString(secret, {})).toContain('sslmode=require')
    expect(connectionString('postgres://u@/lt?host=/tmp/pg', {})).toBe('postgres://u@/lt?host=/tmp/pg')
    expect(connectionString('postgres://u@127.0.0.1/lt', {})).not.toContain('sslmode')
    for (const host of ['db', '127.example.org'])
      expect(() => connectionString(`postgres://u@${host}/lt`, {})).toThrow('no password is set')
    expect(connectionString('postgres://u:p@no-host-of-ours/lt', {})).toContain('@no-host-of-ours/')
    expect(connectionString('postgres://u@db/lt', { PGPASSWORD: 'x' })).toContain('sslmode=require')
    expect(() => connectionString('postgres://u@/lt', { PGHOST: 'db' })).toThrow('no password is set')
    expect(connectionString('postgres://u@db/lt?sslmode=disable', {})).toContain('sslmode=disable')
    expect(connectionString(`${secret}?sslmode=verify-full`, {})).toContain('sslmode=verify-full')
  })

  test('of a server that offers no encryption is refused with what to do', async () => {
    const plain = createServer(socket => socket.once('data', () => socket.end('N')))
    await new Promise<void>(resolve => plain.listen(0, '127.0.0.1', resolve))
    const { port } = plain.address() as { port: number }
    const opened = openDatabase(`postgres://u:hunter2-hunter2@127.0.0.1:${port}/lt?sslmode=require`, { patience: 0 })
    const failed = await opened.catch(error => error)
    plain.close()
    expect(failed).toMatchObject({ exitCode: 2, hint: expect.stringContaining('sslmode=disable') })
    expect(`${failed.message}${failed.hint}`).not.toContain('hunter2')
  })
})

test.each([
  ['28P01', 2, 'cannot be opened'],
  ['3D000', 2, 'cannot be opened'],
  ['42501', 2, 'cannot be opened'],
  ['DEPTH_ZERO_SELF_SIGNED_CERT', 2, 'cannot be opened'],
  ['53100', 7, 'no space left'],
  ['42P01', 4, 'lacks a table'],
  ['57P03', 4, 'does not answer'],
  ['25006', 4, 'does not answer'],
  ['ENOTFOUND', 4, 'does not answer'],
])('the code %s of the database ends with exit code %i', (code, exitCode, said) => {
  const fault = databaseFault(Object.assign(new Error('it says'), { code }), 'db/lt')
  expect(fault).toMatchObject({ exitCode })
  expect((fault as Error).message).toContain(said)
})

test('a host that nobody knows is a wrong address only where it has never answered', () => {
  const unknown = Object.assign(new Error('getaddrinfo ENOTFOUND db'), { code: 'ENOTFOUND' })
  expect(databaseFault(unknown, 'db/lt', true)).toMatchObject({ exitCode: 2 })
  expect(databaseFault(unknown, 'db/lt')).toMatchObject({ exitCode: 4, retryable: true })
})
