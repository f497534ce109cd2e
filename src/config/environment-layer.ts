import { UsageError } from '../core/errors.ts'
import type { Layer } from './layer.ts'
import { knownBelow } from './outline.ts'
import { readValue } from './text-value.ts'
import { setAt, type Tree } from './tree.ts'

// LONGTAKE_PROFILE=local, LONGTAKE_MODELS__READ_TEXT__BACKEND=tesseract: two underscores go one level down.
// Other variables that begin with LONGTAKE_ (LONGTAKE_HOME, LONGTAKE_FFMPEG) are not settings; an empty one counts as unset.
export function environmentLayer(environment: Readonly<Record<string, string | undefined>>): Layer {
  const values: Tree = {}
  const variables = new Map<string, string>()
  for (const [variable, text] of Object.entries(environment)) {
    if (!text || !isSetting(variable)) continue
    const path = pathOf(variable)
    setAt(values, path, readValue(text, path), variable)
    variables.set(path.join('.'), variable)
  }
  return {
    name: 'environment',
    values,
    place: path => {
      const name = path.join('.')
      const found = [...variables].find(
        ([known]) => known === name || known.startsWith(`${name}.`) || name.startsWith(`${known}.`),
      )
      return found?.[1] ?? 'the environment'
    },
  }
}

function isSetting(variable: string): boolean {
  return variable === 'LONGTAKE_PROFILE' || (variable.startsWith('LONGTAKE_') && variable.includes('__'))
}

function pathOf(variable: string): string[] {
  const path: string[] = []
  for (const part of variable.slice('LONGTAKE_'.length).split('__')) {
    if (part === '')
      throw new UsageError(`The environment variable ${variable} names no setting.`, {
        hint: 'Write it as LONGTAKE_INDEX__LEVEL.',
      })
    const plain = part.replaceAll('_', '').toLowerCase()
    path.push(knownBelow(path).names.find(name => name.toLowerCase() === plain) ?? camelCase(part))
  }
  return path
}

function camelCase(part: string): string {
  return part.toLowerCase().replace(/_([a-z0-9])/g, (_, letter: string) => letter.toUpperCase())
}
