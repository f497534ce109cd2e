import type { Stats } from 'node:fs'
import { constants, open, stat } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'
import { absentAs, errorText, forbidden, UsageError } from '../../core/errors.ts'
import { stableJson } from '../../core/json.ts'
import { knownOutline, type Outline } from '../outline.ts'
import { leavesOf, type SettingPath, type SettingsLayer, setAt, settingAt, type Tree } from '../tree.ts'
import { ownerFault, parseLayer, settingsFileName } from './file-layer.ts'

const maxBytes = 1_000_000

interface FoundFile {
  layer?: SettingsLayer
  notices: string[] // one line for the user: what was withheld or ignored, and how to allow it
}

// The settings of longtake.config.json in the working folder or the nearest parent that has one. Nobody named the file: it may
// have come with a downloaded video. So it sets what the schema marks as taste and nothing else, and only where no other user
// can write it.
export async function foundFile(
  cwd: string,
  own: readonly string[],
  selfContained: SelfContained,
  below: Tree, // the settings that it is laid over: a limit is not higher than there
): Promise<FoundFile | undefined> {
  for (let folder = resolve(cwd); ; folder = dirname(folder)) {
    const path = join(folder, settingsFileName)
    const stats = await stat(path).catch(absentAs(undefined, ...forbidden, 'ELOOP'))
    if (stats?.isFile()) return (await isSameFile(stats, own)) ? undefined : read(path, own, selfContained, below)
    if (folder === dirname(folder)) return undefined
  }
}

// The user's own settings file is in the working folder or above: it is read as such already.
async function isSameFile(found: Stats, own: readonly string[]): Promise<boolean> {
  const otherStats = await Promise.all(own.map(path => stat(path).catch(absentAs(undefined, ...forbidden, 'ELOOP'))))
  return otherStats.some(other => other?.ino === found.ino && other.dev === found.dev)
}

async function read(
  path: string,
  own: readonly string[],
  selfContained: SelfContained,
  below: Tree,
): Promise<FoundFile> {
  const { text, owner } = await content(path)
  const fault = ownerFault(path, owner) ?? ownerFault(dirname(path), await stat(dirname(path)))
  if (fault)
    return {
      notices: [
        `The settings file ${path} was found, not named, and is ignored: ${fault}. To use it: --config ${path}.`,
      ],
    }
  const layer = parseLayer(path, text)
  const { values, withheld, raised } = await selectTaste(layer.values, selfContained, below)
  const notices = [
    ...(withheld.length > 0 ? [withheldLine(path, withheld, own)] : []),
    ...(raised.length > 0 ? [raisedLine(path, raised, own)] : []),
  ]
  return { layer: { ...layer, values }, notices }
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
  return `Withheld from ${path}, which was found and not named: ${shortList(names.map(showSettingName))}. ${howToAllow(path, own)}`
}

function raisedLine(path: string, raised: readonly Raised[], own: readonly string[]): string {
  const unchanged = raised.map(({ name, stays }) => `${showSettingName(name)} stays ${JSON.stringify(stays)}`)
  return `${path}, which was found and not named, may lower limits and not raise them: ${shortList(unchanged)}. ${howToAllow(path, own)}`
}

function howToAllow(path: string, own: readonly string[]): string {
  const home = own.length > 0 ? `, or move them to your own settings (${own[0]})` : ''
  return `To allow them: --config ${path}${home}.`
}

// The first names of a list, and how many there are besides.
export function shortList(names: readonly string[]): string {
  const more = names.length > shownNames ? ` and ${names.length - shownNames} more` : ''
  return `${names.slice(0, shownNames).join(', ')}${more}`
}

// The name of a setting that somebody else has chosen, as it may be shown.
export function showSettingName(name: string): string {
  return /^[\w.-]{1,80}$/.test(name) ? name : JSON.stringify(name.slice(0, 80))
}

// Whether a backend of a role runs within this process or the install, and reads nothing that its settings name.
export type SelfContained = (role: string, backend: string) => Promise<boolean>

interface Raised {
  name: string
  stays: unknown
}

// The part of a found file's settings that the schema lets such a file set ("x-found"), the names of the rest, and the limits that it
// would raise over those `below` it. Names that the schema refuses altogether stay, for the error that explains them.
export async function selectTaste(
  values: Tree,
  selfContained: SelfContained,
  below: Tree = {},
): Promise<{ values: Tree; withheld: string[]; raised: Raised[] }> {
  const keptValues: Tree = {}
  const withheld: string[] = []
  const raised: Raised[] = []
  for (const { path, value } of leavesOf(values)) {
    const full = isRole(path) && typeof value === 'string' ? [...path, 'backend'] : path
    const at = knownOutline(full)
    if (at !== 'unknown' && at !== 'open' && at['x-found'] === 'lower') {
      const stays = settingAt(below, full) ?? at.default
      if (isNoMore(at, value, stays)) setAt(keptValues, full, value, 'a found file')
      else raised.push({ name: full.join('.'), stays })
    } else if (at === 'unknown' || (await allowed(at, full, value, selfContained)))
      setAt(keptValues, full, value, 'a found file')
    else withheld.push(path.join('.'))
  }
  return { values: keptValues, withheld, raised }
}

// Whether a value gives no power and costs no more than one of those that are known.
export function isHarmlessValue(path: SettingPath, value: unknown, known: readonly unknown[]): boolean {
  const at = knownOutline(path)
  if (at === 'open' || at === 'unknown') return false
  const may = at['x-found']
  if (may === 'lower') return known.some(one => isNoMore(at, value, one))
  if (may === true || (Array.isArray(may) && typeof value !== 'object' && may.includes(String(value)))) return true
  return value !== undefined && stableJson(value) === stableJson(at.default ?? null)
}

// Without a limit there, any is lower. The words of a list begin with the most. What is of another kind is refused later, by the schema.
function isNoMore({ enum: words }: Outline, value: unknown, limit: unknown): boolean {
  if (limit === undefined || value === limit) return true
  if (words) return !words.includes(value) || words.indexOf(value) >= words.indexOf(limit)
  if (typeof value === 'number') return typeof limit === 'number' && value <= limit
  return value !== 'auto'
}

// `"transcribe": "whisper"` is short for the name of the backend.
function isRole(path: SettingPath): boolean {
  return path.length === 2 && path[0] === 'models'
}

async function allowed(
  at: Outline | 'open',
  path: SettingPath,
  value: unknown,
  selfContained: SelfContained,
): Promise<boolean> {
  const may = at === 'open' ? undefined : at['x-found']
  const [, role = ''] = path
  if (may === 'self-contained') return value === 'off' || (typeof value === 'string' && selfContained(role, value))
  return typeof may === 'boolean' ? may : typeof value !== 'object' && (may?.includes(String(value)) ?? false)
}
