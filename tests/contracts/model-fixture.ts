import { fileURLToPath } from 'node:url'

// A tiny model of the true architecture and file layout; scripts/fixtures makes them.
export function modelFixture(name: string): string {
  return fileURLToPath(new URL(`../fixtures/models/${name}`, import.meta.url))
}
