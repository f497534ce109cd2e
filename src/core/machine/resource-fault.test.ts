import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { BackendError, StorageError } from '../errors.ts'
import { hitsOneBackend, resourceFault } from './resource-fault.ts'

const coded = (code: string) => Object.assign(new Error(`${code}: refused, open '/a/b'`), { code })

describe('what the machine refuses', () => {
  test.each([
    ['EMFILE', StorageError, /^Too many files are open \(EMFILE/, /ulimit -n/, true],
    ['ENFILE', StorageError, /^Too many files/, /ulimit -n/, true],
    ['EIO', StorageError, /^The disk reported a fault/, /Check the disk/, false],
    ['ENOSPC', StorageError, /^The disk is full/, /Make room/, false],
    ['ENOMEM', BackendError, /^The machine has no memory left/, /--max-memory/, true],
    ['ERR_WORKER_OUT_OF_MEMORY', BackendError, /^The machine has no memory left/, /--max-memory/, true],
    ['E2BIG', BackendError, /^The arguments of a program/, /ulimit -s/, true],
    ['EAGAIN', BackendError, /^No further process or thread/, /ulimit -u/, true],
  ])('fault 33: %s is a sentence with a hint', (code, kind, message, hint, oneBackend) => {
    const fault = resourceFault(new Error('outer', { cause: coded(code) }))
    expect(fault).toBeInstanceOf(kind)
    expect(fault?.message).toMatch(message)
    expect(fault?.hint).toMatch(hint)
    expect(hitsOneBackend(coded(code))).toBe(oneBackend)
  })

  test.each([
    'Aborted(RangeError: WebAssembly.instantiate(): Out of memory: Cannot allocate Wasm memory for new instance)',
    'std::bad_alloc',
    'Array buffer allocation failed',
    'Failed to allocate memory for requested buffer of size 4294967296',
    'vips: out of memory',
  ])('fault 27: "%s" is no memory', text => {
    expect(resourceFault(new Error(text))?.message).toMatch(/^The machine has no memory left for this/)
  })

  test('a module that Node calls missing though it is there is a shortage of files, and a missing one is not', () => {
    const installed = join(
      import.meta.dirname,
      '..',
      '..',
      '..',
      'node_modules',
      'fast-string-truncated-width',
      'index.js',
    )
    const missing = join(import.meta.dirname, 'no-such-package', 'index.js')
    const notFound = (path: string) =>
      Object.assign(new Error(`Cannot find package '${path}' imported from /a/b.js`), { code: 'ERR_MODULE_NOT_FOUND' })
    expect(resourceFault(notFound(installed))?.message).toMatch(/^Too many files are open/)
    expect(resourceFault(notFound(import.meta.filename))?.message).toMatch(/^Too many files are open/)
    expect(resourceFault(notFound(missing))).toBeUndefined()
    expect(resourceFault(notFound('zod'))).toBeUndefined()
  })

  test('what is no refusal stays what it is', () => {
    expect(resourceFault(new TypeError('x is not a function'))).toBeUndefined()
    expect(resourceFault(coded('ENOENT'))).toBeUndefined()
    expect(hitsOneBackend('text')).toBe(false)
  })

  test("something nested too deeply is told without V8's words for it alone", () => {
    const deep = '['.repeat(1_000_000)
    const walk = (at: number): number => (at < deep.length ? walk(at + 1) + 1 : 0)
    let error: unknown
    try {
      walk(0)
    } catch (thrown) {
      error = thrown
    }
    expect(resourceFault(error)?.message).toMatch(/^Something that was read is nested too deeply/)
  })
})
