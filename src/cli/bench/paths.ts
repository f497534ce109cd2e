import { resolve } from 'node:path'
import type { Call } from '../call.ts'

// A path given by a flag, from the working folder on.
export function pathOption(call: Call, flag: string): string | undefined {
  const path = call.text(flag)
  return path === undefined ? undefined : resolve(call.world.cwd, path)
}
