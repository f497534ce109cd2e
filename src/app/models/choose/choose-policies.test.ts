import { expect, test } from 'vitest'
import defaults from '../../../../graphs/policies/defaults.json' with { type: 'json' }
import { resolveConfig } from '../../../config/resolve.ts'
import { PolicySettings, policyNames } from '../../../core/settings.ts'
import { withPolicies } from './choose-policies.ts'

const policyFor = async (...set: string[]) => {
  const config = await resolveConfig({ cwd: '/', environment: {}, search: false, flags: { set } })
  return withPolicies(config).settings.policy
}

test('the table has a row for each policy, and that of rules is the default', () => {
  expect(Object.keys(defaults)).toEqual(policyNames)
  const usual = PolicySettings.parse({})
  for (const name of policyNames) expect(defaults[name].rules, name).toBe(usual[name])
})

test('a policy is as the table has it for the kind of planner, and what is set stays', async () => {
  const weak = ['models.planner.backend=ollama', 'models.planner.model=qwen3:4b']
  for (const name of policyNames) {
    expect((await policyFor())[name]).toBe(defaults[name].rules)
    expect((await policyFor(...weak))[name]).toBe(defaults[name].weak)
  }
  expect(await policyFor(...weak, 'policy.votes=on', 'policy.verifier=off')).toMatchObject({
    votes: true,
    verifier: false,
  })
})
