import { describe, expect, test } from 'vitest'
import { chooseRoute } from './route.ts'

describe('routing', () => {
  test.each([
    ['How many times does the bell ring?', 'count'],
    ['When does the speaker mention Paris?', 'when'],
    ['In which order do the slides appear?', 'order'],
    ['Summarise the talk.', 'summary'],
    ['What is written on the second sign?', 'on-screen'],
    ['Which sound is heard at the end?', 'sound'],
    ['Is there a dog in the video?', 'presence'],
    ['What is the difference between the two engines?', 'compare'],
    ['Where is Sheila from?', 'fact'],
  ])('%s -> %s', (question, route) => {
    expect(chooseRoute(question)).toBe(route)
  })

  test('options that are sequences make it a question of order', () => {
    expect(chooseRoute('Choose the right one.', ['a -> b -> c', 'b -> a -> c'])).toBe('order')
  })
})
