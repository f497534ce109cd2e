import { z } from 'zod'
import type { Backend } from '../../src/core/backend.ts'
import type { TextEncoder } from '../../src/core/services.ts'
import { ollamaServer, ollamaSettings, openOllama } from '../http/ollama.ts'
import { ServerError } from '../http/server-error.ts'
import { encoderSettings, textEncoder } from './encoder.ts'

const settings = z.strictObject({ ...ollamaSettings, ...encoderSettings })

const Embedded = z.object({ embeddings: z.array(z.array(z.number())) })

// An embedding model that Ollama runs. Ollama itself truncates texts to the model's context.
const ollama: Backend<TextEncoder, z.infer<typeof settings>> = {
  summary: 'an embedding model that Ollama runs',
  version: '1',
  reaches: 'network',
  server: ollamaServer,
  settings,
  async open(chosen, host) {
    const { model, dimensions, keepAlive } = chosen
    const name = `embed-text/ollama/${model}`
    const { server, ask } = openOllama('embed-text/ollama', chosen, host)
    const embed = (input: string[], signal: AbortSignal) =>
      ask(signal, async client => {
        const request = {
          model,
          input,
          ...(dimensions && { dimensions }),
          ...(keepAlive !== undefined && { keep_alive: keepAlive }),
        }
        const reply = Embedded.safeParse(await client.embed(request))
        if (reply.success) return reply.data.embeddings
        throw new ServerError(`${name} answered in an unknown form.`, { retry: 'once', cause: reply.error })
      })
    return { ...(await textEncoder(name, chosen, host.signal, embed)), close: () => server.close() }
  },
}

export default ollama
