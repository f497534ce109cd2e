// What a scripted model says to one request. Both protocol servers play the same scripts.
export interface Line {
  text?: string
  thinking?: string // in the protocol's own field
  calls?: { name: string; arguments: unknown }[]
  finish?: 'end' | 'length' | 'calls' | 'refused'
  usage?: { input: number; output: number } | 'none'
  error?: { status: number; body: unknown } // the protocol's error reply
  seconds?: number // silence before the reply, where the protocol server is no server
  cutStream?: boolean // the stream stops without its end
  vectors?: unknown // for embeddings: instead of the right ones
  transcript?: unknown // for transcriptions
}

export interface Script {
  say(...lines: (Line | string)[]): void // for the next requests; afterwards the model says "ok"
  take(): Line
}

export function openScript(): Script {
  let lines: Line[] = []
  return {
    say(...next) {
      lines = next.map(line => (typeof line === 'string' ? { text: line } : line))
    },
    take: () => lines.shift() ?? { text: 'ok' },
  }
}

// A vector that only its text decides, so that equal texts are equal.
export function vectorOf(text: string, dimensions: number): number[] {
  const vector = new Array<number>(dimensions).fill(0)
  for (const [at, letter] of [...text].entries()) vector[(letter.charCodeAt(0) * 7 + at) % dimensions]! += 1
  return vector
}
