const small = numbered(
  'zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen',
  at => at,
)
const tens = numbered('twenty thirty forty fifty sixty seventy eighty ninety', at => 10 * (at + 2)).set('fourty', 40)
const scales = numbered('thousand million billion', at => 1000 ** (at + 1))
const ordinals = numbered(
  'first second third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth thirteenth fourteenth fifteenth',
  at => at + 1,
)
  .set('twentieth', 20)
  .set('thirtieth', 30)

function numbered(words: string, value: (at: number) => number): Map<string, number> {
  return new Map(words.split(' ').map((word, at) => [word, value(at)]))
}

interface Folded {
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
      folded.push({ text: words[at]!, from: at, to: at })
      at++
    }
  }
  return folded
}

// 3 for "third" or "3rd"; undefined for other words.
export function ordinalValue(word: string): number | undefined {
  const ordinalNumber = ordinals.get(word) ?? /^(\d+)(?:st|nd|rd|th)$/.exec(word)?.[1]
  return ordinalNumber === undefined ? undefined : Number(ordinalNumber)
}

// "18 million".
function scaledDigits(words: readonly string[], at: number): { text: string; length: number } | undefined {
  const scale = scales.get(words[at + 1] ?? '')
  if (!scale || !/^\d+(\.\d+)?$/.test(words[at] ?? '')) return undefined
  return { text: String(Math.round(Number(words[at]) * scale)), length: 2 }
}

// "two zero four": digits read out one by one, at least three or with a zero, and not counting up.
function digitRun(words: readonly string[], at: number): { text: string; length: number } | undefined {
  const digits: number[] = []
  for (let i = at; i < words.length; i++) {
    const word = words[i]!
    const digit = word === 'oh' && digits.length > 0 ? 0 : small.get(word)
    if (digit === undefined || digit > 9) break
    digits.push(digit)
  }
  const counting = digits.length > 1 && digits.every((digit, i) => digit === digits[0]! + i)
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
    const word = words[i]!
    const value = numberValue(word)
    const scale = scales.get(word)
    if (value !== undefined) {
      if (last === 'none' || last === 'hundred' || last === 'scale') current += value
      else if (last === 'tens' && value > 0 && value < 10) current += value
      else if (!pair && total === 0 && value >= 10 && current >= 10 && current < 100) {
        pair = String(current)
        current = value
      } else break
      last = tens.has(word) ? 'tens' : value < 10 ? 'unit' : 'teen'
    } else if (word === 'hundred' && last !== 'hundred' && (current > 0 || last === 'none') && current < 100) {
      if (last === 'none' && words[i - 1] !== 'a' && words[i + 1] !== 'and') current = 1
      current = (current || 1) * 100
      last = 'hundred'
    } else if (scale !== undefined && last !== 'none') {
      total += (current || 1) * scale
      current = 0
      last = 'scale'
    } else if (word === 'and' && (last === 'hundred' || last === 'scale') && numberValue(words[i + 1]) !== undefined) {
      continue
    } else break
    length = i - at + 1
  }
  return length > 0 ? { text: `${pair}${total + current}`, length } : undefined
}

// 20 for "twenty"; undefined for other words.
export function numberValue(word = ''): number | undefined {
  return small.get(word) ?? tens.get(word)
}
