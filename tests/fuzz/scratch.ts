import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

let folder: string | undefined

// A folder of this process that ends with it.
export function scratch(name: string): string {
  if (folder === undefined) {
    const scratchFolder = mkdtempSync(join(tmpdir(), 'longtake-fuzz-'))
    process.once('exit', () => rmSync(scratchFolder, { recursive: true, force: true }))
    folder = scratchFolder
  }
  return join(folder, name)
}
