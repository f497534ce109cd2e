import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { ensureFolder, writeDurably } from '../durable.ts'
import { readTextFile } from '../read-file.ts'

const addressFile = (home: string) => join(home, 'serve', 'address')

// Where the server of this data folder listens, for commands that open its page. A killed server leaves it: ask before use.
export async function writeServeAddress(home: string, url: string): Promise<() => Promise<void>> {
  const file = addressFile(home)
  await ensureFolder(join(home, 'serve'))
  await writeDurably(file, `${url}\n`)
  return async () => {
    if ((await readServeAddress(home)) === url) await rm(file, { force: true })
  }
}

export async function readServeAddress(home: string): Promise<string | undefined> {
  const url = (await readTextFile(addressFile(home), 1000))?.trim()
  return url !== undefined && /^http:\/\/127\.0\.0\.1:\d{1,5}$/.test(url) ? url : undefined
}
