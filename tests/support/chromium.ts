import { accessSync, constants } from 'node:fs'
import { delimiter, join } from 'node:path'
import { type Browser, chromium, type LaunchOptions } from 'playwright-core'

const names = ['chromium-headless-shell', 'chromium', 'chromium-browser', 'google-chrome']
const quiet = [
  ...['--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run', '--disable-background-networking'],
  ...['--disable-component-update', '--disable-sync'],
]

// What LONGTAKE_CHROMIUM names, or Debian's Chromium: the one without windows takes a quarter less processor time. Nothing if there is none.
export function chromiumPath(): string | undefined {
  const named = process.env.LONGTAKE_CHROMIUM
  if (named) return named
  const folders = (process.env.PATH ?? '').split(delimiter).filter(Boolean)
  return names.flatMap(name => folders.map(folder => join(folder, name))).find(isProgram)
}

// Said in the name of a test that is skipped for want of a browser.
export const noChromium = chromiumPath() === undefined ? ' (skipped: there is no Chromium; apt install chromium)' : ''

export function launchChromium(args: readonly string[] = [], options: LaunchOptions = {}): Promise<Browser> {
  return chromium.launch({ executablePath: chromiumPath(), headless: true, ...options, args: [...quiet, ...args] })
}

function isProgram(path: string): boolean {
  try {
    accessSync(path, constants.X_OK)
    return true
  } catch {
    return false
  }
}
