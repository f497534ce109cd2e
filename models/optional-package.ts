import { createRequire } from 'node:module'
import { dirname, join, resolve } from 'node:path'
import { z } from 'zod'
import type { ModelNeed } from '../src/core/backend.ts'
import { UsageError } from '../src/core/errors.ts'

// A package that longtake does not bring: a backend that needs it loads it only where somebody has installed it.
export interface OptionalPackage {
  setting: z.ZodType<string | undefined>
  need(folder: string | undefined): ModelNeed
  path(folder: string | undefined): string // of its first file
}

export function optionalPackage(name: string): OptionalPackage {
  const mend = `Install it where longtake is, "npm install ${name}" (with -g for a global longtake), or name the folder that holds its node_modules with the setting packageFolder.`
  return {
    setting: z
      .string()
      .min(1)
      .optional()
      .describe(`a folder in which "npm install ${name}" was run; without it, where longtake itself is installed`),
    need: folder => ({ name: `the package ${name}`, met: async () => find(name, folder) !== undefined, mend }),
    path(folder) {
      const installed = find(name, folder)
      if (installed) return installed
      throw new UsageError(`The package ${name} is not there.`, { hint: mend })
    },
  }
}

// Beside longtake, or among the global packages of this Node. The working folder, which may be somebody else's, brings no code.
function find(name: string, folder: string | undefined): string | undefined {
  const global = join(dirname(dirname(process.execPath)), 'lib', 'node_modules')
  const places = folder ? [resolve(folder), dirname(resolve(folder))] : [import.meta.url, dirname(global)]
  for (const searchFolder of places) {
    const from = searchFolder.startsWith('file:') ? searchFolder : join(searchFolder, 'from-here.js')
    try {
      return createRequire(from).resolve(name)
    } catch {
      // it is not there
    }
  }
  return undefined
}
