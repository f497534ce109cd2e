import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { type LicensedPackage, licenceFault, licensedPackages, noticeText } from '../../scripts/licences.ts'

const root = join(import.meta.dirname, '../..')
const read = (name: string) => readFileSync(join(root, name), 'utf8')

test('every package of the lockfile has a licence that longtake may be used with', () => {
  const packages = licensedPackages()
  expect(packages.length).toBeGreaterThan(300)
  expect(packages.flatMap(one => licenceFault(one) ?? [])).toEqual([])
})

test('a package without a licence, under another one, or with copyleft beyond what was looked at, is named', () => {
  const one = (licence: string, more: Partial<LicensedPackage> = {}) =>
    licenceFault({ name: 'some', version: '1.0.0', licence, isOnlyForDevelopment: false, ...more })
  for (const licence of [
    '',
    'GPL-3.0-only',
    'MIT AND GPL-2.0-only',
    'SEE LICENSE IN EULA',
    'LGPL-3.0-or-later',
    'MPL-2.0',
  ])
    expect(one(licence), licence).toContain('some')
  expect(one('MPL-2.0', { name: 'axe-core' }), 'for use').toContain('axe-core')
  for (const licence of ['MIT', '(GPL-3.0-only OR MIT)', 'Apache-2.0 AND MIT'])
    expect(one(licence), licence).toBeUndefined()
})

test('NOTICE is what the script writes, names libvips and the text models, and goes with the package', () => {
  expect(read('NOTICE')).toBe(noticeText())
  expect(read('NOTICE')).toMatch(/libvips.*LGPL-3\.0-or-later/s)
  expect(read('NOTICE')).toMatch(/PP-OCRv4.*PaddlePaddle Authors.*Apache License 2\.0/s)
  expect(JSON.parse(read('package.json')).files).toContain('NOTICE')
})

test('the notices are those of what is bundled', () => {
  const [, names = ''] = /^export const bundled = \[(.*)\]$/m.exec(read('bin/compile.mjs')) ?? []
  const bundled = [...names.matchAll(/'([^']+)'/g)].map(([, name]) => name)
  expect(bundled.length).toBeGreaterThan(3)
  for (const name of [...bundled, 'preact', '@preact/signals', 'hls.js'])
    expect(read('NOTICE')).toContain(`\n### ${name} `)
  const withoutText = [...read('NOTICE').matchAll(/### (\S+) .*\n\nIts package holds no text/g)].map(([, name]) => name)
  expect(withoutText).toEqual(['@cfworker/json-schema', 'js-tiktoken'])
})

test('what states its licence in an old form alone is under the licence that is written down for it', () => {
  expect(JSON.parse(read('node_modules/async/package.json')).licenses).toMatchObject([{ type: 'MIT' }])
})
