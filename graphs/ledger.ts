import type { Evidence } from '../src/core/evidence.ts'

// Every row that a run has seen, by its id. What it did not have yet is announced.
export class Ledger extends Map<string, Evidence> {
  private readonly announce: (row: Evidence) => void

  constructor(known: readonly Evidence[], announce: (row: Evidence) => void) {
    super(known.map(row => [row.id, row]))
    this.announce = announce
  }

  all(): Evidence[] {
    return [...this.values()]
  }

  rows(ids: readonly string[]): Evidence[] {
    return ids.flatMap(id => this.get(id) ?? [])
  }

  learn(rows: readonly Evidence[]): Evidence[] {
    const fresh = rows.filter(row => !this.has(row.id))
    for (const row of fresh) {
      if (this.has(row.id)) continue
      this.set(row.id, row)
      this.announce(row)
    }
    return fresh
  }
}
