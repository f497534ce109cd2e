import { visibleText } from '../core/words/visible-text.ts'

// Where a command's result and its talk go: the result to stdout, all else to stderr.
export interface Terminal {
  out(text: string): void // as it is: the caller has sanitised it
  say(line: string): void // sanitised here, above whatever is drawn live
  draw(lines: string[]): void // replaces what was drawn live; none clears it
  live: boolean // may lines be drawn and redrawn
  columns(): number
  width?: number // of stdout, where a person reads it
  bold(text: string): string // on stdout
  dim(text: string): string // on stdout
  link(text: string, address: string): string // on stdout, where a person may follow it
}

export interface Stream {
  write(text: string): unknown
  isTTY?: boolean
  columns?: number
}

export function terminal(
  stdout: Stream,
  stderr: Stream,
  environment: Readonly<Record<string, string | undefined>>,
): Terminal {
  const colour = mayColour(stdout, environment)
  const columns = () => Math.max(20, stderr.columns || 80)
  let drawn = 0
  const clear = () => {
    if (drawn > 0) stderr.write(`\u001b[${drawn}A\u001b[J`)
    drawn = 0
  }
  const live = mayDraw(stderr, environment)
  let cut = cutCarefully
  if (live)
    void import('./show/width.ts').then(({ cutToWidth }) => {
      cut = cutToWidth
    })
  return {
    live,
    columns,
    ...(stdout.isTTY && stdout.columns ? { width: Math.max(20, stdout.columns) } : {}),
    out(text) {
      clear()
      stdout.write(text)
    },
    say(line) {
      clear()
      stderr.write(`${visibleText(line)}\n`)
    },
    draw(lines) {
      if (!live) return
      if (lines.length === 0) return clear()
      const fitting = lines.map(line => cut(visibleText(line), columns() - 1))
      const up = drawn > 0 ? `\u001b[${drawn}A` : ''
      stderr.write(`${up}${fitting.map(line => `\u001b[2K${line}\n`).join('')}\u001b[J`)
      drawn = fitting.length
    },
    bold: text => (colour ? `\u001b[1m${text}\u001b[22m` : text),
    dim: text => (colour ? `\u001b[2m${text}\u001b[22m` : text),
    link: (text, address) => (colour && stdout.isTTY ? `\u001b]8;;${address}\u001b\\${text}\u001b]8;;\u001b\\` : text),
  }
}

// Until the widths of letters are loaded, which the help need not wait for: whatever may be wide counts as two columns.
function cutCarefully(text: string, columns: number): string {
  let width = 0
  let fitting = ''
  for (const letter of text) {
    width += letter > '~' ? 2 : 1
    if (width > columns) break
    fitting += letter
  }
  return fitting
}

// Lines are redrawn only where a person watches: not in a pipe, not in CI, not on a terminal that cannot.
function mayDraw(stderr: Stream, environment: Readonly<Record<string, string | undefined>>): boolean {
  return Boolean(stderr.isTTY) && environment.TERM !== 'dumb' && !environment.CI
}

function mayColour(stdout: Stream, environment: Readonly<Record<string, string | undefined>>): boolean {
  if (environment.NO_COLOR) return false
  if (environment.FORCE_COLOR && environment.FORCE_COLOR !== '0') return true
  return Boolean(stdout.isTTY) && environment.TERM !== 'dumb'
}
