import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { current, pages } from '../scripts/write-docs.ts'

const root = new URL('..', import.meta.url).pathname

describe.each(pages)('%s', page => {
  test('shows examples and tables as the code has them (npx tsx scripts/write-docs.ts)', async () => {
    expect(readFileSync(join(root, page), 'utf8')).toBe(await current(page))
  })

  test('names no file that is not there', async () => {
    const text = readFileSync(join(root, page), 'utf8')
    const named = [
      ...text.matchAll(/`((?:src|models|tools|graphs|eval|scripts|tests|docs)\/[\w./-]+\.(?:ts|sh|md|json))`/g),
    ].map(match => match[1])
    const examples = [
      'models/hear/loudness.ts',
      'models/read-text/ocr-server.ts',
      'src/cli/commands/words.ts',
      'tools/longest-silence.ts',
      'tools/stages/pauses.ts',
      'graphs/policies/closing-credits.ts',
      'eval/benchmarks/lectures/index.ts',
    ]
    const { existsSync } = await import('node:fs')
    expect(named.filter(file => !examples.includes(file!) && !existsSync(join(root, file!)))).toEqual([])
  })
})

test('every example is shown on a page', () => {
  const shown = pages.map(page => readFileSync(join(root, page), 'utf8')).join('\n')
  const examples = readdirSync(join(root, 'docs/examples'), { recursive: true, encoding: 'utf8' }).filter(name =>
    /\.(ts|mjs|patch)$/.test(name),
  )
  expect(examples.filter(name => !shown.includes(`<!-- example: docs/examples/${name} -->`))).toEqual([])
})

test('docs/README.md links to every page of docs', () => {
  const index = readFileSync(join(root, 'docs/README.md'), 'utf8')
  const names = ['.', 'cluster'].flatMap(folder =>
    readdirSync(join(root, 'docs', folder)).map(name => (folder === '.' ? name : `${folder}/${name}`)),
  )
  const unlinked = names.filter(name => name.endsWith('.md') && name !== 'README.md' && !index.includes(`(${name})`))
  expect(unlinked).toEqual([])
})

test('README.md has at most 900 words', () => {
  expect(readFileSync(join(root, 'README.md'), 'utf8').split(/\s+/).filter(Boolean).length).toBeLessThan(900)
})
