import { nearest } from '../../src/core/errors.ts'
import { constants, factorial, functions, power } from './functions.ts'
import { ExpressionError, type ExpressionToken, readTokens } from './tokens.ts'
import { boundValue, type CalculatorValue, fraction, minus, modulo, over, plus, times, toNumber } from './value.ts'

const maxLength = 2000 // characters
const maxDepth = 100 // parentheses, signs and powers in one another

// The operators between two values, those that bind least first. "15% of 200" is a product.
const operators: Record<string, (a: CalculatorValue, b: CalculatorValue) => CalculatorValue>[] = [
  { '+': plus, '-': minus },
  { '*': times, of: times, '/': byNonZero(over), '%': byNonZero(modulo) },
]

// Works out an expression: + - * / % ^ ! ( ), functions and constants; nothing of it is ever run as code.
// "%" between two numbers is the remainder, at the end of one it is percent.
export function evaluate(expression: string): CalculatorValue {
  if (expression.length > maxLength)
    throw new ExpressionError(`the expression is longer than ${maxLength} characters`, maxLength + 1)
  return new Parser(readTokens(expression)).whole()
}

class Parser {
  readonly #tokens: ExpressionToken[]
  #depth = 0

  constructor(tokens: ExpressionToken[]) {
    this.#tokens = tokens
  }

  whole(): CalculatorValue {
    const value = this.#operation()
    const rest = this.#peek()
    if (rest.kind === 'end') return value
    const missing = rest.kind !== 'sign' || rest.text === '(' ? '; put an operator such as * before it' : ''
    throw new ExpressionError(`"${rest.text}" does not belong here${missing}`, rest.at)
  }

  #operation(level = 0): CalculatorValue {
    const works = operators[level]
    if (!works) return this.#signed()
    let value = this.#operation(level + 1)
    for (;;) {
      const sign = this.#take(...Object.keys(works))
      const operator = sign && works[sign.text]
      if (!operator) return value
      const right = this.#operation(level + 1)
      value = this.#at(sign, () => operator(value, right))
    }
  }

  // A sign binds less than a power: -2^2 is -4.
  #signed(): CalculatorValue {
    const sign = this.#take('-', '+')
    if (!sign) return this.#power()
    const value = this.#deeper(sign, () => this.#signed())
    return sign.text === '+' ? value : times(value, fraction(-1n))
  }

  // Powers group from the right: 2^3^2 is 2^9.
  #power(): CalculatorValue {
    const base = this.#postfix()
    const sign = this.#take('^')
    if (!sign) return base
    const exponent = this.#deeper(sign, () => this.#signed())
    return this.#at(sign, () => power(base, exponent))
  }

  #postfix(): CalculatorValue {
    let value = this.#single()
    for (;;) {
      const mark = this.#take('!') ?? (this.#isPercent() ? this.#take('%') : undefined)
      if (!mark) return value
      value = this.#at(mark, () => (mark.text === '!' ? factorial(value) : over(value, fraction(100n))))
    }
  }

  #single(): CalculatorValue {
    const token = this.#peek()
    this.#tokens.shift()
    if (token.kind === 'number') return readDecimal(token.text)
    if (token.kind === 'name') return this.#named(token)
    if (token.text === '(') {
      const value = this.#deeper(token, () => this.#operation())
      this.#close(token)
      return value
    }
    const before = token.kind === 'end' ? 'the end' : `"${token.text}"`
    throw new ExpressionError(`a number is missing before ${before}`, token.at)
  }

  #named(token: ExpressionToken): CalculatorValue {
    const constant = Object.hasOwn(constants, token.text) ? constants[token.text] : undefined
    if (constant !== undefined && this.#peek().text !== '(') return constant
    const definition = Object.hasOwn(functions, token.text) ? functions[token.text] : undefined
    if (!definition) {
      const near = nearest(token.text, [...Object.keys(functions), ...Object.keys(constants)])
      throw new ExpressionError(`"${token.text}" is not known${near ? `; did you mean ${near}?` : ''}`, token.at)
    }
    const [min, max, work] = definition
    const values = this.#arguments(token, min)
    if (values.length < min || values.length > max)
      throw new ExpressionError(`${token.text} takes ${countText(min, max)}, not ${values.length}`, token.at)
    return this.#at(token, () => work(...values))
  }

  #arguments({ text }: ExpressionToken, min: number): CalculatorValue[] {
    const open = this.#take('(')
    if (!open) {
      // "√2": one number without parentheses.
      if (min === 1 && this.#peek().kind === 'number') return [this.#single()]
      throw new ExpressionError(`${text} needs its arguments in parentheses`, this.#peek().at)
    }
    const values: CalculatorValue[] = []
    this.#deeper(open, () => {
      if (this.#peek().text === ')') return
      do values.push(this.#operation())
      while (this.#take(','))
    })
    this.#close(open)
    return values
  }

  #close(open: ExpressionToken): void {
    if (this.#take(')')) return
    const token = this.#peek()
    if (token.kind === 'end') throw new ExpressionError('the parenthesis is never closed', open.at)
    throw new ExpressionError(`"${token.text}" does not belong here; ")" was expected`, token.at)
  }

  #peek(): ExpressionToken {
    return this.#tokens[0] as ExpressionToken // the last one is the end, which nothing takes
  }

  #take(...texts: string[]): ExpressionToken | undefined {
    const { kind, text } = this.#peek()
    return (kind === 'sign' || kind === 'name') && texts.includes(text) ? this.#tokens.shift() : undefined
  }

  // "50%" and "50% of 80" against "10 % 3".
  #isPercent(): boolean {
    const [{ text }, next] = this.#tokens as [ExpressionToken, ExpressionToken?]
    if (text !== '%' || !next) return false
    return next.kind === 'end' || next.text === 'of' || (next.kind === 'sign' && next.text !== '(')
  }

  #deeper<T>(token: ExpressionToken, work: () => T): T {
    if (++this.#depth > maxDepth) throw new ExpressionError(`more than ${maxDepth} levels`, token.at)
    const value = work()
    this.#depth--
    return value
  }

  // Adds its place to what goes wrong while a sign or function is worked out.
  #at(token: ExpressionToken, work: () => CalculatorValue): CalculatorValue {
    try {
      return boundValue(work())
    } catch (error) {
      if (error instanceof RangeError) throw new ExpressionError(error.message, token.at)
      throw error
    }
  }
}

function byNonZero(
  work: (a: CalculatorValue, b: CalculatorValue) => CalculatorValue,
): (a: CalculatorValue, b: CalculatorValue) => CalculatorValue {
  return (a, b) => {
    if (toNumber(b) === 0) throw new RangeError('division by zero')
    return work(a, b)
  }
}

// "12", "0.25", "2.5e-3" without any rounding; the tokens have bounded its exponent.
function readDecimal(text: string): CalculatorValue {
  const [, whole = '', part = '', exponent = '0'] = /^(\d*)(?:\.(\d*))?(?:e([+-]?\d+))?$/i.exec(text) ?? []
  const shift = Number(exponent) - part.length
  const digits = BigInt(`${whole}${part}` || '0')
  return shift >= 0 ? fraction(digits * 10n ** BigInt(shift)) : fraction(digits, 10n ** BigInt(-shift))
}

function countText(min: number, max: number): string {
  if (min === max) return min === 1 ? 'one argument' : `${min} arguments`
  return max > 100 ? `${min} or more arguments` : `${min} to ${max} arguments`
}
