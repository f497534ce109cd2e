import { interruption, throwIfStopped } from './fault.ts'

export interface Slots {
  take(signal: AbortSignal): Promise<() => void> // resolves to the function that gives the slot back
}

// At most `count` holders at a time, first come first served; waiting can be aborted.
export function openSlots(count: number): Slots {
  let free = count
  const waiting: (() => void)[] = []

  const giveBack = () => {
    const next = waiting.shift()
    if (next) next()
    else free++
  }
  const once = () => {
    let held = true
    return () => {
      if (held) giveBack()
      held = false
    }
  }

  return {
    async take(signal) {
      throwIfStopped(signal)
      if (free > 0) {
        free--
        return once()
      }
      return new Promise((resolve, reject) => {
        const enter = () => {
          signal.removeEventListener('abort', leave)
          resolve(once())
        }
        const leave = () => {
          waiting.splice(waiting.indexOf(enter), 1)
          reject(interruption(signal))
        }
        waiting.push(enter)
        signal.addEventListener('abort', leave, { once: true })
      })
    },
  }
}
