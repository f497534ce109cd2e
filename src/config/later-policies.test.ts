import { mkdtemp, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { switchNames } from '../core/settings.ts'
import { laterPolicies } from './later-policies.ts'
import { resolveConfig } from './resolve.ts'

test('a run that was recorded before a policy existed goes on and is replayed without it', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'longtake-later-'))
  const file = join(folder, 'config.json')
  const before = switchNames.filter(name => name !== 'votes')
  const policy = Object.fromEntries(before.map(name => [name, true]))
  await writeFile(file, JSON.stringify({ profile: 'embedded', policy, tools: { sets: 'core' } }))
  const set = await laterPolicies(file)
  expect(set).toEqual(expect.arrayContaining(['policy.votes=off', 'tools.focus=false']))
  const resolve = (more: string[]) =>
    resolveConfig({ cwd: folder, environment: {}, file, flags: { set: [...set, ...more] } })
  expect((await resolve([])).settings.policy).toMatchObject({ votes: false, verifier: true })
  expect((await resolve([])).settings.tools.focus).toBe(false)
  expect((await resolve(['policy.votes=on'])).settings.policy.votes).toBe(true)
  await writeFile(file, JSON.stringify({ policy: Object.fromEntries(switchNames.map(name => [name, true])) }))
  expect(await laterPolicies(file)).toEqual([])
  await writeFile(file, '{"policy":{"verifier":false}}') // settings of a person, who names what differs
  expect(await laterPolicies(file)).toEqual([])
  expect(await laterPolicies(join(folder, 'none.json'))).toEqual([])
})
