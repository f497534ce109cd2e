import { removedPolicySettings } from '../../core/settings.ts'
import { isTree, type SettingsLayer } from '../tree.ts'

// Layers without the settings of policies that were removed, and a line for the user on each layer that has some: files and runs of
// older releases name them, and go on.
export function withoutRemoved(layers: readonly SettingsLayer[]): { layers: SettingsLayer[]; notices: string[] } {
  const notices: string[] = []
  const cleaned = layers.map(withoutAutoEffort).map(layer => {
    const { policy } = layer.values
    if (!isTree(policy)) return layer
    const removed = Object.keys(policy).filter(name => Object.hasOwn(removedPolicySettings, name))
    if (removed.length === 0) return layer
    const named = removed.map(name => `policy.${name} (${removedPolicySettings[name]})`).join(', ')
    const origin = layer.place(['policy', removed[0] ?? ''])
    notices.push(`Settings that were removed have no effect in ${origin}: ${named}. Leave them out.`)
    const entries = Object.entries(policy).filter(([name]) => !removed.includes(name))
    return { ...layer, values: { ...layer.values, policy: Object.fromEntries(entries) } }
  })
  return { layers: cleaned, notices }
}

// "auto" was what medium is, which is the default.
function withoutAutoEffort(layer: SettingsLayer): SettingsLayer {
  if (layer.values.effort !== 'auto') return layer
  const { effort: _, ...values } = layer.values
  return { ...layer, values }
}
