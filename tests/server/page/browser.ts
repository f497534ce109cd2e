import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { Browser, BrowserContext, Page } from 'playwright-core'
import { expect } from 'vitest'
import { launchChromium } from '../../support/chromium.ts'
import type { Serving } from '../serving.ts'

export interface Look {
  width?: number
  height?: number
  scheme?: 'light' | 'dark'
}

export interface Tab {
  page: Page
  complaints: string[] // errors, warnings, violations of the policy and requests to other hosts, since it was opened
  goTo(path: string): Promise<void> // as a person types it
}

export interface Browsing {
  open(path: string, look?: Look): Promise<Tab> // in a profile of its own, with the token
  openBeside(tab: Tab, path: string): Promise<Tab> // another tab of the same profile
  closeOthers(tab?: Tab): Promise<void> // what a test has left open, if it failed
  close(): Promise<void>
}

// A browser that reaches this machine only: every other host does not exist.
export async function openBrowser(server: Pick<Serving, 'origin' | 'token'>): Promise<Browsing> {
  const browser: Browser = await launchChromium(['--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1'])
  const openIn = async (context: BrowserContext, path: string): Promise<Tab> => {
    const page = await context.newPage()
    const tab: Tab = {
      page,
      complaints: complaintsOf(page, server.origin),
      goTo: async path => void (await page.goto(withToken(server, path))),
    }
    await tab.goTo(path)
    return tab
  }
  return {
    async open(path, { width = 1440, height = 900, scheme = 'light' } = {}) {
      const context = await browser.newContext({ viewport: { width, height }, colorScheme: scheme })
      context.setDefaultTimeout(60_000)
      await context.addInitScript(watchPolicy)
      return openIn(context, path)
    },
    openBeside: (tab, path) => openIn(tab.page.context(), path),
    async closeOthers(tab) {
      const contexts = browser.contexts().filter(context => context !== tab?.page.context())
      await Promise.all(contexts.map(context => context.close()))
    },
    close: () => browser.close(),
  }
}

// The fragment is taken by the page, whatever view it opens.
function withToken({ origin, token }: Pick<Serving, 'origin' | 'token'>, path: string): string {
  return `${origin}${path}#token=${token}`
}

const watchPolicy = `addEventListener('securitypolicyviolation', event =>
  console.error('policy: ' + event.violatedDirective + ' ' + event.blockedURI + ' ' + event.sample))`

function complaintsOf(page: Page, own: string): string[] {
  const complaints: string[] = []
  page.on('console', message => {
    if (message.type() === 'error' || message.type() === 'warning')
      complaints.push(`${message.type()}: ${message.text()} (${message.location().url})`)
  })
  page.on('pageerror', error => complaints.push(`error: ${error.message}`))
  page.on('request', request => {
    const url = request.url()
    if (!url.startsWith(`${own}/`) && !/^(data|blob|about):/.test(url)) complaints.push(`request: ${url}`)
  })
  page.on('dialog', dialog => {
    complaints.push(`dialog: ${dialog.message()}`)
    void dialog.dismiss()
  })
  return complaints
}

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

// What axe finds on the page as it is now, one line each; nothing is wrong if it is empty.
export async function axeFaults(page: Page): Promise<string[]> {
  return runAxe(page, {})
}

// What axe finds in the light and in the dark: the same document, so in the dark only the rules about colours are run.
export async function axeFaultsInBothSchemes(page: Page): Promise<string[]> {
  const light = await runAxe(page, {})
  await page.emulateMedia({ colorScheme: 'dark' })
  const dark = await runAxe(page, { runOnly: ['color-contrast', 'link-in-text-block'] })
  await page.emulateMedia({ colorScheme: 'light' })
  return [...light, ...dark.map(fault => `dark: ${fault}`)]
}

async function runAxe(page: Page, options: object): Promise<string[]> {
  await page.evaluate(`globalThis.axe === undefined && void (() => { ${axe} })()`)
  return page.evaluate(`axe.run(${JSON.stringify({ ...options, resultTypes: ['violations'] })}).then(({ violations }) =>
    violations.flatMap(({ id, nodes }) => nodes.map(({ target, failureSummary }) =>
      id + ' ' + target.join(' ') + ': ' + failureSummary.replace(/\\s+/g, ' '))))`)
}

// Every window that a view is judged in.
export const looks: Required<Omit<Look, 'scheme'>>[] = [
  { width: 1440, height: 900 },
  { width: 390, height: 844 },
]

// A view is there and waits for nothing more.
export async function waitForView(page: Page): Promise<void> {
  await page.locator('main h1').first().waitFor()
  await expect.poll(() => page.getByText(/^(Loading|Looking|Searching)…$/).count()).toBe(0)
}

// The view is no wider than the window: nothing has to be scrolled sideways.
export function overflow(page: Page): Promise<number> {
  return page.evaluate('document.documentElement.scrollWidth - document.documentElement.clientWidth')
}
