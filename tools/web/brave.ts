import { z } from 'zod'
import type { WebProvider } from './provider.ts'

const Reply = z.object({
  web: z
    .object({ results: z.array(z.object({ title: z.string(), description: z.string().nullish(), url: z.string() })) })
    .nullish(),
})

// Brave's search API, and compatible servers.
const brave: WebProvider = {
  address: 'https://api.search.brave.com/res/v1/web/search',
  needsKey: true,
  request(base, query, count, key) {
    const url = new URL(base)
    url.searchParams.set('q', query)
    url.searchParams.set('count', String(Math.min(20, count)))
    const headers: Record<string, string> = key ? { 'x-subscription-token': key } : {}
    return { url, headers }
  },
  read(reply) {
    const { web } = Reply.parse(reply)
    return (web?.results ?? []).map(({ title, description, url }) => ({ title, snippet: description ?? '', url }))
  },
  explain: status => (status === 401 || status === 422 ? 'the key is not accepted' : undefined),
}

export default brave
