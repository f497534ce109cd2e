import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { Browser, BrowserContext, Page } from 'playwright-core'
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

// What axe finds on the page as it is now, one line each; nothing is wrong where it is empty.
export async function axeFaults(page: Page): Promise<string[]> {
  await page.evaluate(`globalThis.axe === undefined && void (() => { ${axe} })()`)
  return page.evaluate(`axe.run({ resultTypes: ['violations'] }).then(({ violations }) =>
    violations.flatMap(({ id, nodes }) => nodes.map(({ target, failureSummary }) =>
      id + ' ' + target.join(' ') + ': ' + failureSummary.replace(/\\s+/g, ' '))))`)
}

// Every look that a view is judged in.
export const looks: Required<Look>[] = [
  { width: 1440, height: 900, scheme: 'light' },
  { width: 1440, height: 900, scheme: 'dark' },
  { width: 390, height: 844, scheme: 'light' },
  { width: 390, height: 844, scheme: 'dark' },
]

// The view is no wider than the window: nothing has to be scrolled sideways.
export function overflow(page: Page): Promise<number> {
  return page.evaluate('document.documentElement.scrollWidth - document.documentElement.clientWidth')
}
