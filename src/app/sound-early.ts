import type { StageOutcome } from '../../graphs/preprocess.ts'

// Lets the tracks wait for what they need of the decoding: the pictures until it is over, the sound only until that is whole.
// `final` is where the sound lies when the stage is whole.
export function soundEarly(final: string) {
  const over = deferred()
  const heard = deferred()
  let found: string | undefined
  return {
    decoded: over.promise,
    sound: heard.promise,
    ready(file: string) {
      found = file
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
    places: (): string[] => (found ? [found, final] : [final]),
  }
}

function deferred() {
  let resolve = () => {}
  const promise = new Promise<void>(done => {
    resolve = done
  })
  return { promise, resolve }
}
