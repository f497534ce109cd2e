import { expect, test } from 'vitest'
import { findUngrounded } from './ungrounded.ts'

const rows = [
  'my name is sheila and i come from a small town near chicago',
  'captain harris built the first model ship in nineteen twenty one',
  'Tickets\nAdults $12',
  'music',
]

test.each([
  'Sheila comes from near Chicago.',
  "Harris builds a ship in 1921; Captain Harris's ship is the first.",
  'A ticket costs 12 dollars.',
  'Tickets cost twelve dollars.',
  'One of the guests talks while music plays.',
  'Baking continues in the kitchen.',
  'Some of them, the guests, say: I like it.',
  'Finally the guests leave. Then they go home.',
  'Guests arrive at the gate.',
  'La mujer corta el pan en la cocina.',
  'Der Koch schneidet das Brot und spricht mit einem Gast.',
])('of "%s" every number and name stands in the rows', sentence => {
  expect(findUngrounded(sentence, rows)).toEqual([])
})

test.each([
  ['Robert comes from near Chicago.', ['Robert']],
  ['Sheila meets Robert Miller.', ['Robert', 'Miller']],
  ['Emily is in the kitchen.', ['Emily']],
  ['Charles walks home.', ['Charles']],
  ['The ship is of 1922.', ['1922']],
  ['Forty visitors come.', ['Forty']],
  ['A ticket costs 12 dollars or 3 euros.', ['3']],
  ['She is from Boston.', ['Boston']],
  ['It is late. Robert said so.', ['Robert']],
  ['Der Koch Robert Müller schneidet das Brot und spricht mit einem Gast.', ['Koch', 'Robert', 'Müller']],
])('of "%s" %j stand in no row', (sentence, strange) => {
  expect(findUngrounded(sentence, rows)).toEqual(strange)
})
