import { execFileSync, spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { readElf } from './cuda-libraries.ts'

const folder = mkdtempSync(join(tmpdir(), 'longtake-elf-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const runtime = dirname(createRequire(import.meta.url).resolve('onnxruntime-node/package.json'))
const binding = join(runtime, 'bin/napi-v6', process.platform, process.arch, 'onnxruntime_binding.node')
const libc = ['/lib/x86_64-linux-gnu/libc.so.6', '/lib/aarch64-linux-gnu/libc.so.6', '/lib64/libc.so.6'].find(
  existsSync,
)
const real = [process.execPath, libc, binding].filter(file => file !== undefined)

describe.skipIf(process.platform !== 'linux')('ELF files of this machine (Linux alone has them)', () => {
  const readelf = spawnSync('readelf', ['--version']).status === 0
  test.skipIf(!readelf).each(real)('%s is read as readelf reads it (skipped without readelf)', file => {
    const said = execFileSync('readelf', ['-d', '-W', file], { encoding: 'utf8' })
    const named = (tag: string) =>
      [...said.matchAll(new RegExp(`\\((?:${tag})\\).*\\[(.*)\\]`, 'g'))].map(([, name]) => name)
    expect(readElf(file)).toEqual({
      needed: named('NEEDED'),
      folders: named('RPATH|RUNPATH').flatMap(path => path?.split(':')),
    })
  })

  test('the binding of ONNX Runtime finds its library beside it', () => {
    expect(readElf(binding)).toMatchObject({
      needed: expect.arrayContaining(['libonnxruntime.so.1']),
      folders: ['$ORIGIN/'],
    })
  })

  test.each([0, 10, 70, 4000])('a library that ends after %i bytes is an error that names it', bytes => {
    const file = join(folder, 'cut.so')
    writeFileSync(file, readFileSync(binding).subarray(0, bytes))
    expect(() => readElf(file)).toThrow(/cut\.so must be a 64-bit ELF library/)
  })
})

test('a file that is no ELF library is an error that names it', () => {
  const file = join(folder, 'text.so')
  writeFileSync(file, 'INPUT(libcudart.so.13)\n'.repeat(9))
  expect(() => readElf(file)).toThrow(/text\.so must be a 64-bit ELF library: it begins otherwise/)
})
