import { BackendError, UsageError, unknownName } from '../../src/core/errors.ts'
import type { WebPage, WebSearcher } from '../../src/core/services.ts'
import type { NamedService } from '../../src/core/tool.ts'
import type { WebProvider } from './provider.ts'
import { type Resolve, safeGet } from './safe-get.ts'

const webProviders: Record<string, () => Promise<{ default: WebProvider }>> = {
  searxng: () => import('./searxng.ts'),
  brave: () => import('./brave.ts'),
}

export interface WebChoice {
  provider: string
  url?: string
  key?: string
  seconds: number
}

// The search engine that the user chose. `resolve` replaces DNS in tests.
export async function openWeb(choice: WebChoice, resolve?: Resolve): Promise<NamedService<WebSearcher>> {
  const load = Object.hasOwn(webProviders, choice.provider) && webProviders[choice.provider]
  if (!load) throw unknownName('web provider', choice.provider, ['off', ...Object.keys(webProviders)])
  const { default: provider } = await load()
  const address = choice.url ?? provider.address
  if (!address)
    throw new UsageError(`web_search by ${choice.provider} needs the address of the server.`, {
      hint: 'Set tools.web.url, as http://127.0.0.1:8888.',
    })
  if (provider.needsKey && !choice.key)
    throw new UsageError(`web_search by ${choice.provider} needs a key.`, {
      hint: 'Set tools.web.keyVariable to the name of the environment variable that holds it.',
    })
  const base = new URL(address)
  const named = choice.url ? base.origin : undefined
  return {
    by: `web/${choice.provider}`,
    service: {
      async search(query, count, signal) {
        const { url, headers } = provider.request(base, query, count, choice.key)
        const reply = await safeGet({ url, headers, named, seconds: choice.seconds, signal, resolve })
        if (reply.status !== 200) throw refused(choice.provider, reply.status, provider.explain?.(reply.status))
        return readPages(provider, choice.provider, reply.body).slice(0, count)
      },
    },
  }
}

function refused(name: string, status: number, why: string | undefined): BackendError {
  const again = status === 429 || status >= 500
  return new BackendError(`${name} answered with status ${status}${why ? `: ${why}` : ''}.`, { retryable: again })
}

function readPages(provider: WebProvider, name: string, body: string): WebPage[] {
  let pages: WebPage[]
  try {
    pages = provider.read(JSON.parse(body))
  } catch (error) {
    throw new BackendError(`${name} answered in a form that is not understood.`, { cause: error })
  }
  return pages
    .filter(({ url }) => URL.canParse(url) && /^https?:$/.test(new URL(url).protocol))
    .map(({ title, snippet, url }) => ({
      title: plain(title, 200),
      snippet: plain(snippet, 500),
      url: plain(url, 300),
    }))
}

const entities = { amp: '&', lt: '<', gt: '>', quot: '"', '#39': "'", '#x27': "'", nbsp: ' ' }

// One line of text: no markup, no control characters, not too long.
function plain(text: string, max: number): string {
  const line = text
    .replace(/<\/?[a-z][^>]{0,200}>/gi, '')
    .replace(/&(amp|lt|gt|quot|#39|#x27|nbsp);/g, (_, name: keyof typeof entities) => entities[name])
    .replace(/[\p{Cc}\p{Cf}\s]+/gu, ' ')
    .trim()
  return line.length > max ? `${line.slice(0, max)}...` : line
}
