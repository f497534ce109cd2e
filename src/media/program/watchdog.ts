import { BackendError } from '../../core/errors.ts'

// A timer set for longer fires at once.
const maxTimer = 2 ** 31 - 1

// Stops a program that runs too long, or that writes nothing for too long while nobody holds it back.
export interface Watchdog {
  sign(): void // the program showed life
  hold(): void // a reader is busy with what the program wrote
  release(): void
  stop(): void
}

export function watchdog(
  program: string,
  { timeoutSeconds, stallSeconds }: { timeoutSeconds?: number; stallSeconds?: number },
  fail: (error: unknown) => void,
): Watchdog {
  let last = performance.now()
  let holders = 0
  const timers: NodeJS.Timeout[] = []
  const late = (text: string) => fail(new BackendError(`${program} was stopped: ${text}.`, { retryable: true }))
  if (timeoutSeconds)
    timers.push(
      setTimeout(() => late(`it ran longer than ${timeoutSeconds} s`), Math.min(timeoutSeconds * 1000, maxTimer)),
    )
  if (stallSeconds) {
    const check = () => {
      if (holders === 0 && performance.now() - last > stallSeconds * 1000)
        late(`it wrote nothing for ${stallSeconds} s`)
    }
    timers.push(setInterval(check, Math.min(1000, stallSeconds * 250)))
  }
  const sign = () => {
    last = performance.now()
  }
  return {
    sign,
    hold: () => {
      holders++
    },
    release: () => {
      holders--
      sign()
    },
    stop: () => {
      for (const timer of timers) clearTimeout(timer)
    },
  }
}
