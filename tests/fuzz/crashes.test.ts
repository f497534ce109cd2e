import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { judgeInput } from './judge.ts'
import { openTarget, targetNames } from './targets.ts'

const folder = new URL('crashes/', import.meta.url)

// Inputs that once broke a promise, as small as they could be made; each is named after what it showed.
describe.each(targetNames.filter(name => existsSync(new URL(name, folder))))('once broke %s', name => {
  test.each(readdirSync(new URL(name, folder)))('%s', async file => {
    const verdict = await judgeInput(await openTarget(name), readFileSync(new URL(`${name}/${file}`, folder)), 50)
    expect(verdict).not.toHaveProperty('finding')
  })
})
