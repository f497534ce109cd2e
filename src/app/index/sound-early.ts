import type { StageOutcome } from '../../../graphs/preprocess.ts'
import type { Span } from '../../core/time.ts'

// Lets the tracks wait for what they need of the decoding: the pictures until it is over, the sound only until that is whole.
// `final` is where the sound lies when the stage is whole.
export function soundEarly(final: string) {
  const over = deferred()
  const heard = deferred()
  let found: { file: string; gaps: readonly Span[] } | undefined
  return {
    decoded: over.promise,
    sound: heard.promise,
    ready(file: string, gaps: readonly Span[] = []) {
      found = { file, gaps }
      heard.resolve()
    },
    async decoding(work: () => Promise<StageOutcome>): Promise<StageOutcome> {
      try {
        return await work()
      } finally {
        // Where the decoding failed, the graph has stopped and whoever waited finds nothing to read.
        heard.resolve()
        over.resolve()
      }
    },
    places: (): string[] => (found ? [found.file, final] : [final]),
    gaps: () => found?.gaps, // undefined where the stage was made earlier
  }
}

function deferred() {
  let resolve = () => {}
  const promise = new Promise<void>(done => {
    resolve = done
  })
  return { promise, resolve }
}
