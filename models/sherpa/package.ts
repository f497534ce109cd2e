import { createRequire } from 'node:module'
import { dirname, join, resolve } from 'node:path'
import { z } from 'zod'
import type { Need } from '../../src/core/backend.ts'
import { UsageError } from '../../src/core/errors.ts'

const name = 'sherpa-onnx-node'
const mend = `Install it where longtake is, "npm install ${name}" (with -g for a global longtake), or name the folder that holds its node_modules with the setting packageFolder.`

export const sherpaSettings = {
  packageFolder: z
    .string()
    .min(1)
    .optional()
    .describe(`a folder in which "npm install ${name}" was run; without it, where longtake itself is installed`),
  threads: z.number().int().positive().default(1).describe('processor threads of one model'),
}

interface Settings {
  packageFolder?: string
}

export function packageNeed(settings: Settings): Need {
  return { name: `the package ${name}`, met: async () => findPackage(settings) !== undefined, mend }
}

// The path of its first file.
export function sherpaPackage(settings: Settings): string {
  const found = findPackage(settings)
  if (found) return found
  throw new UsageError(`The package ${name} is not there.`, { hint: mend })
}

// Beside longtake, or among the global packages of this Node. The working folder, which may be somebody else's, brings no code.
function findPackage({ packageFolder }: Settings): string | undefined {
  const global = join(dirname(dirname(process.execPath)), 'lib', 'node_modules')
  const places = packageFolder
    ? [resolve(packageFolder), dirname(resolve(packageFolder))]
    : [import.meta.url, dirname(global)]
  for (const place of places) {
    const from = place.startsWith('file:') ? place : join(place, 'from-here.js')
    try {
      return createRequire(from).resolve(name)
    } catch {
      // it is not there
    }
  }
  return undefined
}
