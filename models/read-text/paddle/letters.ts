export interface Recognized {
  text: string
  confidence: number
}

const farther = 1.2 // times the usual step from letter to letter

// Decodes each line of a batch. The rows of the scores follow one another.
export function readLetters(
  scores: Float32Array,
  { rows, steps, classes }: { rows: number; steps: number; classes: number },
  keys: readonly string[],
): Recognized[] {
  return Array.from({ length: rows }, (_, row) =>
    decode(scores.subarray(row * steps * classes, (row + 1) * steps * classes), classes, keys),
  )
}

// CTC decoding: the blank is the first class, the space comes after the keys, and a letter over several steps is one letter.
export function decode(scores: Float32Array, classes: number, keys: readonly string[]): Recognized {
  const letters: string[] = []
  const steps: number[] = []
  let sum = 0
  let count = 0
  let last = 0
  for (let at = 0; at < scores.length; at += classes) {
    let best = 0
    for (let i = 1; i < classes; i++) if (scores[at + i]! > scores[at + best]!) best = i
    if (best !== 0 && best !== last) {
      letters.push(keys[best - 1] ?? ' ')
      steps.push(at / classes)
      sum += scores[at + best]!
      count++
    }
    last = best
  }
  const text = withSpaces(letters, steps)
  return { text: text.replaceAll(/\s+/g, ' ').trim(), confidence: count > 0 ? Math.min(1, sum / count) : 0 }
}

// Small recognisers miss the space after a full stop. It is put in where the next letter stands as far away as after a space.
function withSpaces(letters: readonly string[], steps: readonly number[]): string {
  const gaps = steps.slice(1).map((step, i) => step - steps[i]!)
  const close = gaps.filter((_, i) => letters[i] !== ' ' && letters[i + 1] !== ' ').sort((a, b) => a - b)
  const usual = close[Math.floor(close.length / 2)] ?? Number.POSITIVE_INFINITY
  return letters
    .map((letter, i) => {
      const ends = /[.,;:!?]/.test(letter) && /\p{L}/u.test(letters[i + 1] ?? '')
      return ends && gaps[i]! >= usual * farther ? `${letter} ` : letter
    })
    .join('')
}
