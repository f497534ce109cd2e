import type { Host } from '../../src/core/backend.ts'
import { ServerFault } from './fault.ts'
import { Limits } from './limits.ts'
import { openOllama } from './ollama.ts'
import { openaiSettings, openOpenai, servedModels } from './openai.ts'

// The models that the server of a backend says it has; undefined where it keeps no such list (a plain whisper.cpp server).
export async function modelsServed(
  backend: 'openai' | 'ollama',
  settings: Record<string, unknown>,
  host: Host,
): Promise<string[] | undefined> {
  const limits = { ...Limits.parse({}), attempts: 1, attemptSeconds: 15 }
  const url = typeof settings.url === 'string' ? settings.url : undefined
  if (backend === 'ollama') {
    const { server, ask } = openOllama('ollama', { model: String(settings.model ?? ''), url, limits }, host)
    try {
      return (await ask(host.signal, client => client.list())).models.map(model => model.name)
    } finally {
      await server.close()
    }
  }
  const apiKeyEnv = typeof settings.apiKeyEnv === 'string' ? settings.apiKeyEnv : undefined
  const server = openOpenai('openai', { url: openaiSettings.url.parse(url), apiKeyEnv, limits }, host)
  try {
    return (await server.call(host.signal, servedModels)).map(model => model.id)
  } catch (error) {
    if (settings.path !== undefined && error instanceof ServerFault && error.details.status === 404) return undefined
    throw error
  } finally {
    await server.close()
  }
}
