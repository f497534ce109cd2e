// Whisper's own rules for times among the words, applied to the scores of the next token: a forbidden one gets -Infinity.

export interface TimestampRules {
  begin: number // the token of 0.00
  noTimestamps: number
  end: number // the token that ends a text
  latestFirst?: number // how many steps of 20 ms the first time may lie in the window
  suppress: number[]
  suppressFirst: number[]
}

export function applyTimestampRules(scores: Float32Array, written: readonly number[], rules: TimestampRules): void {
  const { begin, end } = rules
  for (const token of rules.suppress) scores[token] = -Infinity
  scores[rules.noTimestamps] = -Infinity
  if (written.length === 0) {
    for (const token of rules.suppressFirst) scores[token] = -Infinity
    scores.fill(-Infinity, 0, begin) // a text begins with a time
    if (rules.latestFirst !== undefined) scores.fill(-Infinity, begin + rules.latestFirst + 1)
    preferTimes(scores, begin)
    return
  }
  const isTime = (token: number | undefined) => token !== undefined && token >= begin
  const last = written[written.length - 1]
  const before = written[written.length - 2]
  // Times come in pairs: after the second of two only words may follow, after the first only another time or the end.
  if (isTime(last)) {
    if (written.length < 2 || isTime(before)) scores.fill(-Infinity, begin)
    else scores.fill(-Infinity, 0, end)
  }
  const latest = written.findLast(isTime)
  if (latest !== undefined) {
    // No time goes back, and only the second of a pair may be equal to the one before it.
    const first = isTime(last) && !isTime(before) ? latest : latest + 1
    scores.fill(-Infinity, begin, first)
  }
  preferTimes(scores, begin)
}

// Where all times together are likelier than the likeliest word, it must be a time.
function preferTimes(scores: Float32Array, begin: number): void {
  let word = -Infinity
  for (let token = 0; token < begin; token++) if (scores[token]! > word) word = scores[token]!
  let best = -Infinity
  for (let token = begin; token < scores.length; token++) if (scores[token]! > best) best = scores[token]!
  if (best === -Infinity) return
  let sum = 0
  for (let token = begin; token < scores.length; token++) sum += Math.exp(scores[token]! - best)
  if (best + Math.log(sum) > word) scores.fill(-Infinity, 0, begin)
}
