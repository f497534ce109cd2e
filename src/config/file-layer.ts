import { readFile, stat } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'
import { errorText, UsageError } from '../core/errors.ts'
import type { Layer } from './layer.ts'
import { isTree, valueAt } from './tree.ts'

export const fileName = 'longtake.config.json'

// What only a file that was named may set: a folder of videos from somebody else may hold a settings file too.
const namedOnly = ['permissions', 'tools.files', 'tools.servers', 'tools.web']

// The settings of a file that was named; a wrong name is an error.
export async function namedFile(path: string, cwd: string): Promise<Layer> {
  return readLayer(resolve(cwd, path))
}

// The settings of longtake.config.json in the working folder or the nearest parent that has one.
export async function foundFile(cwd: string): Promise<Layer | undefined> {
  for (let folder = resolve(cwd); ; folder = dirname(folder)) {
    const path = join(folder, fileName)
    const found = await stat(path).catch(() => undefined)
    if (found?.isFile()) return withoutPowers(await readLayer(path), path)
    if (folder === dirname(folder)) return undefined
  }
}

function withoutPowers(layer: Layer, path: string): Layer {
  const power = namedOnly.find(path => valueAt(layer.values, path.split('.')) !== undefined)
  if (power === undefined) return layer
  throw new UsageError(`${path} sets "${power}", and it was found here, not named by you.`, {
    hint: `If the file is yours, name it: --config ${path}; or give the setting itself: --set ${power}.NAME=VALUE.`,
  })
}

async function readLayer(path: string): Promise<Layer> {
  const text = await readFile(path, 'utf8').catch(error => {
    throw new UsageError(`Cannot read the settings file ${path}: ${errorText(error)}.`, {
      cause: error,
      hint: 'Name another one with --config PATH, or leave --config out.',
    })
  })
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
  if (isTree(value)) return value
  throw new UsageError(`${path} must hold one JSON object.`, { hint: 'For example { "profile": "embedded" }.' })
}
