import { z } from 'zod'
import type { WebProvider } from './provider.ts'

const Reply = z.object({
  results: z.array(z.object({ title: z.string().nullish(), content: z.string().nullish(), url: z.string() })),
})

// A SearXNG instance, usually the user's own.
const searxng: WebProvider = {
  needsKey: false,
  request(base, query, count, key) {
    const url = new URL(`${base.pathname.replace(/(?<!\/)\/+$/, '')}/search`, base)
    url.search = new URLSearchParams({ q: query, format: 'json', pageno: '1', count: String(count) }).toString()
    const headers: Record<string, string> = key ? { authorization: `Bearer ${key}` } : {}
    return { url, headers }
  },
  read(reply) {
    const { results } = Reply.parse(reply)
    return results.map(({ title, content, url }) => ({ title: title ?? '', snippet: content ?? '', url }))
  },
  explain: status =>
    status === 403 ? 'JSON is switched off there; add "json" to search.formats in its settings.yml' : undefined,
}

export default searxng
