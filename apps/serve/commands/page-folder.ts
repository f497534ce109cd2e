import { existsSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

// The folder of the built page: in dist of this package, or of the checkout (bin/pack.mjs, bin/compile.mjs).
export function pageFolder(): string {
  for (let folder = dirname(fileURLToPath(import.meta.url)); ; folder = dirname(folder)) {
    const page = join(folder, 'dist', 'page')
    if (existsSync(join(page, 'index.html')) || folder === dirname(folder)) return page
  }
}
