import { readFile } from 'node:fs/promises'
import { isObject } from '../core/json.ts'
import { switchNames } from '../core/settings.ts'

// Assignments that keep a run of an earlier release as it was: it names every policy of its release, so one that it does not name did
// not exist, and would put something into its prompts that no recorded call has; likewise the helpers that a planner may send. None for
// a file that is not such a run.
export async function laterPolicies(file: string): Promise<string[]> {
  const text = await readFile(file, 'utf8').catch(() => '{}') // whoever resolves the file says what is wrong with it
  const { policy, tools } = settingsIn(text) ?? {}
  if (!isObject(policy) || !Object.hasOwn(policy, 'budgets')) return []
  const later = switchNames.filter(name => !Object.hasOwn(policy, name)).map(name => `policy.${name}=off`)
  return isObject(tools) && !Object.hasOwn(tools, 'focus') ? [...later, 'tools.focus=false'] : later
}

function settingsIn(text: string): Record<string, unknown> | undefined {
  try {
    const settings: unknown = JSON.parse(text)
    return isObject(settings) ? settings : undefined
  } catch {
    return undefined
  }
}
