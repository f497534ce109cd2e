import type { ServerContext } from '@modelcontextprotocol/server'

// Tells a client that asked for it that the call goes on. Clients begin their time-out anew with each.
export function progress({ mcpReq }: ServerContext): (message: string) => void {
  const progressToken = mcpReq._meta?.progressToken
  let count = 0
  return message => {
    if (progressToken === undefined || mcpReq.signal.aborted) return
    const params = { progressToken, progress: ++count, message }
    mcpReq.notify({ method: 'notifications/progress', params }).catch(() => {}) // the client has gone
  }
}
