import { existsSync, readFileSync } from 'node:fs'
import { describe } from 'vitest'

// What the published scorers return, kept outside the repository because of the benchmarks' licences.
const shared = new URL('../../shared/', import.meta.url)

export function sharedPath(path: string): string {
  return new URL(path, shared).pathname
}

// A `describe` that runs where the file lies beside the repository, and says why where it does not.
export function withOracle(...paths: string[]): (name: string, tests: () => void) => void {
  const missing = paths.filter(path => !existsSync(oraclePath(path)))
  return (name, tests) =>
    missing.length === 0
      ? describe(name, tests)
      : describe.skip(`${name} (skipped: ../shared/oracles/${missing[0]} is not there)`, () => {})
}

export function oracle<Content>(path: string): Content {
  return JSON.parse(readFileSync(oraclePath(path), 'utf8'))
}

export function oraclePath(path: string): string {
  return path.startsWith('../') ? sharedPath(path.slice(3)) : sharedPath(`oracles/${path}`)
}
