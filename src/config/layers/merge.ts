import { isObject } from '../../core/json.ts'
import {
  checkKey,
  leavesOf,
  type Origin,
  type SettingPath,
  type SettingsLayer,
  setAt,
  settingAt,
  type Tree,
} from '../tree.ts'

interface Merged {
  values: Tree
  origins: Map<string, Origin>
}

// Lays the layers over one another, the last on top, and remembers where each leaf comes from.
export function mergeLayers(layers: readonly SettingsLayer[]): Merged {
  const merged: Merged = { values: {}, origins: new Map() }
  for (const layer of layers) {
    dropReplacedBackends(merged, layer)
    merge(merged, layer, merged.values, withNamedBackends(layer.values), [])
  }
  return merged
}

function merge(merged: Merged, layer: SettingsLayer, into: Tree, values: Tree, path: string[]): void {
  for (const [key, value] of Object.entries(values)) {
    const here = [...path, key]
    checkKey(key, layer.place(here))
    if (isObject(value) && Object.keys(value).length > 0) {
      if (!isObject(into[key])) {
        forget(merged, here)
        into[key] = {}
      }
      merge(merged, layer, into[key] as Tree, value, here)
    } else if (!(isObject(value) && isObject(into[key]))) {
      forget(merged, here)
      into[key] = value
      merged.origins.set(here.join('.'), { layer: layer.name, place: layer.place(here) })
    }
  }
}

// Settings belong to their backend: a layer that names another one does not inherit those of the one it replaces. A role that `model`
// fills keeps the limits of its requests: it was they that were set, for whatever server fills it.
function dropReplacedBackends(merged: Merged, { name, values }: SettingsLayer): void {
  const models = withNamedBackends(values).models
  if (!isObject(models)) return
  for (const [role, settings] of Object.entries(models)) {
    const before = settingAt(merged.values, ['models', role, 'backend'])
    const after = settingAt(settings, ['backend'])
    if (before === undefined || after === undefined || before === after) continue
    const limits = name === 'chosen' ? settingAt(merged.values, ['models', role, 'limits']) : undefined
    const limitOrigins = [...merged.origins].filter(([path]) => path.startsWith(`models.${role}.limits`))
    delete (merged.values.models as Tree)[role]
    forget(merged, ['models', role])
    if (!isObject(limits)) continue
    setAt(merged.values, ['models', role, 'limits'], limits, '')
    for (const [path, origin] of limitOrigins) merged.origins.set(path, origin)
  }
}

// `"transcribe": "whisper"` is short for `"transcribe": { "backend": "whisper" }`.
function withNamedBackends(values: Tree): Tree {
  if (!isObject(values.models)) return values
  const models = Object.entries(values.models).map(([role, settings]) => [
    role,
    typeof settings === 'string' ? { backend: settings } : settings,
  ])
  return { ...values, models: Object.fromEntries(models) }
}

function forget(merged: Merged, path: SettingPath): void {
  const name = path.join('.')
  for (const originName of [...merged.origins.keys()])
    if (originName === name || originName.startsWith(`${name}.`)) merged.origins.delete(originName)
}

// The origins of everything, with "default" for what no layer has set.
export function addDefaultOrigins(origins: ReadonlyMap<string, Origin>, values: Tree): Map<string, Origin> {
  const all = new Map<string, Origin>()
  for (const { path } of leavesOf(values)) {
    const name = path.join('.')
    all.set(name, origins.get(name) ?? { layer: 'default', place: 'default' })
  }
  return all
}
