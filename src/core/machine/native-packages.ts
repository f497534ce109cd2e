import { existsSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'

// Optional packages that are compiled where they are installed, with what the compiler makes of them.
const binaries = {
  'better-sqlite3': 'build/Release/better_sqlite3.node',
  'hnswlib-node': 'build/Release/addon.node',
}

type NativePackage = keyof typeof binaries

// Whether a package is there and compiled: an install without a compiler, or without scripts, leaves it out or as source only.
// Nothing is opened to know it, so that a shortage of open files is not taken for a package that is missing.
export function isBuilt(name: NativePackage): boolean {
  return findFile(name, binaries[name]) !== undefined
}

// The command that brings a package; npm compiles one whose source lies there only on request.
export function howToBuild(name: NativePackage): string {
  return `npm ${findFile(name, 'package.json') ? 'rebuild' : 'install'} ${name} (with a C++ compiler, make and Python at hand)`
}

function findFile(name: NativePackage, file: string): string | undefined {
  const folders = createRequire(import.meta.url).resolve.paths(name) ?? []
  return folders.map(folder => join(folder, name, file)).find(existsSync)
}
