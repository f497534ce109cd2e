import { z } from 'zod'
import { UsageError } from '../../src/core/errors.ts'
import { defineTool } from '../define.ts'

const maxQuery = 300 // characters: enough for a question, too little to carry a transcript away

export default defineTool({
  name: 'web_search',
  description:
    'Asks a search engine of the web for facts that the video cannot hold. What comes back is not evidence of the video. Off unless the user set a provider and gave the permission.',
  input: z.object({
    query: z.string().min(1).describe('key words, as for a search engine'),
    num_results: z.number().int().min(1).max(20).optional().describe('how many results, 5 when left out'),
  }),
  danger: 'network',
  async run({ query, num_results }, context) {
    if (query.length > maxQuery)
      throw new UsageError(`The query is ${query.length} characters long; the limit is ${maxQuery}.`, {
        hint: 'Search with a few key words.',
      })
    if (!context.services.web)
      throw new UsageError('web_search is off: no provider is set.', {
        hint: 'Set tools.web.provider to searxng or brave.',
      })
    const { by, service } = await context.services.web()
    const pages = await service.search(query, num_results ?? 5, context.signal)
    if (pages.length === 0) return { evidence: [], text: `${by} found nothing for "${query}".` }
    const lines = pages.map(({ title, snippet, url }, at) => `${at + 1}. ${title}\n   ${snippet}\n   ${url}`)
    return { evidence: [], text: `${by}, for "${query}":\n${lines.join('\n')}`, outcome: 'found' }
  },
})
