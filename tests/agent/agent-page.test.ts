import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { graphNames } from '../../graphs/index.ts'
import { policyNames } from '../../src/core/settings.ts'

const root = join(import.meta.dirname, '..', '..')
const page = readFileSync(join(root, 'docs', 'agent.md'), 'utf8')

test('the page of the agent has every policy with its file, and every graph', () => {
  for (const name of policyNames)
    expect(page, name).toMatch(new RegExp(`\\| \`${name}\` \\| \`graphs/policies/[a-z-]+\\.ts\` \\|`))
  for (const name of graphNames) expect(page, name).toContain(`| \`${name}\` |`)
})

test('and names no file that is not there', () => {
  const named = [...page.matchAll(/`((?:src|models|tools|graphs|eval|scripts|tests|docs)\/[\w./-]+\.(?:ts|md))`/g)].map(
    one => one[1] ?? '',
  )
  expect(named.filter(file => !existsSync(join(root, file)))).toEqual([])
})
