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
