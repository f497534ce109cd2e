const stderrKept = 64 * 1024

// The end of what a program wrote to stderr, and its lines one by one as they come.
export class StderrTail {
  #kept: Buffer[] = []
  #size = 0
  #line = ''
  readonly #onLine: ((line: string) => void) | undefined

  constructor(onLine?: (line: string) => void) {
    this.#onLine = onLine
  }

  push(piece: Buffer): void {
    this.#kept.push(piece)
    this.#size += piece.length
    while (this.#size - this.#kept[0].length >= stderrKept) this.#size -= this.#kept.shift()!.length
    if (this.#onLine) this.#lines(piece.toString('utf8'), this.#onLine)
  }

  #lines(text: string, onLine: (line: string) => void): void {
    const lines = (this.#line + text).split(/[\r\n]+/)
    this.#line = (lines.pop() ?? '').slice(0, 4096)
    for (const line of lines) if (line) onLine(line.slice(0, 4096))
  }

  text(): string {
    if (this.#onLine && this.#line) this.#onLine(this.#line)
    this.#line = ''
    return Buffer.concat(this.#kept).subarray(-stderrKept).toString('utf8')
  }
}
