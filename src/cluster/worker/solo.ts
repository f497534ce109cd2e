// Who enters shares; who asks to be alone waits until the others have left, and nobody enters meanwhile.
export function soloGate() {
  let inside = 0
  let last: Promise<unknown> = Promise.resolve()
  let waiting = 0
  let wakes: (() => void)[] = []
  const changed = () => new Promise<void>(resolve => wakes.push(resolve))
  const leave = () => {
    inside--
    const now = wakes
    wakes = []
    for (const wake of now) wake()
  }
  return {
    async enter(): Promise<() => void> {
      while (waiting > 0) await changed()
      inside++
      return leave
    },
    // For one who is inside; two of them go one after the other.
    async alone<T>(work: () => Promise<T>): Promise<T> {
      waiting++
      leave()
      const turn = last.then(async () => {
        while (inside > 0) await changed()
        inside++
        return work()
      })
      last = turn.catch(() => {})
      try {
        return await turn
      } finally {
        waiting--
      }
    },
  }
}
