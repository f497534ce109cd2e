// One piece of an expression and where it begins, from 1.
export interface ExpressionToken {
  kind: 'number' | 'name' | 'sign' | 'end'
  text: string
  at: number
}

// What is wrong with an expression, and where.
export class ExpressionError extends Error {
  readonly at: number
  constructor(message: string, at: number) {
    super(message)
    this.at = at
  }
}

const otherSigns: Record<string, string> = {
  '**': '^',
  '×': '*',
  '·': '*',
  '⋅': '*',
  '÷': '/',
  '−': '-',
  '–': '-',
  '√': 'sqrt',
  π: 'pi',
}

const exponent = String.raw`(?:e[+-]?\d+(?![\w.]))?`
const grouped = String.raw`\d{1,3}(?:[ _']\d{3})+(?!\d)`
const number = new RegExp(String.raw`(?=\.?\d)(?:${grouped}|\d*)(?:\.\d*)?${exponent}`, 'iy')
const withCommas = /\d{1,3}(?:,\d{3})+(?![\d,])(?:\.\d+)?/y
const name = /[A-Za-z]\w*/y
const sign = /\*\*|[-+*/%^(),!×·⋅÷−–√π]/y
const maxExponent = 4000

export function readTokens(expression: string): ExpressionToken[] {
  const tokens: ExpressionToken[] = []
  const calls: boolean[] = [] // of the open parentheses: whether it is a function's, where a comma parts arguments
  const whole = expression.replace(/(?<!\s)\s*(?:=\s*)?$/, '')
  let at = 0
  const read = (pattern: RegExp) => {
    pattern.lastIndex = at
    return pattern.exec(whole)?.[0]
  }
  while (at < whole.length) {
    const blanks = read(/\s+/y)
    if (blanks) {
      at += blanks.length
      continue
    }
    const digits = (calls.at(-1) ? undefined : read(withCommas)) ?? read(number)
    const text = digits ?? read(name) ?? read(sign)
    if (!text) throw new ExpressionError(`"${[...whole.slice(at)][0]}" has no meaning here`, at + 1)
    const token = digits ? numberToken(digits, at + 1) : wordToken(text, at + 1)
    if (token.text === '(') calls.push(tokens.at(-1)?.kind === 'name')
    if (token.text === ')') calls.pop()
    tokens.push(token)
    at += text.length
  }
  return [...tokens, { kind: 'end', text: 'the end', at: whole.length + 1 }]
}

function numberToken(text: string, at: number): ExpressionToken {
  if (Math.abs(Number(/e([+-]?\d+)$/i.exec(text)?.[1] ?? 0)) > maxExponent)
    throw new ExpressionError(`"${text}" is too large or too small to be worked out`, at)
  return { kind: 'number', text: text.replace(/[ _',]/g, ''), at }
}

function wordToken(text: string, at: number): ExpressionToken {
  const meant = (Object.hasOwn(otherSigns, text) && otherSigns[text]) || text
  return /^[A-Za-z]/.test(meant) ? { kind: 'name', text: meant.toLowerCase(), at } : { kind: 'sign', text: meant, at }
}
