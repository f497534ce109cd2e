import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { ensureFolder, writeDurably } from '../durable.ts'

// A file that only this user can read and that leads a browser to an address. Every user of the machine can read the arguments of
// a program, and the address holds a token.
export async function writeOpenFile(home: string, address: string): Promise<{ file: string; remove(): Promise<void> }> {
  const folder = join(home, 'serve')
  const file = join(folder, 'open.html')
  await ensureFolder(folder)
  await writeDurably(
    file,
    `<!doctype html><meta charset="utf-8"><meta http-equiv="refresh" content="0; url=${address}">\n`,
  )
  return { file, remove: () => rm(file, { force: true }) }
}
