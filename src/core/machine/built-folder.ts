import { existsSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

// A folder that bin/compile.mjs or bin/pack.mjs has built for the browser: in dist of the package of this module, or of the checkout.
export function builtFolder(module: string, name: string): string {
  for (let folder = dirname(fileURLToPath(module)); ; folder = dirname(folder)) {
    const built = join(folder, 'dist', name)
    if (existsSync(built) || folder === dirname(folder)) return built
  }
}
