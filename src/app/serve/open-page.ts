import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { openInBrowser } from '../../media/program/open-in-browser.ts'
import { makeFolder, writeDurably } from '../../store/durable.ts'

// Opens the page in the browser of this desktop. The address holds the token, and every user of the machine can read the arguments of a
// program: the browser is given a file that only this user can read, which leads there.
export async function openPage(
  home: string,
  url: string,
  environment: Readonly<Record<string, string | undefined>>,
): Promise<{ opened: boolean; close(): Promise<void> }> {
  const folder = join(home, 'serve')
  const file = join(folder, 'open.html')
  await makeFolder(folder)
  await writeDurably(file, `<!doctype html><meta charset="utf-8"><meta http-equiv="refresh" content="0; url=${url}">\n`)
  const opened = await openInBrowser(file, environment)
  return { opened, close: () => rm(file, { force: true }) }
}
