import { createMcpHandler } from '@modelcontextprotocol/server'
import type { Workplace } from '../../work/workplace.ts'
import { mcpFactory, openDesk } from './server.ts'

const maxBody = 1_000_000 // bytes
const maxSubscriptions = 64

export interface McpDoor {
  fetch(request: Request): Promise<Response>
  close(): Promise<void>
}

// The same server over streamable HTTP. Who may come in is decided before.
export function openMcpDoor(place: Workplace, version: string, say: (line: string) => void): McpDoor {
  const handler = createMcpHandler(mcpFactory(openDesk(place, version)), {
    maxRequestBodySize: maxBody,
    maxSubscriptions,
    onerror: error => say(error.message),
  })
  const forget = place.jobs.events.onIndexed(() => handler.notify.resourcesChanged())
  return {
    fetch: request => handler.fetch(request),
    async close() {
      forget()
      await handler.close()
    },
  }
}
