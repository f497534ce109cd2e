import { readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

// The version of the package that this file belongs to, compiled or not.
export function version(): string {
  return String(packageFile().version)
}

// Where to report a fault, if the package says so.
export function reportAddress(): string | undefined {
  const { bugs, homepage } = packageFile()
  const address = typeof bugs === 'object' && bugs !== null && 'url' in bugs ? bugs.url : (bugs ?? homepage)
  return typeof address === 'string' ? address : undefined
}

// The folder of that package.
export function packageFolder(): string {
  return findPackage().folder
}

function packageFile(): Record<string, unknown> {
  return findPackage().file
}

function findPackage(): { folder: string; file: Record<string, unknown> } {
  for (let folder = dirname(fileURLToPath(import.meta.url)); ; folder = dirname(folder)) {
    try {
      const file = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))
      if (file.name === 'longtake') return { folder, file }
    } catch {
      if (folder === dirname(folder)) return { folder, file: { version: 'unknown' } }
    }
  }
}
