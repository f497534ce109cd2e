import { nearest } from '../../src/core/errors.ts'
import { add, divide, fraction, multiply, readDecimal, remainder, subtract } from './fraction.ts'
import { constants, factorial, functions, power } from './functions.ts'
import { ExpressionError, readTokens, type Token } from './tokens.ts'
import { asNumber, bounded, isExact, type Value } from './value.ts'

const longest = 2000 // characters
const deepest = 100 // parentheses, signs and powers in one another

// Works out an expression: + - * / % ^ ! ( ), functions and constants; nothing of it is ever run as code.
// "%" between two numbers is the remainder, at the end of one it is percent.
export function evaluate(expression: string): Value {
  if (expression.length > longest)
    throw new ExpressionError(`the expression is longer than ${longest} characters`, longest + 1)
  return new Parser(readTokens(expression)).whole()
}

class Parser {
  readonly #tokens: Token[]
  #next = 0
  #depth = 0

  constructor(tokens: Token[]) {
    this.#tokens = tokens
  }

  whole(): Value {
    const value = this.#sum()
    const rest = this.#peek()
    if (rest.kind === 'end') return value
    const missing = rest.kind !== 'sign' || rest.text === '(' ? '; put an operator such as * before it' : ''
    throw new ExpressionError(`"${rest.text}" does not belong here${missing}`, rest.at)
  }

  #sum(): Value {
    let left = this.#product()
    for (;;) {
      const sign = this.#take('+', '-')
      if (!sign) return left
      const right = this.#product()
      left = this.#at(sign, () =>
        both(left, right, sign.text === '+' ? add : subtract, (a, b) => (sign.text === '+' ? a + b : a - b)),
      )
    }
  }

  #product(): Value {
    let left = this.#signed()
    for (;;) {
      const sign = this.#take('*', '/', '%', 'of')
      if (!sign) return left
      const right = this.#signed()
      left = this.#at(sign, () => combine(sign.text, left, right))
    }
  }

  // A sign binds less than a power: -2^2 is -4.
  #signed(): Value {
    const sign = this.#take('-', '+')
    if (!sign) return this.#power()
    return this.#deeper(sign, () => {
      const value = this.#signed()
      return sign.text === '+' ? value : isExact(value) ? { n: -value.n, d: value.d } : -value
    })
  }

  // Powers group from the right: 2^3^2 is 2^9.
  #power(): Value {
    const base = this.#postfix()
    const sign = this.#take('^')
    if (!sign) return base
    return this.#deeper(sign, () => {
      const exponent = this.#signed()
      return this.#at(sign, () => power(base, exponent))
    })
  }

  #postfix(): Value {
    let value = this.#single()
    for (;;) {
      const mark = this.#take('!') ?? (this.#isPercent() ? this.#take('%') : undefined)
      if (!mark) return value
      const before = value
      value = this.#at(mark, () => (mark.text === '!' ? factorial(before) : combine('/', before, fraction(100n))))
    }
  }

  #single(): Value {
    const token = this.#tokens[this.#next++]
    if (token.kind === 'number') return readDecimal(token.text)
    if (token.kind === 'name') return this.#named(token)
    if (token.text === '(') {
      const value = this.#deeper(token, () => this.#sum())
      this.#close(token)
      return value
    }
    throw new ExpressionError(
      `a number is missing before ${token.kind === 'end' ? 'the end' : `"${token.text}"`}`,
      token.at,
    )
  }

  #named(token: Token): Value {
    if (Object.hasOwn(constants, token.text) && this.#peek().text !== '(') return constants[token.text]
    if (!Object.hasOwn(functions, token.text)) {
      const names = [...Object.keys(functions), ...Object.keys(constants)]
      const near = nearest(token.text, names)
      throw new ExpressionError(`"${token.text}" is not known${near ? `; did you mean ${near}?` : ''}`, token.at)
    }
    const { least, most, work } = functions[token.text]
    const open = this.#take('(')
    if (!open) {
      // "√2": one number without parentheses.
      if (least === 1 && this.#peek().kind === 'number') return this.#at(token, () => work([this.#single()]))
      throw new ExpressionError(`${token.text} needs its arguments in parentheses`, this.#peek().at)
    }
    const values: Value[] = []
    this.#deeper(open, () => {
      if (this.#peek().text === ')') return 0
      do values.push(this.#sum())
      while (this.#take(','))
      return 0
    })
    this.#close(open)
    if (values.length < least || values.length > most)
      throw new ExpressionError(`${token.text} takes ${countText(least, most)}, not ${values.length}`, token.at)
    return this.#at(token, () => work(values))
  }

  #close(open: Token): void {
    if (this.#take(')')) return
    const found = this.#peek()
    if (found.kind === 'end') throw new ExpressionError('the parenthesis is never closed', open.at)
    throw new ExpressionError(`"${found.text}" does not belong here; ")" was expected`, found.at)
  }

  #peek(ahead = 0): Token {
    return this.#tokens[Math.min(this.#next + ahead, this.#tokens.length - 1)]
  }

  #take(...texts: string[]): Token | undefined {
    const token = this.#peek()
    if (token.kind === 'end' || token.kind === 'number' || !texts.includes(token.text)) return undefined
    this.#next++
    return token
  }

  // "50%" and "50% of 80" against "10 % 3".
  #isPercent(): boolean {
    if (this.#peek().text !== '%') return false
    const { kind, text } = this.#peek(1)
    return kind === 'end' || text === 'of' || (kind === 'sign' && text !== '(')
  }

  #deeper<T>(token: Token, work: () => T): T {
    if (++this.#depth > deepest) throw new ExpressionError(`more than ${deepest} levels`, token.at)
    const made = work()
    this.#depth--
    return made
  }

  // What goes wrong while a sign or function is worked out is told with its place.
  #at(token: Token, work: () => Value): Value {
    try {
      return bounded(work())
    } catch (error) {
      if (error instanceof RangeError) throw new ExpressionError(error.message, token.at)
      throw error
    }
  }
}

function combine(sign: string, a: Value, b: Value): Value {
  if (sign === '*' || sign === 'of') return both(a, b, multiply, (x, y) => x * y)
  if (asNumber(b) === 0) throw new RangeError('division by zero')
  return sign === '/' ? both(a, b, divide, (x, y) => x / y) : both(a, b, remainder, (x, y) => x % y)
}

function both(a: Value, b: Value, exact: typeof add, rounded: (a: number, b: number) => number): Value {
  return isExact(a) && isExact(b) ? exact(a, b) : rounded(asNumber(a), asNumber(b))
}

function countText(least: number, most: number): string {
  if (least === most) return least === 1 ? 'one argument' : `${least} arguments`
  return most > 100 ? `${least} or more arguments` : `${least} to ${most} arguments`
}
