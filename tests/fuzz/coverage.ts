import { type Profiler, Session } from 'node:inspector'

type Range = Profiler.CoverageRange

// Which pieces of the guided files have run, as V8 counts them. A new count of a function (once, twice, about four times, ...)
// is new as well, so that loops are driven further.
export class CodeCoverage {
  readonly #session = new Session()
  readonly #guided: RegExp
  readonly #scripts = new Map<string, Uint8Array>() // by address: 1 where a character of it has run
  readonly #counts = new Set<string>()
  pieces = 0

  constructor(guided: RegExp) {
    this.#guided = guided
    this.#session.connect()
    this.#session.post('Profiler.enable')
    this.#session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: true })
  }

  // Forgets what has run since the last look.
  clear(): void {
    this.#taken()
  }

  // Whether anything ran since the last look that had never run before. With `keep` it counts as known from then on.
  isNew(keep: boolean): boolean {
    let isNew = false
    for (const { url, functions } of this.#taken()) {
      for (const { ranges, functionName } of functions) {
        const [whole] = ranges
        if (!whole || whole.count === 0) continue
        const count = `${url} ${whole.startOffset} ${functionName} ${Math.floor(Math.log2(whole.count))}`
        if (!this.#counts.has(count)) {
          isNew = true
          if (keep) this.#counts.add(count)
        }
        if (this.#newRanges(url, whole, ranges, keep)) isNew = true
      }
      if (isNew && !keep) return true
    }
    if (isNew) this.pieces++
    return isNew
  }

  // Ranges lie in each other; the innermost says whether a character ran.
  #newRanges(url: string, whole: Range, ranges: readonly Range[], keep: boolean): boolean {
    const seenCode = this.#known(url, whole.endOffset)
    let isNew = false
    const offset = whole.startOffset
    const ran = new Uint8Array(whole.endOffset - offset)
    for (const { startOffset, endOffset, count } of ranges)
      ran.fill(count > 0 ? 1 : 0, startOffset - offset, endOffset - offset)
    for (let i = 0; i < ran.length; i++)
      if (ran[i] === 1 && seenCode[offset + i] === 0) {
        isNew = true
        if (!keep) return true
        seenCode[offset + i] = 1
      }
    return isNew
  }

  #known(url: string, length: number): Uint8Array {
    const seenCode = this.#scripts.get(url)
    if (seenCode && seenCode.length >= length) return seenCode
    const grown = new Uint8Array(length)
    if (seenCode) grown.set(seenCode)
    this.#scripts.set(url, grown)
    return grown
  }

  // The share of the characters of all functions that have run, in the files that were loaded.
  covered(): number {
    let all = 0
    let ran = 0
    for (const seenCode of this.#scripts.values()) {
      all += seenCode.length
      ran += seenCode.reduce((sum, one) => sum + one, 0)
    }
    return all === 0 ? 0 : ran / all
  }

  #taken(): Profiler.ScriptCoverage[] {
    let result: Profiler.ScriptCoverage[] = []
    this.#session.post('Profiler.takePreciseCoverage', (error, taken) => {
      if (error) throw error
      result = taken.result
    })
    return result.filter(({ url }) => this.#guided.test(url) && !url.includes('/node_modules/'))
  }
}
