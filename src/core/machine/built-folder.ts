import { existsSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'

// A folder that bin/compile.mjs or bin/pack.mjs has built for the browser: in dist of the package of this module, or of the checkout.
export function builtFolder(module: string, name: string): string {
  for (let folder = dirname(fileURLToPath(module)); ; folder = dirname(folder)) {
    const built = join(folder, 'dist', name)
    if (existsSync(built) || folder === dirname(folder)) return built
  }
}

// The first file of a thread or a process, which `module` names without its ending: of a build, which has every file in one folder.
// A module that runs as TypeScript has none, and tsx loads the source, unless LONGTAKE_BUILD names a build, as our tests do: through
// tsx each start costs most of a second.
export function builtFile(module: string, name: string): URL | undefined {
  const file = `${basename(name)}.js`
  if (!module.endsWith('.ts')) return new URL(file, module)
  const built = join(process.env.LONGTAKE_BUILD ?? '', file)
  return process.env.LONGTAKE_BUILD && existsSync(built) ? pathToFileURL(built) : undefined
}
