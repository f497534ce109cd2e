import { readdir, readFile } from 'node:fs/promises'
import type { Exchange } from '../recorded-server.ts'
import { type Behaviour, behaviours, type SeenBehaviour, type ServerUnderTest } from './behaviours.ts'

// What passed between our backends and a real server when a behaviour was tried, and what came of it.
export interface Recording extends SeenBehaviour {
  exchanges: Exchange[]
}

interface RecordedServer extends Omit<ServerUnderTest, 'url'> {
  name: string
  version: string
  date: string
  how: string
}

export const recordings = new URL('../../fixtures/servers/', import.meta.url)

interface Recorded {
  folder: string
  server: RecordedServer
  seen: (Recording & { id: string; behaviour: Behaviour })[]
}

// All recordings, in the order of the list of behaviours.
export async function readRecordings(): Promise<Recorded[]> {
  const all: Recorded[] = []
  for (const folder of (await readdir(recordings)).sort()) {
    const at = new URL(`${folder}/`, recordings)
    const files = await readdir(at)
    const read = async (name: string) => JSON.parse(await readFile(new URL(name, at), 'utf8'))
    const seen: Recorded['seen'] = []
    for (const [id, behaviour] of Object.entries(behaviours))
      if (files.includes(`${id}.json`)) seen.push({ id, behaviour, ...(await read(`${id}.json`)) })
    all.push({ folder, server: await read('server.json'), seen })
  }
  return all
}
