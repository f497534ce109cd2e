import type { Still } from '../../../src/core/video.ts'

const pause = 1 // seconds within a shot between two readings, however much moves
const again = 20 // seconds after which the same picture is read once more: it may have become sharper
const atOnce = 8 // readings of a shot that moves, one after the other; over any longer time
const perSecond = 0.6

// Chooses the stills whose text is read, in the order of time. A new shot is always read; within one, motion by itself must not have every
// still read, nor a picture that was read and has not changed.
export function worthReading(): (still: Pick<Still, 'time' | 'shot' | 'reason'>) => boolean {
  let last: Pick<Still, 'time' | 'shot'> | undefined // that was read
  let before = 0 // the time of the last still
  let readsLeft = atOnce
  let isRead = false // the picture as it is now
  return still => {
    const { time, shot, reason } = still
    readsLeft = Math.min(atOnce, readsLeft + (time - before) * perSecond)
    before = time
    const isSame = reason === 'interval' && isRead
    const isNew = last?.shot !== shot
    const due = isNew || (time - (last?.time ?? 0) >= (isSame ? again : pause) && readsLeft >= 1)
    if (due && !isNew) readsLeft--
    if (due) last = still
    isRead = due || isSame
    return due
  }
}
