import { describe, expect, test } from 'vitest'
import { namesDenied, namesOfSelf } from './self-naming.ts'

const names = (line: string, before?: string, after?: string) =>
  namesOfSelf(line, { before, after }).map(({ name }) => name)

describe('a speaker says who he or she is', () => {
  test.each([
    ['This is Diane in New Jersey.', 'Diane'],
    ['this is diane in new jersey', 'Diane'],
    ["And I'm Sheila in Texas, originally from Chicago.", 'Sheila'],
    ["and i'm sheila in texas originally from chicago", 'Sheila'],
    ['my name is sheila and i come from a small town near chicago', 'Sheila'],
    ['MY NAME IS DIANE', 'Diane'],
    ['Hi, I am Diane Miller, and I bake bread.', 'Diane Miller'],
    ['Good evening. My name is Zawadi Okonkwo.', 'Zawadi Okonkwo'],
    ["I'm Zawadi Okonkwo from the weather desk.", 'Zawadi Okonkwo'],
    ['My name is Zawadi.', 'Zawadi'],
    ['I’m Dr. Diane Miller. Welcome.', 'Dr. Diane Miller'],
    ['Hello, this is Diane speaking, how can I help you?', 'Diane'],
    ['This is Bob Jones reporting from Lisbon.', 'Bob Jones'],
    ["Welcome to the harbour museum, I'm Diane.", 'Diane'],
    ["I'm Grace.", 'Grace'],
    ["I'm Diane and here's the news.", 'Diane'],
    ["I'm Diane, how are you?", 'Diane'],
  ])('%s', (line, name) => {
    expect(names(line)).toEqual([name])
  })
})

describe('nobody is named by what may be about somebody else, quoted, played, or no name at all', () => {
  test.each([
    'I met Diane yesterday.',
    'Diane, come here.',
    'Please welcome Diane.',
    'This is Diane.',
    'This is not Diane.',
    'This is Diane, my sister.',
    'This is Diane in the red coat.',
    'This is Diane in Paris last summer.',
    'And this is Diane in Paris, where she lives.',
    'And this is Diane in Paris.',
    'Is this Diane in New Jersey?',
    "I'm not Diane.",
    'My name is not Diane.',
    "I'm Diane's mother.",
    "I'm Diane Miller’s neighbour.",
    "I'm Diane and Bob's friend.",
    'He said, I am Diane.',
    'She told me my name is Diane.',
    'She said "I am Diane" and left.',
    'The letter begins: “My name is Diane.”',
    "'I am Diane,' she whispered.",
    'My name is Diane, she said.',
    'If I am Diane, who are you?',
    'Imagine I am Diane.',
    "I never thought that I'm Diane.",
    "In the film I play the lead and I'm Diane in the second part.",
    "I'm Diane in this play.",
    "I'm Diane for tonight.",
    "I'm Diane?",
    "I'm Diane or so they say.",
    "I'm American.",
    "I'm Irish and proud of it.",
    'I am Legend.',
    "I'm Batman.",
    "I'm New here.",
    "I'm Roman Catholic.",
    "I'm Team Diane.",
    "i'm grace under pressure",
    'i am will you are not',
    'my name is on the door',
    'this is diane in tears',
    'Her name is Diane.',
    'Call me, Diane.',
    'Thank you, Diane.',
    'Diane is here.',
    "I'm Going Home Now.",
    "I'm Sorry Bob.",
    "I'm Done Here.",
    "I'm Hans Zimmer fan.",
    "I'm Harry Potter obsessed.",
    "Here is my impression: I'm Donald Trump and I love it.",
    'For example, my name is Anna.',
    'In this story, my name is Diane.',
    "Apparently I'm Diane Miller.",
    '♪ My name is Luka ♪',
    '[reading] My name is Bob.',
  ])('%s', line => {
    expect(names(line)).toEqual([])
  })

  test('the line before or after it may make a quotation of it', () => {
    expect(names('I am Diane.', 'And then she said')).toEqual([])
    expect(names('I am Diane.', 'She answered:')).toEqual([])
    expect(names('I am Diane.', 'He read aloud: “Dear all.')).toEqual([])
    expect(names('I am Diane,', '', 'she said.')).toEqual([])
    expect(names('I am Diane.', 'Good morning.', 'I bake bread.')).toEqual(['Diane'])
  })
})

test('whom somebody says not to be', () => {
  expect(namesDenied('This is not Diane.')).toEqual(['Diane'])
  expect(namesDenied("i'm not diane")).toEqual(['Diane'])
  expect(namesDenied("That isn't Diane Miller, that is Ann.")).toEqual(['Diane Miller'])
  expect(namesDenied('I did not see the boat.')).toEqual([])
})
