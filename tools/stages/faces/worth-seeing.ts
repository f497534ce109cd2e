import type { Still } from '../../../src/core/video.ts'

const pause = 10 // seconds within a shot between two looks

// Chooses the stills that are looked at, in the order of time: one for each shot, and more of a long one.
export function worthSeeing(): (still: Still) => boolean {
  let last: Still | undefined
  return still => {
    const due = !last || still.shot !== last.shot || still.time - last.time >= pause
    if (due) last = still
    return due
  }
}
