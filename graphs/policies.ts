import { type PolicyName, type PolicySettings, policyNames } from '../src/core/settings.ts'
import type { NamedPolicy, Policy } from './session.ts'

// The policies that are on, in the order of their lines in src/core/settings.ts. Each is the file in graphs/policies that has its name.
export async function openPolicies(settings: Partial<PolicySettings>): Promise<NamedPolicy[]> {
  const names = policyNames.filter(name => settings[name])
  return Promise.all(names.map(async name => ({ ...(await load(name)), name })))
}

export function fileOfPolicy(name: PolicyName): string {
  return `${kebabCase(name)}.ts`
}

async function load(name: PolicyName): Promise<Policy> {
  const { default: policy }: { default: Policy } = await import(`./policies/${kebabCase(name)}.ts`) // bundlers ask for the ending
  return policy
}

function kebabCase(name: string): string {
  return name.replace(/[A-Z]/g, letter => `-${letter.toLowerCase()}`)
}
