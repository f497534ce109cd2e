#!/usr/bin/env node
// Starts longtake. In a checkout it first compiles what has changed since the last time.
import { existsSync } from 'node:fs'

const sources = new URL('../src/', import.meta.url)
if (existsSync(sources)) {
  const { compileIfStale } = await import('./compile.mjs')
  await compileIfStale()
}
const { main } = await import('../dist/src/cli/main.js')
await main(process.argv.slice(2))
