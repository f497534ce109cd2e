import { readdirSync, readFileSync } from 'node:fs'
import { join, relative } from 'node:path'

export interface NamedTest {
  id: string
  name: string // as it stands in the source
  file: string // below the repository
}

export const repository = new URL('../..', import.meta.url).pathname

// Every test whose name begins with "fault NN: ", found by reading the sources.
export function namedTests(): NamedTest[] {
  return ['src', 'models', 'tools', 'graphs', 'eval', 'apps', 'scripts', 'tests'].flatMap(folder =>
    readdirSync(join(repository, folder), { recursive: true, encoding: 'utf8' })
      .filter(name => name.endsWith('.test.ts'))
      .sort()
      .flatMap(name => inFile(join(repository, folder, name))),
  )
}

function inFile(path: string): NamedTest[] {
  const names = readFileSync(path, 'utf8').matchAll(/(['"`])fault (\d+): (.*?)\1/g)
  return [...names].map(([, , id = '', name = '']) => ({ id, name, file: relative(repository, path) }))
}
