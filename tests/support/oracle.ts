import { existsSync, readFileSync } from 'node:fs'
import { describe, test } from 'vitest'

// What the published scorers return and real annotation files, kept beside the repository because of their licences.
const shared = new URL('../../../shared/', import.meta.url)

// A path below oracles/; one that begins with ../ leads to its neighbours, as ../data/cg-bench/cgbench_mini.json.
export function oraclePath(path: string): string {
  return new URL(`oracles/${path}`, shared).pathname
}

export function oracle<Content>(path: string): Content {
  return JSON.parse(readFileSync(oraclePath(path), 'utf8'))
}

// A `describe` that runs where the files lie beside the repository, and says so where one does not.
export function withOracle(...paths: string[]): (name: string, tests: () => void) => void {
  const missing = paths.find(path => !existsSync(oraclePath(path)))
  return (name, tests) =>
    describe(name, () => {
      if (missing) test.skip(`needs ../shared/oracles/${missing}, which is not there`, () => {})
      else tests()
    })
}
