import { describe, expect, test } from 'vitest'
import { understandQuestion } from '../../../src/text/question/understand.ts'
import { polarity } from './polarity.ts'

describe('yes-or-no questions', () => {
  test.each([
    ["Isn't it true that the gate is open?", 'Is it so that the gate is open?'],
    ['Is it true that the gate is open?', 'Is it so that the gate is open?'],
    ["Didn't the soldier find a camera?", 'Did the soldier find a camera?'],
    ['Wasn’t the gate open?', 'Was the gate open?'],
  ])('%s asks nothing but the matter itself', (asked, plain) => {
    expect(understandQuestion({ text: asked }, 60)).toEqual(understandQuestion({ text: plain }, 60))
  })

  test('the opposite of what a line says is still no', () => {
    expect(polarity('Is it so that the gate is open?', 'the gate was closed')).toBe('no')
  })
})
