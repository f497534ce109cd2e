import { UsageError } from '../core/errors.ts'
import { isObject } from '../core/json.ts'

// Nested settings as they come from a file, the environment or flags: not checked yet.
export type Tree = { [key: string]: unknown }
export type SettingPath = readonly string[]

export function settingAt(tree: unknown, path: SettingPath): unknown {
  let at = tree
  for (const key of path) {
    if (!isObject(at) || !Object.hasOwn(at, key)) return undefined
    at = at[key]
  }
  return at
}

export function setAt(tree: Tree, path: SettingPath, value: unknown, place: string): void {
  let at = tree
  for (const key of path.slice(0, -1)) {
    checkKey(key, place)
    if (!isObject(at[key])) at[key] = {}
    at = at[key] as Tree
  }
  const last = path.at(-1) ?? ''
  checkKey(last, place)
  at[last] = value
}

// The leaves with their paths; a list counts as one, and so does an object without entries.
export function* leavesOf(tree: Tree, path: string[] = []): Generator<{ path: string[]; value: unknown }> {
  for (const [key, value] of Object.entries(tree)) {
    if (isObject(value) && Object.keys(value).length > 0) yield* leavesOf(value, [...path, key])
    else yield { path: [...path, key], value }
  }
}

// Names that would reach into JavaScript's own objects.
export function checkKey(key: string, place: string): void {
  if (['__proto__', 'constructor', 'prototype', ''].includes(key))
    throw new UsageError(`"${key}" cannot be the name of a setting (${place}).`)
}

// Settings that came from one place. Later layers win over earlier ones, leaf by leaf.
export interface SettingsLayer {
  name: 'install' | 'profile' | 'chosen' | 'stills' | 'effort' | 'file' | 'environment' | 'flag'
  values: Tree
  place(path: SettingPath): string // as the user finds it: a file, a variable, a flag
}

// Where a value comes from.
export interface Origin {
  layer: SettingsLayer['name'] | 'default'
  place: string
}

export type Origins = ReadonlyMap<string, Origin> // by dotted path

// What is known of a path, or of the first known one below or above it.
export function atOrAround<Known>(known: ReadonlyMap<string, Known>, name: string): Known | undefined {
  const near = ([other]: [string, Known]) => other.startsWith(`${name}.`) || name.startsWith(`${other}.`)
  return known.get(name) ?? [...known].find(near)?.[1]
}
