import { spawn } from 'node:child_process'
import { findProgram } from './find-program.ts'

const openers: Partial<Record<NodeJS.Platform, [program: string, ...args: string[]]>> = {
  darwin: ['open'],
  win32: ['explorer'],
}

// Opens a file with the browser of this desktop, and says whether there is a program for that. The browser outlives us.
export async function openInBrowser(
  file: string,
  environment: Readonly<Record<string, string | undefined>>,
): Promise<boolean> {
  const [program, ...args] = openers[process.platform] ?? ['xdg-open']
  const path = await findProgram(program, environment)
  if (path === undefined) return false
  const child = spawn(path, [...args, file], { detached: true, stdio: 'ignore', env: { ...environment } })
  child.unref()
  return new Promise(resolve => {
    child.once('spawn', () => resolve(true)).once('error', () => resolve(false))
  })
}
