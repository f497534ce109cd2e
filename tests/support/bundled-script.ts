import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { build } from 'esbuild'
import { afterAll } from 'vitest'

const root = join(import.meta.dirname, '..', '..')

// The path of a program that child processes of the tests of a file run: this text with all of ours that it imports. Through tsx each
// start would cost a second of processor time. It lies where packages are found.
export async function bundledScript(text: string): Promise<string> {
  const cache = join(root, 'node_modules', '.cache')
  mkdirSync(cache, { recursive: true })
  const folder = mkdtempSync(join(cache, 'longtake-test-'))
  afterAll(() => rmSync(folder, { recursive: true, force: true }))
  const outfile = join(folder, 'script.mjs')
  await build({
    stdin: { contents: text.replaceAll('file://', ''), resolveDir: root },
    ...{ outfile, bundle: true, packages: 'external', format: 'esm' },
    ...{ platform: 'node', target: 'node20.19', logLevel: 'error' },
  })
  return outfile
}
