import { expect, test } from 'vitest'
import { answersAsGuest, guestAnnounced } from './introduced.ts'
import { areCompatible } from './name-form.ts'
import { readShownName } from './shown-name.ts'

test.each<[string, string]>([
  ['Diane Miller, baker', 'Diane Miller'],
  ['Diane Miller\nbaker in New Jersey', 'Diane Miller'],
  ['DIANE MILLER\nCEO, Miller Bread', 'Diane Miller'],
  ['Diane Miller', 'Diane Miller'],
  ['Zawadi Okonkwo, Professor of History', 'Zawadi Okonkwo'],
  ['Dr. Eliza Grant, marine biologist', 'Dr. Eliza Grant'],
  ['Diane | baker', 'Diane'],
])('the caption %j names somebody', (text, name) => {
  expect(readShownName(text)?.name).toBe(name)
})

test.each([
  'Harbour Museum',
  'Paris, France',
  'New York, USA',
  'Victoria Station',
  'Chapter Two\nThe Baker',
  'Diane',
  'Directed by Diane Miller',
  'Diane Miller\nBob Jones',
  'Diane Miller\nBob Jones\nCarl Smith',
  'Opening hours 9:30',
  'Main Street, baker shop opens',
  'Springfield, Illinois',
  '“I bake bread,” Diane Miller',
  'Maria and Tom, bakers',
  'baker',
])('%j names nobody who is there', text => {
  expect(readShownName(text)).toBeUndefined()
})

test('a host announces one guest', () => {
  expect(guestAnnounced('Please welcome Diane.')).toBe('Diane')
  expect(guestAnnounced('My guest today is Diane Miller, who bakes.')).toBe('Diane Miller')
  expect(guestAnnounced('please welcome diane')).toBe('Diane')
  for (const line of [
    'Please welcome Diane and Bob.',
    'Please welcome Diane and her sister.',
    'Yesterday we were joined by Diane.',
    'Next week we are joined by Diane.',
    "Please welcome Diane's sister.",
    'I met Diane yesterday.',
    'You are welcome, Diane.',
  ])
    expect(guestAnnounced(line)).toBeUndefined()
})

test('the guest answers as only a guest does', () => {
  expect(answersAsGuest('Thank you so much for having me.', 'Diane')).toBe(true)
  expect(answersAsGuest("It's great to be here.", 'Diane')).toBe(true)
  expect(answersAsGuest('Thank you.', 'Diane')).toBe(false)
  expect(answersAsGuest('Thanks for coming.', 'Diane')).toBe(false)
  expect(answersAsGuest('Diane, thank you for the introduction.', 'Diane')).toBe(false)
})

test('names of one person agree in the given name, and in the surname where both have one', () => {
  expect(areCompatible('Diane', 'Diane Miller')).toBe(true)
  expect(areCompatible('Dr. Miller', 'Diane Miller')).toBe(true)
  expect(areCompatible('Diane Jones', 'Diane Miller')).toBe(false)
  expect(areCompatible('Miller', 'Diane Miller')).toBe(false)
  expect(areCompatible('Bob', 'Diane')).toBe(false)
})
