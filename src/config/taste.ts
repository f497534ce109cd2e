import { knownOutline, type Outline } from './outline.ts'
import { leavesOf, type Path, setAt, type Tree } from './tree.ts'

// Whether a backend of a role runs within this process or the install, and reads nothing that its settings name.
export type SelfContained = (role: string, backend: string) => Promise<boolean>

// The part of a found file's settings that the schema lets such a file set ("x-found"), and the names of the rest. Names that the
// schema refuses altogether stay, for the error that explains them.
export async function tasteOf(
  values: Tree,
  selfContained: SelfContained,
): Promise<{ values: Tree; withheld: string[] }> {
  const kept: Tree = {}
  const withheld: string[] = []
  for (const { path, value } of leavesOf(values)) {
    const full = isRole(path) && typeof value === 'string' ? [...path, 'backend'] : path
    const at = knownOutline(full)
    if (at === 'unknown' || (await allowed(at, full, value, selfContained))) setAt(kept, full, value, 'a found file')
    else withheld.push(path.join('.'))
  }
  return { values: kept, withheld }
}

// `"transcribe": "whisper"` is short for the name of the backend.
function isRole(path: Path): boolean {
  return path.length === 2 && path[0] === 'models'
}

async function allowed(
  at: Outline | 'open',
  path: Path,
  value: unknown,
  selfContained: SelfContained,
): Promise<boolean> {
  const may = at === 'open' ? undefined : at['x-found']
  if (may === 'self-contained') return value === 'off' || (typeof value === 'string' && selfContained(path[1], value))
  return typeof may === 'boolean' ? may : (may?.includes(String(value)) ?? false)
}
