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
  const space = classes - 1
  let spaced = 0 // the best score of a space since the last letter
  let sum = 0
  let count = 0
  let last = 0
  const add = (letter: string, step: number) => {
    letters.push(letter)
    steps.push(step)
  }
  for (let at = 0; at < scores.length; at += classes) {
    let best = 0
    for (let i = 1; i < classes; i++) if (scores[at + i]! > scores[at + best]!) best = i
    spaced = Math.max(spaced, scores[at + space]!)
    if (best !== 0 && best !== last) {
      const letter = keys[best - 1] ?? ' '
      if (letter !== ' ' && spaced >= minSpace && mayPart(letters, letter)) add(' ', at / classes)
      add(letter, at / classes)
      sum += scores[at + best]!
      count++
      spaced = 0
    }
    last = best
  }
  const text = withSpaces(letters, steps)
  return {
    text: withoutZeros(narrow(text)).replaceAll(/\s+/g, ' ').trim(),
    confidence: count > 0 ? Math.min(1, sum / count) : 0,
  }
}

// Recognisers of Chinese leave out one space of ten between Latin words, and yet give it a score there that it has nowhere else:
// of 526 spaces all but 10 have at least this much, of 2,427 other places 5.
const minSpace = 0.03

function mayPart(letters: readonly string[], after: string): boolean {
  const before = letters.at(-1)
  if (before === undefined || before === ' ') return false
  if (wideLetter.test(before) || wideLetter.test(after) || /[.,:;!?)\]}]/.test(after)) return false
  if (/[:.]/.test(before) && /\p{L}/u.test(letters.at(-2) ?? '')) return true // "Cost: 18", not "12:30"
  return !(/[\d:.]/.test(before) && /[\d:.]/.test(after))
}

const wideLetter = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\u3000-\u303f\uff01-\uff60]/u

// A nought among small letters is an o: "b0arding", "0slo", not "0xff".
function withoutZeros(text: string): string {
  return text.replace(/(?<=\p{Ll})0(?=\p{Ll})/gu, 'o').replace(/(?<![\p{L}\d])0(?=[a-wyz]\p{Ll}{2})/gu, 'O')
}

// The recogniser takes the marks of Latin lines for the wide ones that stand among Chinese letters.
function narrow(text: string): string {
  if (/[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]/u.test(text)) return text
  return text.replace(/[\uff01-\uff5e]/g, wide => String.fromCharCode(wide.charCodeAt(0) - 0xfee0))
}

// Small recognisers miss the space after a mark. It is put in where the next letter stands as far away as after a space, and the next
// digit if a letter goes before the mark: no time or decimal is parted.
function withSpaces(letters: readonly string[], steps: readonly number[]): string {
  const gaps = steps.slice(1).map((step, i) => step - steps[i]!)
  const close = gaps.filter((_, i) => letters[i] !== ' ' && letters[i + 1] !== ' ').sort((a, b) => a - b)
  const usual = close[Math.floor(close.length / 2)] ?? Number.POSITIVE_INFINITY
  return letters
    .map((letter, i) => {
      const isNext = /\p{L}/u.test(letters[i - 1] ?? '') ? /[\p{L}\d]/u : /\p{L}/u
      const ends = /[.,;:!?]/.test(letter) && isNext.test(letters[i + 1] ?? '')
      return ends && gaps[i]! >= usual * farther ? `${letter} ` : letter
    })
    .join('')
}
