import { createInterface } from 'node:readline'
import type { Readable, Writable } from 'node:stream'

// Where the lines of a conversation come from.
export interface LineInput {
  stream: Readable
  output: Writable // shows the prompt and what is typed
  live: boolean // a person types
}

interface Lines {
  next(): Promise<string | undefined> // undefined: there are no more
  close(): void
}

// Lines can be typed ahead while a question is being answered. On a terminal Ctrl-C arrives as a key, not as a signal.
export function openLines({ stream, output, live }: LineInput, interrupted: () => void): Lines {
  const reader = createInterface({ input: stream, output: live ? output : undefined, terminal: live, prompt: '> ' })
  const typed: string[] = []
  let ended = false
  let asking = false
  let wake = () => {}
  reader.on('line', line => {
    typed.push(line)
    wake()
  })
  reader.on('close', () => {
    ended = true
    wake()
  })
  reader.on('SIGINT', () => {
    interrupted()
    if (asking && !ended) reader.prompt()
  })
  return {
    async next() {
      if (typed.length === 0 && !ended) {
        if (live) reader.prompt()
        asking = live
        await new Promise<void>(resolve => {
          wake = resolve
        })
      }
      asking = false
      return typed.shift()
    },
    close() {
      typed.length = 0
      reader.close()
    },
  }
}
