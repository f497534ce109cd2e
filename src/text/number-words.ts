const small: Record<string, number> = {
  zero: 0,
  one: 1,
  two: 2,
  three: 3,
  four: 4,
  five: 5,
  six: 6,
  seven: 7,
  eight: 8,
  nine: 9,
  ten: 10,
  eleven: 11,
  twelve: 12,
  thirteen: 13,
  fourteen: 14,
  fifteen: 15,
  sixteen: 16,
  seventeen: 17,
  eighteen: 18,
  nineteen: 19,
}
const tens: Record<string, number> = {
  twenty: 20,
  thirty: 30,
  forty: 40,
  fourty: 40,
  fifty: 50,
  sixty: 60,
  seventy: 70,
  eighty: 80,
  ninety: 90,
}
const scales: Record<string, number> = { thousand: 1e3, million: 1e6, billion: 1e9 }
const ordinals: Record<string, number> = {
  first: 1,
  second: 2,
  third: 3,
  fourth: 4,
  fifth: 5,
  sixth: 6,
  seventh: 7,
  eighth: 8,
  ninth: 9,
  tenth: 10,
  eleventh: 11,
  twelfth: 12,
  thirteenth: 13,
  fourteenth: 14,
  fifteenth: 15,
  twentieth: 20,
  thirtieth: 30,
}

export interface Folded {
  text: string
  from: number // first and last word of the run it was folded from
  to: number
}

// Number words become digits, as "two hundred and four" or "two oh four" -> "204", so that speech and print meet.
export function foldNumbers(words: readonly string[]): Folded[] {
  const folded: Folded[] = []
  for (let at = 0; at < words.length; ) {
    const run = scaledDigits(words, at) ?? digitRun(words, at) ?? numberRun(words, at)
    if (run) {
      folded.push({ text: run.text, from: at, to: at + run.length - 1 })
      at += run.length
    } else {
      folded.push({ text: words[at], from: at, to: at })
      at++
    }
  }
  return folded
}

// 3 for "third" or "3rd"; undefined for other words.
export function ordinalValue(word: string): number | undefined {
  if (Object.hasOwn(ordinals, word)) return ordinals[word]
  const match = /^(\d+)(?:st|nd|rd|th)$/.exec(word)
  return match ? Number(match[1]) : undefined
}

// "18 million".
function scaledDigits(words: readonly string[], at: number): { text: string; length: number } | undefined {
  const scale = words[at + 1]
  if (!/^\d+(\.\d+)?$/.test(words[at]) || !scale || !Object.hasOwn(scales, scale)) return undefined
  return { text: String(Math.round(Number(words[at]) * scales[scale])), length: 2 }
}

// "two zero four": digits read out one by one, at least three or with a zero, and not somebody counting up.
function digitRun(words: readonly string[], at: number): { text: string; length: number } | undefined {
  const digits: number[] = []
  for (let i = at; i < words.length; i++) {
    const digit = words[i] === 'oh' && digits.length > 0 ? 0 : Object.hasOwn(small, words[i]) ? small[words[i]] : 10
    if (digit > 9) break
    digits.push(digit)
  }
  const counting = digits.length > 1 && digits.every((digit, i) => i === 0 || digit === digits[i - 1] + 1)
  const readOut = digits.length >= 3 || (digits.length === 2 && digits.includes(0))
  return readOut && !counting ? { text: digits.join(''), length: digits.length } : undefined
}

function numberRun(words: readonly string[], at: number): { text: string; length: number } | undefined {
  let total = 0
  let current = 0
  let length = 0
  let last: 'none' | 'unit' | 'teen' | 'tens' | 'hundred' | 'scale' = 'none'
  let pair = '' // "nineteen" of "nineteen eighty four"
  for (let i = at; i < words.length; i++) {
    const word = words[i]
    if (Object.hasOwn(small, word) || Object.hasOwn(tens, word)) {
      const value = small[word] ?? tens[word]
      const isTens = Object.hasOwn(tens, word)
      if (last === 'none' || last === 'hundred' || last === 'scale') current += value
      else if (last === 'tens' && value > 0 && value < 10) current += value
      else if (!pair && total === 0 && value >= 10 && current >= 10 && current < 100) {
        pair = String(current)
        current = value
      } else break
      last = isTens ? 'tens' : value < 10 ? 'unit' : 'teen'
    } else if (word === 'hundred' && last !== 'hundred' && (current > 0 || last === 'none') && current < 100) {
      if (last === 'none' && words[i - 1] !== 'a' && words[i + 1] !== 'and') current = 1
      current = (current || 1) * 100
      last = 'hundred'
    } else if (Object.hasOwn(scales, word) && last !== 'none') {
      total += (current || 1) * scales[word]
      current = 0
      last = 'scale'
    } else if (word === 'and' && (last === 'hundred' || last === 'scale') && isNumberWord(words[i + 1])) {
      continue
    } else break
    length = i - at + 1
  }
  return length > 0 ? { text: `${pair}${total + current}`, length } : undefined
}

function isNumberWord(word: string | undefined): boolean {
  return word !== undefined && (Object.hasOwn(small, word) || Object.hasOwn(tens, word))
}
