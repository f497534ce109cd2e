import { readFile } from 'node:fs/promises'
import { policyNames } from '../core/settings.ts'
import { isTree } from './tree.ts'

// Assignments that keep a run of an earlier release as it was: it names every policy of its release, so one that it does not name did
// not exist, and would put something into its prompts that no recorded call has. None for a file that is no such run.
export async function laterPolicies(file: string): Promise<string[]> {
  const text = await readFile(file, 'utf8').catch(() => '{}') // whoever resolves the file says what is wrong with it
  const policy = policyIn(text)
  if (!policy || !Object.hasOwn(policy, 'budgets')) return []
  return policyNames.filter(name => !Object.hasOwn(policy, name)).map(name => `policy.${name}=off`)
}

function policyIn(text: string): object | undefined {
  try {
    const settings: unknown = JSON.parse(text)
    return isTree(settings) && isTree(settings.policy) ? settings.policy : undefined
  } catch {
    return undefined
  }
}
