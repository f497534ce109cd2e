import type { Rates, TokenBucket } from './rates.ts'

// The part of a limit that is this process's own while the database is away: the same buckets, by its own clock.
export class LocalShare {
  readonly #rates: Rates
  readonly #clock: () => number // seconds
  #requests: Level
  #tokens: Level
  #underWay = 0

  constructor(rates: Rates, clock = () => performance.now() / 1000) {
    this.#rates = rates
    this.#clock = clock
    // Nothing is there at first: what was taken before the database went away counts as well.
    this.#requests = { tokens: 0, at: clock() }
    this.#tokens = { tokens: 0, at: clock() }
  }

  // Seconds until it is worth asking again; 0: the turn is taken.
  take(): number {
    const { requests, tokens, concurrent } = this.#rates
    const now = this.#clock()
    const wait = Math.max(this.#wait(requests, this.#requests, 1, now), this.#wait(tokens, this.#tokens, 0, now))
    if (wait > 0) return wait
    if (concurrent !== undefined && this.#underWay >= concurrent) return 0.05
    this.#requests.tokens--
    this.#underWay++
    return 0
  }

  end({ tokens = 0, waitSeconds = 0 }: { tokens?: number; waitSeconds?: number }): void {
    this.#underWay--
    this.#tokens.tokens -= tokens
    if (waitSeconds > 0) this.#requests = { tokens: 1, at: this.#clock() + waitSeconds }
  }

  #wait(bucket: TokenBucket | undefined, level: Level, wanted: number, now: number): number {
    if (now < level.at) return level.at - now
    if (!bucket) return 0
    level.tokens = Math.min(bucket.burst, level.tokens + bucket.rate * (now - level.at))
    level.at = now
    return Math.max(0, (wanted - level.tokens) / bucket.rate)
  }
}

interface Level {
  tokens: number
  at: number
}
