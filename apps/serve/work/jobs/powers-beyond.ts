import { isHarmlessValue } from '../../../../src/config/layers/found-file.ts'
import type { Config } from '../../../../src/config/schema.ts'
import { isTree, leavesOf, type SettingPath, settingAt, type Tree } from '../../../../src/config/tree.ts'
import { stableJson } from '../../../../src/core/json.ts'
import { isSelfContained, roles } from '../../../../src/runtime/models/role-families.ts'

const chosenBefore = ['profile', 'graph'] // names of built-in things, without power

// The names of the settings that want more than the server has: another tool, server, module, address, key, file or permission, or a
// higher limit. What quality alone depends on, the default and what one of the `allowed` settings says is no more.
export async function powersBeyond(wanted: Tree, allowed: readonly Config[]): Promise<string[]> {
  const { models, ...others } = wanted
  const beyond: string[] = []
  for (const { path, value } of leavesOf(others)) {
    const allowedValues = allowed.map(one => settingAt(one, path))
    if (chosenBefore.includes(path[0] ?? '') || isHarmlessValue(path, value, allowedValues)) continue
    if (!allowedValues.some(one => isSameOrPart(path, value, one))) beyond.push(path.join('.'))
  }
  for (const [role, choice] of Object.entries(isTree(models) ? models : {}))
    if (!(await isAllowedRole(role, choice as Tree, allowed))) beyond.push(`models.${role}`)
  return beyond
}

// Some of the server's tool files are no more than all of them.
function isSameOrPart(path: SettingPath, value: unknown, whole: unknown): boolean {
  if (path.join('.') === 'tools.files' && Array.isArray(value) && Array.isArray(whole))
    return value.every(one => whole.includes(one))
  return stableJson(value) === stableJson(whole)
}

// The choice of the server, another model of the same server, or a backend that reads nothing that settings name.
async function isAllowedRole(role: string, { model, ...choice }: Tree, allowed: readonly Config[]): Promise<boolean> {
  const backend = String(choice.backend)
  if (backend === 'off') return true
  for (const { models } of allowed) {
    const { model: ownModel, ...own }: Tree = models[role as keyof typeof roles]
    if (stableJson(choice) !== stableJson(own)) continue
    if (stableJson(model ?? null) === stableJson(ownModel ?? null)) return true
    if ((await (await roles[role as keyof typeof roles]()).load(backend)).server) return true
  }
  return model === undefined && Object.keys(choice).length === 1 && isSelfContained(role, backend)
}
