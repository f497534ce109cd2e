import { readdirSync } from 'node:fs'
import { join } from 'node:path'

const root = join(import.meta.dirname, '..', '..')
const folders = ['src', 'models', 'tools', 'graphs', 'eval', 'apps', 'scripts', 'tests']

// Every test file of the repository, by its path from the root.
export function testFiles(): string[] {
  const below = (folder: string) => readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
  return folders
    .flatMap(folder => below(folder).map(name => `${folder}/${name.replaceAll('\\', '/')}`))
    .filter(file => file.endsWith('.test.ts') && !file.includes('node_modules/'))
    .sort()
}
