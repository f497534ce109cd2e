import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { judge } from '../../scripts/fuzz/judge.ts'
import { targets } from '../../scripts/fuzz/targets.ts'

const folder = new URL('crashes/', import.meta.url)

// Inputs that once broke a promise, as small as they could be made; each is named after what it showed.
describe.each(Object.keys(targets).filter(name => existsSync(new URL(name, folder))))('once broke %s', name => {
  test.each(readdirSync(new URL(name, folder)))('%s', async file => {
    const verdict = await judge(await targets[name]!(), readFileSync(new URL(`${name}/${file}`, folder)), 50)
    expect(verdict).not.toHaveProperty('finding')
  })
})
