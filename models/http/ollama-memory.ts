import { setTimeout as wait } from 'node:timers/promises'
import type { Ollama } from 'ollama'
import { gigabytes } from '../../src/core/basics/numbers.ts'

const pause = 200 // milliseconds between two looks whether it is gone
const patience = 10_000

// Asks Ollama to unload a model from the card, if it is there. Ollama loads it again when it is next asked; models that no role of
// ours uses stay.
export async function unloadFromCard(client: Ollama, model: string): Promise<string | undefined> {
  const loaded = await onCard(client, model)
  if (!loaded) return undefined
  await client.generate({ model: loaded.name, prompt: '', keep_alive: 0, stream: false })
  for (const until = performance.now() + patience; performance.now() < until; await wait(pause))
    if (!(await onCard(client, model))) break
  return `Ollama unloads ${loaded.name} (${gigabytes(loaded.size_vram / 1e6)} of the card).`
}

async function onCard(client: Ollama, model: string) {
  const { models } = await client.ps()
  return models.find(({ name, size_vram }) => size_vram > 0 && fullName(name) === fullName(model))
}

function fullName(name: string): string {
  return name.includes(':') ? name : `${name}:latest`
}
