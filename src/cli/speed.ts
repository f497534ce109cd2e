const SHARE = 0.5 // of the time that has passed is looked back on: a change of speed that stays is believed, one that passes is not
const MIN_BACK = 8 // seconds

// How fast something gets on now, from how far it was when. In seconds, of media and of the clock.
export function speedometer(began: { done: number; at: number }) {
  let known = [began]
  let last = began
  return {
    reached(done: number, at: number): void {
      if (done === last.done || at <= last.at) return
      last = { done, at }
      known.push(last)
    },
    // Units of media a second; undefined where too little is known. Time since the last news counts once it is longer than all that is looked back on.
    speed(now: number): number | undefined {
      const back = Math.max(MIN_BACK, SHARE * (last.at - began.at))
      const from = known.findLastIndex(({ at }) => at <= last.at - back)
      known = known.slice(Math.min(Math.max(0, from), Math.max(0, known.length - 2)))
      const [first = began] = known
      const seconds = (now - last.at > back ? now : last.at) - first.at
      const gained = last.done - first.done
      return seconds > 0.5 && gained > 0 ? gained / seconds : undefined
    },
  }
}
