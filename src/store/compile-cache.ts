import { lstatSync, mkdirSync } from 'node:fs'
import module from 'node:module'
import { join } from 'node:path'
import { dataHome } from './home/home.ts'

// Node 22 and newer keep compiled code between starts and run it without a check. So it is stored in the data folder, and only if
// that exists already and nobody else can write to it.
export function useCompileCache(environment: Readonly<Record<string, string | undefined>>): void {
  const { enableCompileCache } = module as { enableCompileCache?(folder: string): unknown }
  const home = dataHome(environment)
  if (!enableCompileCache || !isOurs(home)) return
  const folder = join(home, 'compiled')
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 })
  } catch {
    return // a disk that is full or read-only
  }
  if (isOurs(folder)) enableCompileCache(folder)
}

function isOurs(folder: string): boolean {
  const stats = lstatSync(folder, { throwIfNoEntry: false })
  if (!stats?.isDirectory()) return false
  return process.platform === 'win32' || (stats.uid === process.getuid?.() && (stats.mode & 0o077) === 0)
}
