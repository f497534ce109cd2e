// The setting `cluster.limits`, of one server.
export interface ServerLimits {
  concurrent?: number
  requestsPerMinute?: number
  tokensPerMinute?: number
}

export interface TokenBucket {
  rate: number // a second
  burst: number
}

export interface Rates {
  requests?: TokenBucket
  tokens?: TokenBucket
  concurrent?: number
}

// Buckets that let no more than the limit pass in any minute: what may come at once is taken off what flows in. Requests come at most
// a second's worth at once, tokens six, for one request takes thousands of them.
export function limitRates({ concurrent, requestsPerMinute, tokensPerMinute }: ServerLimits, minute = 60): Rates {
  return {
    ...(requestsPerMinute && { requests: fillBucket(requestsPerMinute, Math.max(1, requestsPerMinute / 60), minute) }),
    ...(tokensPerMinute && { tokens: fillBucket(tokensPerMinute, tokensPerMinute / 10, minute) }),
    concurrent,
  }
}

function fillBucket(limit: number, burst: number, minute: number): TokenBucket {
  return { burst, rate: (limit > 2 * burst ? limit - burst : limit) / minute }
}

// What one of `workers` may take while nobody can be asked.
export function shareRates({ requests, tokens, concurrent }: Rates, workers: number): Rates {
  const workerShare = ({ rate, burst }: TokenBucket): TokenBucket => ({
    rate: rate / workers,
    burst: Math.max(1, burst / workers),
  })
  return {
    ...(requests && { requests: workerShare(requests) }),
    ...(tokens && { tokens: workerShare(tokens) }),
    ...(concurrent && { concurrent: Math.max(1, Math.floor(concurrent / workers)) }),
  }
}
