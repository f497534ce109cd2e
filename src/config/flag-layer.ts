import { UsageError } from '../core/errors.ts'
import type { Layer } from './layer.ts'
import { readValue } from './text-value.ts'
import { type Path, setAt, type Tree } from './tree.ts'

// What was typed: --set assignments, and flags that stand for one setting each.
export interface Flags {
  set?: string[] // "index.level=quick"
  named?: { flag: string; path: string; text: string }[]
}

export function flagLayer(flags: Flags): Layer {
  const values: Tree = {}
  const places = new Map<string, string>()
  const add = (path: string[], text: string, place: string) => {
    setAt(values, path, readValue(text, path), place)
    places.set(path.join('.'), place)
  }
  for (const assignment of flags.set ?? []) {
    const { path, text } = split(assignment)
    add(path, text, `--set ${path.join('.')}`)
  }
  for (const { flag, path, text } of flags.named ?? []) add(path.split('.'), text, flag)
  return { name: 'flag', values, place: path => placeOf(places, path) }
}

function split(assignment: string): { path: string[]; text: string } {
  const at = assignment.indexOf('=')
  const path = assignment.slice(0, at).trim().split('.')
  if (at > 0 && path.every(part => part !== '')) return { path, text: assignment.slice(at + 1) }
  throw new UsageError(`--set "${assignment}" sets nothing.`, { hint: 'Write it as --set index.level=quick.' })
}

function placeOf(places: ReadonlyMap<string, string>, path: Path): string {
  const name = path.join('.')
  const found = [...places].find(
    ([known]) => known === name || known.startsWith(`${name}.`) || name.startsWith(`${known}.`),
  )
  return found?.[1] ?? 'a flag'
}
