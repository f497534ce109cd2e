const SHARE = 0.5 // of the time that has passed is looked back on: a change of speed that stays is believed, one that passes is not
const LEAST = 8 // seconds

// How fast something gets on now, from how far it was when. In seconds, of media and of the clock.
export function speedometer(began: { done: number; at: number }) {
  const known = [began]
  return {
    reached(done: number, at: number): void {
      const last = known[known.length - 1]
      if (done !== last.done && at > last.at) known.push({ done, at })
    },
    // Units of media a second; undefined where too little is known. Time since the last news counts once it is longer than all that is looked back on.
    speed(now: number): number | undefined {
      const last = known[known.length - 1]
      const back = Math.max(LEAST, SHARE * (last.at - began.at))
      while (known.length > 2 && known[1].at <= last.at - back) known.shift()
      const first = known[0]
      const seconds = (now - last.at > back ? now : last.at) - first.at
      const gained = last.done - first.done
      return seconds > 0.5 && gained > 0 ? gained / seconds : undefined
    },
  }
}
