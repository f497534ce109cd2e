// Parses a Retry-After header, "120" or a date, into seconds. A date is compared with the server's own clock if it is
// known.
export function retryAfterSeconds(header: string | undefined, serverDate: string | undefined): number | undefined {
  if (header === undefined) return undefined
  if (/^\s*\d+(\.\d+)?\s*$/.test(header)) return Number(header)
  const until = Date.parse(header)
  if (Number.isNaN(until)) return undefined
  const now = Date.parse(serverDate ?? '')
  return Math.max(0, (until - (Number.isNaN(now) ? Date.now() : now)) / 1000)
}

// Google's servers put the wait into the error object: "details": [{ "@type": "…RetryInfo", "retryDelay": "3.5s" }].
export function retryDelaySeconds(details: unknown): number | undefined {
  for (const detail of Array.isArray(details) ? details : []) {
    const seconds = /^(\d+(?:\.\d+)?)s$/.exec(String(detail?.retryDelay))?.[1]
    if (seconds !== undefined) return Number(seconds)
  }
  return undefined
}
