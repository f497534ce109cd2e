import { z } from 'zod'
import type { Backend } from '../../src/core/backend.ts'
import type { TextEncoder } from '../../src/core/services.ts'
import { keyNeed, namingModels, openaiServer, openaiSettings, openOpenai } from '../http/openai.ts'
import { readReplyJson } from '../http/read-json.ts'
import { encoderSettings, textEncoder } from './encoder.ts'

const settings = z.strictObject({
  ...openaiSettings,
  ...encoderSettings,
  model: z.string({ error: 'name the embedding model that the server runs' }).min(1),
})

const Embeddings = z.object({
  data: z.array(z.object({ index: z.number().int().min(0).nullish(), embedding: z.array(z.number()) })).min(1),
})

// The embeddings endpoint of any OpenAI-compatible server.
const openai: Backend<TextEncoder, z.infer<typeof settings>> = {
  summary: 'an embedding model behind any OpenAI-compatible server',
  version: '1',
  reaches: 'network',
  server: openaiServer,
  settings,
  needs: keyNeed,
  async open(chosen, host) {
    const { model, dimensions } = chosen
    const name = `embed-text/openai/${model}`
    const server = openOpenai('embed-text/openai', chosen, host)
    const embed = (input: string[], signal: AbortSignal) =>
      server.call(signal, async asking => {
        const body = { model, input, encoding_format: 'float', ...(dimensions && { dimensions }) }
        const { data } = await readReplyJson(
          await namingModels(asking, model, () => asking.post('embeddings', body)),
          Embeddings,
        )
        return data.sort((a, b) => (a.index ?? 0) - (b.index ?? 0)).map(row => row.embedding)
      })
    return { ...(await textEncoder(name, chosen, host.signal, embed)), close: () => server.close() }
  },
}

export default openai
