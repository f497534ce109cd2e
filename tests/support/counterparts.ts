import { existsSync } from 'node:fs'
import { join } from 'node:path'

// The folder in which the optional packages were installed for the tests (.ci/run does it); their tests are skipped without it.
export const packageFolder = process.env.LONGTAKE_TEST_PACKAGES

export function hasPackage(name: string): boolean {
  return packageFolder !== undefined && existsSync(join(packageFolder, 'node_modules', name, 'package.json'))
}
