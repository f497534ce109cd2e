import { describe, expect, test } from 'vitest'
import { quantitiesIn } from './quantity.ts'

const shown = (text: string) =>
  quantitiesIn(text).map(({ low, high, kind, noun }) => [
    kind === 'count' && noun ? `count ${noun}` : kind,
    Number(low.toPrecision(9)),
    ...(high === low ? [] : [Number(high.toPrecision(9))]),
  ])

describe('the quantities of a text', () => {
  test.each<[string, unknown[]]>([
    ['Cost: 18 million', [['count', 18e6]]],
    ['$18M', [['money dollar', 18e6]]],
    ['18m', [['length', 18]]],
    ['it is 18 m long', [['length', 18]]],
    ['€ 1.234.567,50', [['money euro', 1234567.5]]],
    ['1,234,567 people', [['count person', 1234567]]],
    ['20 000 euros', [['money euro', 20000]]],
    ['18,5 km', [['length', 18500]]],
    ['eighteen point', [['count point', 18]]],
    ['half a million dollars', [['money dollar', 500000]]],
    ['a hundred and five visitors', [['count visitor', 105]]],
    ['20k followers', [['count follow', 20000]]],
    ['12.5 %', [['percent', 12.5]]],
    ['-5 degrees Celsius', [['temperature', -5]]],
    ['50 degrees Fahrenheit', [['temperature', 10]]],
    ['about 20 minutes', [['time', 1080, 1320]]],
    ['more than 3 hours', [['time', 10800, Number.POSITIVE_INFINITY]]],
    ['18 to 22 million', [['count', 18e6, 22e6]]],
    ['10–20 km', [['length', 10000, 20000]]],
    ['between 5 and 7 kilos', [['mass', 5, 7]]],
    ['60 miles an hour', [['speed', 26.8224]]],
    [
      '12 dollars and 3 pounds',
      [
        ['money dollar', 12],
        ['pounds', 3],
      ],
    ],
    ['a 30-year plan', [['time', 946728000]]],
    ['at 9:30 in room A-204', []],
    ['10 square metres', [['count square', 10]]],
    ['half an hour', [['time', 1800]]],
    ['minus three degrees', [['degrees', -3]]],
    ['12 dollars a day', [['money dollar', 12]]],
  ])('%s', (text, expected) => {
    const stems = (rows: unknown[]) =>
      rows.map(row => (row as unknown[]).map(cell => (typeof cell === 'string' ? cell.slice(0, 11) : cell)))
    expect(stems(shown(text))).toEqual(stems(expected))
  })
})
