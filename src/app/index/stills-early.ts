import { setImmediate as breathe } from 'node:timers/promises'
import { openStills, type StillFile } from '../../../tools/stages/still-file.ts'
import type { StillSource } from '../../../tools/stages/still-source.ts'
import type { Shot, Still } from '../../core/video.ts'

export interface Decoded {
  file: string // stills.bin of the finished stage
  stills: Still[]
  shots: Shot[]
}

// Hands the stills that the decoding keeps to the tracks while it goes on. What was kept once stays kept; only stills for shots that
// had none come later, in between, so the tracks end with the list of the finished stage.
export function stillsEarly(over: Promise<void>) {
  const told: Still[] = []
  let place: string | undefined
  let isOver = false
  const wake: (() => void)[] = []
  const notify = () => {
    for (const one of wake.splice(0)) one()
  }
  over.then(() => {
    isOver = true
    notify()
  })
  const news = () => new Promise<void>(resolve => wake.push(resolve))

  return {
    kept(stills: readonly Still[], file: string) {
      told.push(...stills)
      place = file
      notify()
    },
    // The first stills are there, or none will come before the end.
    async begun(): Promise<void> {
      while (told.length === 0 && !isOver) await news()
    },
    // `decoded` is asked when the decoding is over; `takes` says whether stills may be taken before.
    async source(decoded: () => Promise<Decoded>, signal: AbortSignal, takes = true): Promise<StillSource> {
      const whole = async () => {
        await over
        await breathe() // where the decoding failed, everything beside it is stopped now
        signal.throwIfAborted()
        return decoded()
      }
      const open = async (): Promise<StillFile> => {
        const early = place && (await openStills(place).catch(() => undefined)) // gone as soon as the stage is whole
        return early || openStills((await whole()).file)
      }
      async function* early(size: number, wanted: (still: Still) => boolean = () => true) {
        let group: Still[] = []
        for (let at = 0; takes && !isOver; ) {
          signal.throwIfAborted()
          if (at === told.length) {
            await news()
            continue
          }
          const still = told[at++]
          if (wanted(still)) group.push(still)
          if (group.length < size) continue
          yield group
          group = []
        }
      }
      return { file: await open(), early, whole }
    },
  }
}
