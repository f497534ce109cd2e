import type { TextReader, Transcriber } from '../../../src/core/services.ts'
import type { Fault } from '../matrix/fault.ts'
import { lineDraw, misheard, wordPool } from './misheard.ts'
import { misread, textDraw } from './misread.ts'

// What hears and reads while a question is answered errs as much as what made the index.
export function faultyTranscriber(inner: Transcriber, { amount }: Fault, seed: number): Transcriber {
  return {
    async *transcribe(request, signal) {
      const lines = []
      for await (const line of inner.transcribe(request, signal)) lines.push(line)
      const pool = wordPool(lines)
      for (const line of lines) {
        const heard = misheard(line, amount, pool, lineDraw(seed, line))
        if (heard) yield heard
      }
    },
  }
}

export function faultyReader(inner: TextReader, { amount }: Fault, seed: number): TextReader {
  return {
    async read(frames, signal) {
      const read = await inner.read(frames, signal)
      return read.map((lines, at) =>
        lines.flatMap(line => {
          const text = misread(line.text, amount, textDraw(seed, [frames[at].time, line.box], line.text))
          return text.trim() === '' ? [] : [{ ...line, text }]
        }),
      )
    },
  }
}
