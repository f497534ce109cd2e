import { readFile } from 'node:fs/promises'
import { dirname, resolve } from 'node:path'
import { errorText, UsageError } from '../core/errors.ts'
import type { Layer } from './layer.ts'
import { rooted } from './rooted.ts'
import { isTree } from './tree.ts'

export const fileName = 'longtake.config.json'

// The settings of a file that was named; a wrong name is an error.
export async function namedFile(path: string, cwd: string): Promise<Layer> {
  return readLayer(resolve(cwd, path))
}

export async function readLayer(path: string): Promise<Layer> {
  const text = await readFile(path, 'utf8').catch(error => {
    throw new UsageError(`Cannot read the settings file ${path}: ${errorText(error)}.`, {
      cause: error,
      hint: 'Name another one with --config PATH, or leave --config out.',
    })
  })
  const layer = layerOf(path, text)
  return { ...layer, values: rooted(layer.values, dirname(path)) }
}

export function layerOf(path: string, text: string): Layer {
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
