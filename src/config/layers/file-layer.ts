import type { Stats } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { dirname } from 'node:path'
import { errorText, UsageError } from '../../core/errors.ts'
import { isObject } from '../../core/json.ts'
import type { SettingsLayer } from '../tree.ts'
import { rootPaths } from './absolute-paths.ts'

export const settingsFileName = 'longtake.config.json'

// The settings of a file that was named; a wrong name is an error.
export async function readLayer(path: string): Promise<SettingsLayer> {
  const text = await readFile(path, 'utf8').catch(error => {
    throw new UsageError(`Cannot read the settings file ${path}: ${errorText(error)}.`, {
      cause: error,
      hint: 'Name another one with --config PATH, or leave --config out.',
    })
  })
  const layer = parseLayer(path, text)
  return { ...layer, values: rootPaths(layer.values, dirname(path)) }
}

export function parseLayer(path: string, text: string): SettingsLayer {
  const { $schema: _, ...values } = parsed(path, text)
  return { name: 'file', values, place: () => path }
}

function parsed(path: string, text: string): Record<string, unknown> {
  let value: unknown
  try {
    value = JSON.parse(text.replace(/^\uFEFF/, ''))
  } catch (error) {
    throw new UsageError(`${path} is not valid JSON: ${errorText(error)}.`, { cause: error })
  }
  if (isObject(value)) return value
  throw new UsageError(`${path} must hold one JSON object.`, { hint: 'For example { "profile": "embedded" }.' })
}

// Why a file or folder does not count as the user's own: somebody else owns it or can write to it. Windows has no such modes.
export function ownerFault(path: string, { uid, gid, mode }: Pick<Stats, 'uid' | 'gid' | 'mode'>): string | undefined {
  const user = process.getuid?.()
  if (user === undefined) return undefined
  if (uid !== user && uid !== 0) return `${path} belongs to another user (uid ${uid})`
  // A group of the user's own, as many systems make one per user, has no other members.
  const ownGroup = gid === uid && gid === process.getgid?.()
  if ((mode & 0o002) === 0 && ((mode & 0o020) === 0 || ownGroup)) return undefined
  return `other users can write to ${path} (mode ${(mode & 0o7777).toString(8)}; "chmod go-w" closes it)`
}
