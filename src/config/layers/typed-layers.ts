import { UsageError } from '../../core/errors.ts'
import { knownNames, readValue } from '../outline.ts'
import { atOrAround, type SettingsLayer, setAt, type Tree } from '../tree.ts'

// What was typed: --set assignments, and flags that stand for one setting each.
export interface Flags {
  set?: string[] // "index.level=quick"
  named?: { flag: string; path: string; text: string }[]
}

export function flagLayer({ set = [], named = [] }: Flags): SettingsLayer {
  const assigned = set.map(splitAssignment).map(({ path, text }) => ({ path, text, place: `--set ${path.join('.')}` }))
  const flags = named.map(({ flag, path, text }) => ({ path: path.split('.'), text, place: flag }))
  return typedLayer('flag', [...assigned, ...flags], 'a flag')
}

// Short names of settings that are mostly set for a shell.
const shortNames: Readonly<Record<string, string[]>> = {
  LONGTAKE_CLUSTER: ['cluster', 'database'],
  LONGTAKE_STORE: ['cluster', 'store'],
}

// LONGTAKE_PROFILE=local, LONGTAKE_MODEL=vllm, LONGTAKE_MODELS__READ_TEXT__BACKEND=tesseract: two underscores go one level down.
// Other variables that begin with LONGTAKE_ (LONGTAKE_HOME, LONGTAKE_FFMPEG) are not settings; an empty one counts as unset.
export function environmentLayer(environment: Readonly<Record<string, string | undefined>>): SettingsLayer {
  const typed = Object.entries(environment).flatMap(([variable, text]) =>
    text && isSetting(variable) ? [{ path: parsePath(variable), text, place: variable }] : [],
  )
  return typedLayer('environment', typed, 'the environment')
}

function typedLayer(
  name: SettingsLayer['name'],
  typed: readonly { path: string[]; text: string; place: string }[],
  elsewhere: string,
): SettingsLayer {
  const values: Tree = {}
  const places = new Map<string, string>()
  for (const { path, text, place } of typed) {
    setAt(values, path, readValue(text, path), place)
    places.set(path.join('.'), place)
  }
  return { name, values, place: path => atOrAround(places, path.join('.')) ?? elsewhere }
}

function splitAssignment(assignment: string): { path: string[]; text: string } {
  const at = assignment.indexOf('=')
  const path = assignment.slice(0, at).trim().split('.')
  if (at > 0 && path.every(part => part !== '')) return { path, text: assignment.slice(at + 1) }
  throw new UsageError(`--set "${assignment}" sets nothing.`, { hint: 'Write it as --set index.level=quick.' })
}

function isSetting(variable: string): boolean {
  return (
    Object.hasOwn(shortNames, variable) ||
    ['LONGTAKE_PROFILE', 'LONGTAKE_MODEL'].includes(variable) ||
    (variable.startsWith('LONGTAKE_') && variable.includes('__'))
  )
}

function parsePath(variable: string): string[] {
  const short = shortNames[variable]
  if (short) return [...short]
  const path: string[] = []
  for (const key of variable.slice('LONGTAKE_'.length).split('__')) {
    if (key === '')
      throw new UsageError(`The environment variable ${variable} names no setting.`, {
        hint: 'Write it as LONGTAKE_INDEX__LEVEL.',
      })
    const plain = key.replaceAll('_', '').toLowerCase()
    path.push(knownNames(path).find(name => name.toLowerCase() === plain) ?? camelCase(key))
  }
  return path
}

function camelCase(part: string): string {
  return part.toLowerCase().replace(/_([a-z0-9])/g, (_, letter: string) => letter.toUpperCase())
}
