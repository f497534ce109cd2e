import { strip } from '../../python/text.ts'

const phrases = [
  ...['', 'the '].flatMap(the =>
    ['', 'correct ', 'best '].flatMap(which => ['answer', 'option', 'choice'].map(what => `${the}${which}${what} is`)),
  ),
  ...['i choose', 'i select', 'i pick', 'my answer is', 'my choice is'],
  ...['옵션', '정답은', '답은', '답:', '答案是', '答案为', '选', '答えは'],
].filter(phrase => !['option is', 'the option is', 'best choice is', 'the best choice is'].includes(phrase))

const priority = {
  start: 10,
  end: 9,
  phrase: 7,
  parentheses: 6,
  period: 5,
  colon: 4,
  bracket: 3,
  space: 2,
  anywhere: 0,
}

// The letter that the lmms-eval harness takes from a reply (its extractor of 2025): every way a letter may stand is
// collected, the strongest wins, and among equals the last in the text. '' where there is none.
export function lmmsEvalLetter(reply: string, letters = [...'ABCDEFGH']): string {
  if (strip(reply) === '') return ''
  let trimmed = strip(reply)
  for (const sign of [',', '.', '!', '?', ';', ':', "'", '"']) trimmed = trim(trimmed, sign)
  const text = ` ${trimmed} `
  const inner = strip(text)
  const found: { letter: string; at: number; way: keyof typeof priority }[] = []
  const add = (letter: string, at: number, way: keyof typeof priority) => {
    if (at >= 0) found.push({ letter, at, way })
  }
  for (const letter of letters) add(letter, text.lastIndexOf(`(${letter})`), 'parentheses')
  for (const letter of letters) add(letter, text.lastIndexOf(`${letter}.`), 'period')
  for (const letter of letters) add(letter, text.lastIndexOf(`${letter}:`), 'colon')
  for (const letter of letters) add(letter, text.lastIndexOf(`${letter})`), 'bracket')
  for (const letter of letters) add(letter, text.lastIndexOf(`${letter} `), 'space')
  for (const phrase of phrases) {
    const at = text.toLowerCase().indexOf(phrase)
    if (at >= 0) for (const letter of letters) add(letter, text.indexOf(letter, at + phrase.length), 'phrase')
  }
  for (const letter of letters) if (inner.startsWith(letter) && !isLetter(inner[1])) add(letter, 0, 'start')
  for (const letter of letters)
    if (inner.endsWith(letter) && !isLetter(inner[inner.length - 2])) add(letter, text.length - 1, 'end')
  if (found.length === 0) for (const letter of letters) add(letter, text.lastIndexOf(letter), 'anywhere')
  const best = found.sort((a, b) => priority[b.way] - priority[a.way] || b.at - a.at)[0]
  return best?.letter ?? ''
}

function trim(text: string, sign: string): string {
  let start = 0
  let end = text.length
  while (start < end && text[start] === sign) start++
  while (end > start && text[end - 1] === sign) end--
  return text.slice(start, end)
}

function isLetter(sign: string | undefined): boolean {
  return sign !== undefined && /\p{L}/u.test(sign)
}
