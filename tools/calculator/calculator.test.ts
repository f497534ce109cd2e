import { describe, expect, test } from 'vitest'
import { processorTime } from '../../tests/support/processor-time.ts'
import { showValue } from './calculator.ts'
import { evaluate } from './evaluate.ts'

const worked = (expression: string) => showValue(evaluate(expression))

describe('the calculator', () => {
  test.each([
    ['0.1 + 0.2', '0.3'],
    ['1/3', '1/3 = 0.333333333333...'],
    ['1/3 + 1/6', '0.5'],
    ['1/7*7', '1'],
    ['999999999999999999999 * 999999999999999999999', '999999999999999999998000000000000000000001'],
    ['2^100', '1267650600228229401496703205376'],
    ['30!', '265252859812191058636308480000000'],
    ['1e-10', '0.0000000001'],
    ['10^-400', '≈ 1e-400'],
    ['10^400 / 10^399', '10'],
  ])('%s is exact: %s', (expression, result) => {
    expect(worked(expression)).toBe(result)
  })

  test.each([
    ['-2^2', '-4'],
    ['2^3^2', '512'],
    ['2^-2', '0.25'],
    ['2 + 3 * 4', '14'],
    ['10 % 3', '1'],
    ['7.5 % 2', '1.5'],
    ['-7 % 3', '-1'],
    ['50% - 10', '-9.5'],
    ['15% of 200', '30'],
    ['5 - -3', '8'],
    ['12 × 3 ÷ 4 − 1', '8'],
    ['1,234.5 * 2 =', '2469'],
    ['max(1,234)', '234'],
  ])('%s keeps the rules of arithmetic: %s', (expression, result) => {
    expect(worked(expression)).toBe(result)
  })

  test.each([
    ['sqrt(49)', '7'],
    ['sqrt(2)', '≈ 1.4142135623731'],
    ['√16 + 1', '5'],
    ['8^(1/3)', '2'],
    ['log(1000)', '3'],
    ['log(8, 2)', '3'],
    ['ln(1)', '0'],
    ['sin(pi)', '≈ 0'],
    ['round(1.005, 2)', '1.01'],
    ['round(-2.5)', '-3'],
    ['floor(-1.5) + ceil(-1.5)', '-3'],
    ['min(1/3, 0.333)', '0.333'],
    ['mean(1, 2, 4)', '7/3 = 2.333333333333...'],
    ['abs(-5/2)', '2.5'],
    ['exp(0)', '1'],
  ])('%s: %s', (expression, result) => {
    expect(worked(expression)).toBe(result)
  })

  test.each([
    ['', 'a number is missing', 1],
    ['2 + * 3', 'a number is missing before "*"', 5],
    ['(1 + 2', 'never closed', 1],
    ['1 + 2)', '")" does not belong here', 6],
    ['3 apples', '"apples" does not belong here', 3],
    ['2(3)', 'put an operator such as *', 2],
    ['1 / (2 - 2)', 'division by zero', 3],
    ['sqrt(-1)', 'no real root', 1],
    ['sqr(4)', 'did you mean sqrt', 1],
    ['log(0)', 'above 0', 1],
    ['2 + process.exit()', '"." has no meaning here', 12],
    ['max()', 'takes 1 or more arguments', 1],
  ])('%s is refused with its place', (expression, message, at) => {
    expect(() => worked(expression)).toThrow(expect.objectContaining({ message: expect.stringContaining(message), at }))
  })

  test.each(['constructor(1)', 'toString()', '__proto__', 'hasOwnProperty(1)'])('%s is no function', expression => {
    expect(() => worked(expression)).toThrow(/is not known|no meaning/)
  })

  test.each([
    '9^9^9',
    '9^9^9^9',
    '(1/9)^9^9',
    '2^(2^20)',
    '100000!',
    '1e9999',
    `${'('.repeat(5000)}1${')'.repeat(5000)}`,
    `${'('.repeat(900)}1${')'.repeat(900)}`,
    '-'.repeat(1900),
    `${'2^'.repeat(900)}2`,
    `1${'*9^9999'.repeat(200)}`,
    'choose(999999999, 500000)',
  ])('%.20s ends at once', expression => {
    const used = processorTime()
    expect(() => worked(expression)).toThrow(/too large|digits|levels|longer than/)
    expect(used()).toBeLessThan(500)
  })
})
