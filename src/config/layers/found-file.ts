import type { Stats } from 'node:fs'
import { constants, open, stat } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'
import { absentAs, errorText, forbidden, UsageError } from '../../core/errors.ts'
import { knownOutline, type Outline } from '../outline.ts'
import { type Layer, leavesOf, type Path, setAt, type Tree } from '../tree.ts'
import { fileName, layerOf, ownerFault } from './file-layer.ts'

const maxBytes = 1_000_000

export interface FoundFile {
  layer?: Layer
  notices: string[] // one line for the user: what was withheld or ignored, and how to allow it
}

// The settings of longtake.config.json in the working folder or the nearest parent that has one. Nobody named the file: it may
// have come with a downloaded video. So it sets what the schema marks as taste and nothing else, and only where no other user
// can write it.
export async function foundFile(
  cwd: string,
  own: readonly string[],
  selfContained: SelfContained,
): Promise<FoundFile | undefined> {
  for (let folder = resolve(cwd); ; folder = dirname(folder)) {
    const path = join(folder, fileName)
    const found = await stat(path).catch(absentAs(undefined, ...forbidden, 'ELOOP'))
    if (found?.isFile()) return (await isOneOf(found, own)) ? undefined : read(path, own, selfContained)
    if (folder === dirname(folder)) return undefined
  }
}

// The user's own settings file is in the working folder or above: it is read as such already.
async function isOneOf(found: Stats, own: readonly string[]): Promise<boolean> {
  const others = await Promise.all(own.map(path => stat(path).catch(absentAs(undefined, ...forbidden, 'ELOOP'))))
  return others.some(other => other?.ino === found.ino && other.dev === found.dev)
}

async function read(path: string, own: readonly string[], selfContained: SelfContained): Promise<FoundFile> {
  const { text, owner } = await content(path)
  const fault = ownerFault(path, owner) ?? ownerFault(dirname(path), await stat(dirname(path)))
  if (fault)
    return {
      notices: [
        `The settings file ${path} was found, not named, and is ignored: ${fault}. To use it: --config ${path}.`,
      ],
    }
  const layer = layerOf(path, text)
  const { values, withheld } = await tasteOf(layer.values, selfContained)
  return { layer: { ...layer, values }, notices: withheld.length > 0 ? [withheldLine(path, withheld, own)] : [] }
}

// The checks and the text are of one open file, so that it cannot be replaced in between; a FIFO is not waited for.
async function content(path: string): Promise<{ text: string; owner: Stats }> {
  await using handle = await open(path, constants.O_RDONLY | constants.O_NONBLOCK).catch(error => {
    throw new UsageError(`Cannot read the settings file ${path}: ${errorText(error)}.`, {
      cause: error,
      hint: 'Remove it, or name another one with --config PATH.',
    })
  })
  const owner = await handle.stat()
  if (owner.size > maxBytes || !owner.isFile())
    throw new UsageError(`${path} is not a settings file: it has ${owner.size} bytes, the max is ${maxBytes}.`, {
      hint: 'Remove it, or name another one with --config PATH.',
    })
  return { text: await handle.readFile('utf8'), owner }
}

const shownNames = 6

function withheldLine(path: string, names: readonly string[], own: readonly string[]): string {
  const shown = names
    .slice(0, shownNames)
    .map(name => (/^[\w.-]{1,80}$/.test(name) ? name : JSON.stringify(name.slice(0, 80))))
  const more = names.length > shownNames ? ` and ${names.length - shownNames} more` : ''
  const home = own.length > 0 ? `, or move them to your own settings (${own[0]})` : ''
  return `Withheld from ${path}, which was found and not named: ${shown.join(', ')}${more}. To allow them: --config ${path}${home}.`
}

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
  const [, role = ''] = path
  if (may === 'self-contained') return value === 'off' || (typeof value === 'string' && selfContained(role, value))
  return typeof may === 'boolean' ? may : (may?.includes(String(value)) ?? false)
}
