import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Host, RequestTurn, RequestTurns, ServerName } from '../../../src/core/backend.ts'
import { untilAborted } from '../../../src/core/basics/signals.ts'
import type { Sql } from '../data/sql.ts'
import { limitRates, type Rates, type ServerLimits, shareRates, type TokenBucket } from './rates.ts'

interface LimitWork {
  sql: Sql
  limits: Readonly<Record<string, ServerLimits>>
  minute?: number // seconds that a minute of the limits has
  say?(line: string): void
  waited?(server: string, seconds: number): void // for the metrics of a worker
}

// Limits of model servers over all machines, by the clock of the database.
export function sharedTurns(work: LimitWork): NonNullable<Host['turns']> {
  const servers = new Map<string, SharedTurns>()
  return server => {
    const serverLimits = findLimits(server, work.limits)
    if (!serverLimits) return undefined
    const turns =
      servers.get(serverLimits.name) ??
      new SharedTurns(work, serverLimits.name, limitRates(serverLimits.limits, work.minute))
    servers.set(serverLimits.name, turns)
    return turns
  }
}

const answerSeconds = 3 // that the database may take
const awaySeconds = 5 // that it is left alone after it did not answer
const clockSeconds = () => performance.now() / 1000

class SharedTurns implements RequestTurns {
  readonly #work: LimitWork
  readonly #name: string
  readonly #rates: Rates
  #stored: Promise<unknown> | undefined
  #line: Promise<unknown> = Promise.resolve() // one of this process asks at a time
  #meanTokens = 0 // of a call: what is set aside for the next one
  #workers = 1
  #awayUntil = 0
  #share: LocalShare | undefined

  constructor(work: LimitWork, name: string, rates: Rates) {
    this.#work = work
    this.#name = name
    this.#rates = rates
  }

  async take(seconds: number, signal: AbortSignal): Promise<RequestTurn> {
    const began = performance.now()
    const taking = this.#line.then(() => this.#untilTaken(seconds, signal))
    this.#line = taking.catch(() => {})
    taking.then(turn => signal.aborted && turn.end({})).catch(() => {})
    const turn = await untilAborted(taking, signal)
    this.#work.waited?.(this.#name, (performance.now() - began) / 1000)
    return turn
  }

  async #untilTaken(seconds: number, signal: AbortSignal): Promise<RequestTurn> {
    for (;;) {
      signal.throwIfAborted()
      const takenTurn = (await this.#ofDatabase(seconds)) ?? this.#ofShare()
      if (typeof takenTurn !== 'number') return takenTurn
      // Where many wait, they do not all come back at once.
      const spread = (Math.random() * takenTurn * this.#workers) / 40
      await sleep((takenTurn + spread) * 1000, undefined, { signal })
    }
  }

  // Seconds to wait, or undefined if the database does not answer.
  async #ofDatabase(seconds: number): Promise<RequestTurn | number | undefined> {
    if (clockSeconds() < this.#awayUntil) return undefined
    const id = randomUUID()
    const setAside = this.#rates.tokens ? this.#meanTokens : 0
    const asking = this.#ask(id, seconds, setAside)
    try {
      const { wait, workers } = await untilAborted(asking, AbortSignal.timeout(answerSeconds * 1000))
      this.#workers = workers
      if (this.#share) this.#work.say?.(`The limits of ${this.#name} are shared again.`)
      this.#share = undefined
      return wait > 0 ? wait : this.#turn(id, setAside)
    } catch {
      // It may still be granted: then nobody uses it.
      asking.then(({ wait }) => (wait === 0 ? this.#end(id, setAside, 0, 0) : undefined)).catch(() => {})
      this.#stored = undefined
      this.#awayUntil = clockSeconds() + awaySeconds
      return undefined
    }
  }

  async #ask(id: string, seconds: number, setAside: number): Promise<{ wait: number; workers: number }> {
    this.#stored ??= this.#store()
    await this.#stored
    const { rows } = await this.#work.sql.query<{ wait: number; workers: number }>(
      'select wait, workers from longtake.take_turn($1, $2, $3, $4)',
      [this.#name, id, seconds, setAside],
    )
    return { wait: Number(rows[0]?.wait ?? 0), workers: Number(rows[0]?.workers ?? 1) }
  }

  // The last one to come says what the limits are; what was taken already stays taken.
  async #store(): Promise<void> {
    const { requests, tokens, concurrent } = this.#rates
    const upsert = `insert into longtake.limits (name, rate, burst, tokens, concurrent) values ($1, $2, $3, $3, $4)
      on conflict (name) do update set rate = excluded.rate, burst = excluded.burst, concurrent = excluded.concurrent`
    const { sql } = this.#work
    await sql.query(upsert, [this.#name, requests?.rate ?? null, requests?.burst ?? null, concurrent ?? null])
    const ofTokens = `${this.#name} tokens`
    if (tokens) await sql.query(upsert, [ofTokens, tokens.rate, tokens.burst, null])
    else await sql.query('delete from longtake.limits where name = $1', [ofTokens])
  }

  #turn(id: string, setAside: number): RequestTurn {
    return {
      end: ({ tokens = 0, waitSeconds = 0 }) => {
        if (tokens > 0) this.#meanTokens = this.#meanTokens === 0 ? tokens : 0.8 * this.#meanTokens + 0.2 * tokens
        void this.#end(id, setAside, tokens, waitSeconds).catch(() => {}) // it ends by itself
      },
    }
  }

  #end(id: string, setAside: number, taken: number, waitSeconds: number) {
    return this.#work.sql.query('select longtake.end_turn($1, $2, $3, $4, $5)', [
      this.#name,
      id,
      setAside,
      taken,
      waitSeconds,
    ])
  }

  #ofShare(): RequestTurn | number {
    if (!this.#share)
      this.#work.say?.(
        `The database of the cluster does not answer: 1 of ${this.#workers} shares of the limits of ${this.#name} is used.`,
      )
    this.#share ??= new LocalShare(shareRates(this.#rates, this.#workers))
    const share = this.#share
    const wait = share.take()
    return wait > 0 ? wait : { end: outcome => share.end(outcome) }
  }
}

// Which of the limits are a server's: those of its address, else those of its host, else those of its provider.
function findLimits(
  { address, provider }: ServerName,
  limits: Readonly<Record<string, ServerLimits>>,
): { name: string; limits: ServerLimits } | undefined {
  const plainAddress = plain(address)
  const names = Object.keys(limits)
  const name =
    names.find(given => plain(given) === plainAddress) ??
    names.find(given => readServer(given) && plain(given) === readServer(address)?.origin) ??
    names.find(given => given === provider)
  const limit = name === undefined ? undefined : limits[name]
  return name === undefined || !limit ? undefined : { name: plain(name), limits: limit }
}

// Two spellings of one address are one server, on every machine.
function plain(address: string): string {
  const url = readServer(address)
  return url ? `${url.origin}${url.pathname.replace(/\/+$/, '')}` : address
}

// Undefined for the name of a provider.
function readServer(address: string): URL | undefined {
  const url = URL.canParse(address) ? new URL(address) : undefined
  return url?.origin === 'null' ? undefined : url
}

// The part of a limit that is this process's own while the database is away: the same buckets, by its own clock.
class LocalShare {
  readonly #rates: Rates
  #requests: Level
  #tokens: Level
  #underWay = 0

  constructor(rates: Rates) {
    this.#rates = rates
    // Nothing is there at first: what was taken before the database went away counts as well.
    this.#requests = { tokens: 0, at: clockSeconds() }
    this.#tokens = { tokens: 0, at: clockSeconds() }
  }

  // Seconds until it is worth asking again; 0: the turn is taken.
  take(): number {
    const { requests, tokens, concurrent } = this.#rates
    const now = clockSeconds()
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
    if (waitSeconds > 0) this.#requests = { tokens: 1, at: clockSeconds() + waitSeconds }
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
