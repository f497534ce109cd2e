import type { Ollama } from 'ollama'
import { ServerError } from '../../http/server-error.ts'

const since = [0, 31, 2]

// Before 0.31.2 Ollama ignores the JSON schema of a request whose model can think and is told not to (ollama#14645).
export async function schemaWarning(client: Ollama): Promise<string | undefined> {
  const version = await readVersion(client)
  if (!version || !isOlder(version)) return undefined
  return `Ollama ${version} does not hold a reply to a JSON schema where the model is told not to think; replies may have to be asked for again. Update it to ${since.join('.')} or newer: run its installer again, or "docker pull ollama/ollama".`
}

async function readVersion(client: Ollama): Promise<string | undefined> {
  try {
    return (await client.version()).version
  } catch (error) {
    if (error instanceof ServerError && error.details.status === 404) return undefined // another server of the protocol
    throw error
  }
}

function isOlder(version: string): boolean {
  const parts = /^v?(\d+)\.(\d+)\.(\d+)/.exec(version)?.slice(1).map(Number)
  if (!parts) return false
  const at = parts.findIndex((part, i) => part !== since[i])
  return at >= 0 && parts[at]! < since[at]!
}
