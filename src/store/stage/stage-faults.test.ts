import { execFileSync } from 'node:child_process'
import fs from 'node:fs/promises'
import { syncBuiltinESMExports } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, describe, expect, test } from 'vitest'
import { figure } from '../../../tests/faults/figure.ts'
import { vectorKinds } from '../../../tests/support/vector-kinds.ts'
import { StorageError } from '../../core/errors.ts'
import type { Evidence } from '../../core/evidence.ts'
import type { StageWriter } from '../../core/stage.ts'
import { buildTextIndex } from '../../search/text-index.ts'
import { vectorIndexes } from '../../search/vectors/index.ts'
import { withLock } from '../lock.ts'
import { findOrMakeStage } from './stage.ts'
import { checkStage } from './stage-check.ts'

const rows: Evidence[] = Array.from({ length: 300 }, (_, i) => ({
  id: `e${i}`,
  video: 'v',
  by: 'x',
  track: 'speech',
  span: { start: i, end: i + 1 },
  text: `line ${i} about ${'abcdefghij'[i % 10]!.repeat(5)}`,
}))

// One stage that writes in every way there is.
async function make(writer: StageWriter): Promise<void> {
  await writer.lines('rows.jsonl', rows)
  await writer.json('one.json', { a: 1 })
  const sink = await writer.bytes('big.bin')
  await sink.write(new Uint8Array(300_000).fill(1))
  await sink.close()
  await buildTextIndex(writer.path('words.sqlite'), rows)
  for (const kind of vectorKinds) {
    const index = await vectorIndexes[kind].create(64, 100)
    for (let i = 0; i < 100; i++)
      index.add(
        i,
        Float32Array.from({ length: 64 }, (_, j) => Math.sin(i * 64 + j) / 8),
      )
    await index.save(writer.path(`${kind}.index`))
  }
}

const run = (folder: string) =>
  withLock(folder, () =>
    findOrMakeStage({
      folder,
      stage: 'all',
      key: 'k',
      by: 'x/y',
      settings: {},
      inputs: {},
      video: 'v',
      make,
      signal: new AbortController().signal,
    }),
  )

async function temporaries(folder: string): Promise<string[]> {
  return (await fs.readdir(folder, { recursive: true })).filter(name => name.includes('.tmp-'))
}

describe('every disk operation that can fail', () => {
  const real = { ...fs }
  let fileHandle: Record<string, (...input: unknown[]) => unknown> = {}
  const realHandle: typeof fileHandle = {}
  let kind = '' // of the operation that fails
  let left = 0 // operations of that kind until then
  let broke: string | undefined
  let nth = 0 // which operation it is: each one meets every kind of fault somewhere

  const breaking = (name: string, work: (...input: never[]) => unknown) =>
    function (this: unknown, ...input: unknown[]) {
      if (name !== kind || --left !== 0) return work.apply(this, input as never[])
      broke = name
      const code = ['ENOSPC', 'EIO', 'EACCES', 'EMFILE'][(name.length + nth) % 4]
      return Promise.reject(
        Object.assign(new Error(`${code}: made for the test, ${name}`), { code, path: String(input[0]) }),
      )
    }

  const restore = () => {
    Object.assign(fs, real)
    Object.assign(fileHandle, realHandle)
    syncBuiltinESMExports()
  }
  afterEach(restore)

  test('fault 33: ends in a sentence or a whole result, leaves no temporary files, and the same command then finishes', async () => {
    const root = await fs.mkdtemp(join(tmpdir(), 'longtake-faults-'))
    const handle = await fs.open(root)
    fileHandle = Object.getPrototypeOf(handle)
    await handle.close()
    for (const name of ['write', 'writeFile', 'sync'] as const) realHandle[name] = fileHandle[name]!
    const whole = (await run(join(root, 'calm'))).meta.files

    const failed: string[] = []
    const functions = ['open', 'rename', 'mkdir', 'readdir', 'readFile', 'stat', 'writeFile'] as const
    const kinds = [...functions, ...Object.keys(realHandle).map(name => `handle.${name}`)]
    // Counted kind by kind: which of two that run side by side comes first is not the same each time.
    for (let at = 0, n = 1; at < kinds.length; nth++, n++) {
      kind = kinds[at]!
      const folder = join(root, `fault-${kind}-${n}`)
      left = n
      broke = undefined
      for (const name of functions) Object.assign(fs, { [name]: breaking(name, real[name]) })
      for (const name of Object.keys(realHandle)) fileHandle[name] = breaking(`handle.${name}`, realHandle[name]!)
      syncBuiltinESMExports()
      const outcome = await run(folder).catch((error: unknown) => error)
      restore()
      if (broke === undefined) {
        at++
        n = 0
        continue
      }
      if (outcome instanceof Error) {
        expect(outcome, `operation ${n}, ${broke}`).toBeInstanceOf(StorageError)
        expect(outcome.message).toMatch(/^Could not [^\n]+: [^\n]+\.$/)
        failed.push(broke)
      }
      await fs.mkdir(folder, { recursive: true })
      expect(await temporaries(folder)).toEqual([])
      const found = await checkStage(folder, 'all', 'k', 'hashes')
      expect(['whole', 'absent'], `operation ${n}, ${broke}`).toContain(found.state)
      expect((await run(folder)).meta.files).toEqual(whole)
    }
    figure(`${failed.length} operations failed one by one`)
    expect(failed.length).toBeGreaterThan(25)
    const met = ['mkdir', 'open', 'rename', 'readdir', 'stat', 'handle.write', 'handle.writeFile', 'handle.sync']
    expect(failed).toEqual(expect.arrayContaining(met))
    await fs.rm(root, { recursive: true })
  })
})

const disk = mountable()

describe('a full disk', () => {
  afterAll(() => {
    if (disk) execFileSync('umount', [disk])
  })

  test.skipIf(!disk)(
    'fault 15: ends in a sentence, whatever was being written, and the same command finishes once there is room [needs root]',
    async () => {
      const folder = disk as string
      let full = 0
      for (let kilobytes = 8; kilobytes < 800; kilobytes += 24) {
        execFileSync('mount', ['-o', `remount,size=${kilobytes}k`, folder])
        const outcome = await run(folder).catch((error: unknown) => error)
        if (!(outcome instanceof Error)) break
        full++
        expect(outcome, `${kilobytes} KB`).toBeInstanceOf(StorageError)
        expect(outcome).toMatchObject({ exitCode: 7, hint: expect.stringMatching(/^Free some space/) })
        expect(await temporaries(folder)).toEqual([])
      }
      figure(`${full} sizes of a full disk`)
      expect(full).toBeGreaterThan(10)
      expect(await checkStage(folder, 'all', 'k', 'hashes')).toMatchObject({ state: 'whole' })
    },
  )

  test.skipIf(!disk)(
    'fault 14: mounted read-only gives what is there and refuses what is not in a sentence [needs root]',
    async () => {
      const folder = disk as string
      execFileSync('mount', ['-o', 'remount,ro', folder])
      expect(await checkStage(folder, 'all', 'k', 'hashes')).toMatchObject({ state: 'whole' })
      const error = await run(folder).catch(error => error)
      expect(error).toBeInstanceOf(StorageError)
      expect(error.hint).toBe('Set LONGTAKE_HOME to a folder that can be written.')
      const fresh = await run(join(folder, 'home', 'library', 'v1')).catch(error => error)
      expect(fresh).toBeInstanceOf(StorageError)
      expect(fresh.message).toContain('the disk is mounted read-only')
      expect(fresh.hint).toBe('Set LONGTAKE_HOME to a folder that can be written.')
    },
  )
})

// A disk of its own in memory, where this user may make one.
function mountable(): string | undefined {
  const folder = execFileSync('mktemp', ['-d'], { encoding: 'utf8' }).trim()
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=8k', 'tmpfs', folder], { stdio: 'ignore' })
    return folder
  } catch {
    return undefined
  }
}
