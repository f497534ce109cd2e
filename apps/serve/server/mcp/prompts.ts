import type { McpServer } from '@modelcontextprotocol/server'
import { z } from 'zod'

const video = z.string().max(4096).describe('name of the video')
const cite = 'Cite a time for every sentence, as [3:20-3:24]. Say what could not be looked at.'

// What people ask of a video most often, as a host offers it.
const prompts = {
  summarise: {
    title: 'Summarise a video with chapters',
    argsSchema: z.object({ video }),
    text: ({ video }: { video: string }) =>
      `Summarise the video "${video}" with longtake. Call overview, then read it whole, page by page; view one sheet of shots for what is only seen. Write 3 to 8 chapters with times and one sentence each, then three sentences on the whole. ${cite}`,
  },
  find_mentions: {
    title: 'Find every mention',
    argsSchema: z.object({ video, what: z.string().max(500) }),
    text: ({ video, what }: { video: string; what: string }) =>
      `List every place in the video "${video}" where this is said, written, heard or shown: ${what}. Use longtake: find it with several wordings, then read the whole tracks to be sure that none is missed; view what a row does not settle. Give the count and each time. ${cite}`,
  },
  check_claim: {
    title: 'Check a claim',
    argsSchema: z.object({ video, claim: z.string().max(2000) }),
    text: ({ video, claim }: { video: string; claim: string }) =>
      `Check against the video "${video}" with longtake: ${claim}. Find its words, read around the hits, verify the claim there, and view if it is about what is shown. Answer supported, contradicted or not in the video. ${cite}`,
  },
}

export function registerPrompts(server: McpServer): void {
  for (const [name, { title, argsSchema, text }] of Object.entries(prompts))
    server.registerPrompt(name, { title, argsSchema: argsSchema as z.ZodObject }, given => ({
      messages: [{ role: 'user', content: { type: 'text', text: (text as (given: object) => string)(given) } }],
    }))
}
