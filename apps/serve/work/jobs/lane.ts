import { whenAborted } from '../../../../src/core/basics/signals.ts'

// So many at a time, in the order in which they came.
export interface JobLane {
  run<T>(work: () => Promise<T>, signal: AbortSignal): Promise<T>
}

export function lane(max: number): JobLane {
  let running = 0
  const waiting: (() => void)[] = []

  const turn = (signal: AbortSignal) =>
    new Promise<void>((resolve, reject) => {
      if (running < max) {
        running++
        return void resolve()
      }
      const enter = () => {
        unlisten()
        resolve()
      }
      const unlisten = whenAborted(signal, () => {
        waiting.splice(waiting.indexOf(enter), 1)
        reject(signal.reason)
      })
      waiting.push(enter)
    })

  return {
    async run(work, signal) {
      signal.throwIfAborted()
      await turn(signal)
      try {
        return await work()
      } finally {
        const next = waiting.shift() // it takes over the place
        if (next) next()
        else running--
      }
    },
  }
}
