import { describe, expect, test } from 'vitest'
import { UsageError } from '../../src/core/errors.ts'
import type { Finding } from '../../src/core/evidence.ts'
import { ask } from './ask.ts'
import { handMadeIndex, said, shown } from './hand-made-index.ts'
import { seeingModel } from './seen-index.ts'

function seen(start: number, end: number, text: string): Finding {
  return { span: { start, end }, track: 'caption', text, frame: start }
}

const laura = 'A woman with red hair in a yellow top and black trousers'
const tom = 'A man with grey hair in a green shirt and brown trousers'
const rows = [
  seen(4, 8, `${tom} sits in an office.`),
  shown(4, 8, 'Tom Reed, butcher'),
  seen(12, 16, `${laura} walks in a garden.`),
  shown(12, 16, 'Laura Bennett, baker'),
  seen(20, 24, `${laura} waves and holds a flag in a forest.`),
  seen(28, 32, `${tom} holds a book in a forest.`),
  seen(36, 40, `${tom} holds a lamp on a street. ${laura} holds an umbrella on a street.`),
  said(44, 47, 'laura takes the box because the shelf is full'),
]
const blind = async () => {
  throw new UsageError('No model looks at frames here.')
}
const asked = (question: string, more: Finding[] = [], services = {}) =>
  ask(handMadeIndex({ duration: 60, rows: [...rows, ...more] }), question, { services })

describe('what somebody wears or holds, from captions', () => {
  test.each([
    ['What colour is the shirt of the person who holds the lamp on the street?', /^green — seen: "A man/],
    ['What colour are the trousers of the person who waves in the forest?', /^black — seen/],
    ['What colour is the shirt of the person with red hair?', /^yellow — seen/],
    ['What does the person in the green shirt hold in the forest?', /^a book — seen/],
    ['What does the person in the yellow shirt hold on the street?', /^an umbrella — seen/],
    [
      'What does the person who is introduced as Tom Reed hold on the street?',
      /^a lamp, of Tom Reed, by hair and clothes/,
    ],
    ['What does Laura Bennett hold in the forest?', /^a flag, of Laura Bennett, by hair and clothes alone/],
    ['What colour is the shirt of the person who takes the box because the shelf is full?', /^yellow/],
  ])('%s', async (question, says) => {
    const { answer } = await asked(question)
    expect(answer.text).toMatch(says)
    expect(answer.abstained).toBe(false)
  })

  test.each([
    ['two colours are seen as often', 'What colour is the shirt of the person in the forest?'],
    ['nobody does it', 'What colour is the shirt of the person who holds the ball in the forest?'],
    ['nobody of that name is described', 'What does the person who is introduced as Peter Miller hold in the forest?'],
  ])('nothing where %s', async (_, question) => {
    const { answer } = await asked(question)
    expect(answer.text).not.toMatch(/^(?:green|yellow|a book|a flag)/)
  })

  test('all captions are read, and not only those that a search brings', async () => {
    const { steps } = await asked('What colour is the shirt of the person who holds the lamp on the street?')
    expect(steps.map(({ input }) => input)).toContainEqual(expect.objectContaining({ tracks: ['caption'] }))
  })

  test('nothing where two people look like the one who is named', async () => {
    const more = [seen(50, 54, `${laura} stands on a beach.`), shown(50, 54, 'Rachel Miller, nurse')]
    const { answer } = await asked('What does Laura Bennett hold in the forest?', more)
    expect(answer.text).not.toMatch(/^a flag/)
  })
})

describe('who is meant', () => {
  const green = (at: number) => seen(at, at + 2, 'A man in a blue coat waves in a yard.')
  const waving = [seen(48, 50, 'A woman in a red coat waves in a yard.'), green(51), green(54)]
  const flag = said(44, 47, 'she takes the flag because the team has won')
  const tomToo = said(44, 47, 'Peter takes the flag because Tom has won')
  const mart = [seen(50, 52, `${tom} sits in a mart. A woman in a white coat stands.`)]
  const listed = [
    ...[seen(50, 53, `${laura} digs in a yard. People: ${laura}: digs. Place: a yard.`)],
    seen(54, 57, 'A man in a white shirt digs in a yard.'),
  ]
  const question = 'What colour is the coat of'

  test.each([
    ['by sex', `${question} the woman who waves in the yard?`, waving, /^red/],
    ['by a time', `${question} the person who waves in the yard at 0:49?`, waving, /^red/],
    ['by the first name', 'What does Peter Miller hold for Tom Reed in the forest?', [], /^(?!a book|a lamp)/],
    [
      'by nobody who is named',
      'What colour is the shirt of the person who takes the flag because the team has won?',
      [flag, seen(50, 54, `${tom} stands.`)],
      /^(?!green|yellow)/,
    ],
    [
      'by the name before the reason',
      'What colour is the shirt of the person who takes the flag because Tom has won?',
      [tomToo],
      /^(?!green)/,
    ],
    ['by a possessive', "What colour is Laura Bennett's shirt?", [], /^yellow/],
    [
      'in a place that begins a name',
      'What does Martha Reed hold in the mart?',
      [
        seen(48, 50, 'A man in a white hat and red coat holds a fork in a yard.'),
        shown(48, 50, 'Martha Reed, judge'),
        ...mart,
      ],
      /^(?!a fork)/,
    ],
    [
      'by rows and not by sentences',
      'What colour is the shirt of the person who digs in the yard?',
      listed,
      /^(?!yellow)/,
    ],
  ])('%s', async (_, text, more, says) => {
    expect((await asked(text, more)).answer.text).toMatch(says)
  })

  test('is not told by captions that a list cut off', async () => {
    const many = Array.from({ length: 450 }, (_, i) => seen(100 + i, 101 + i, 'A man in a white shirt walks.'))
    const last = seen(600, 602, 'A man in a red shirt juggles in a cave.')
    const index = handMadeIndex({ duration: 700, rows: [...many, last] })
    const { steps } = await ask(index, 'What colour is the shirt of the person who juggles in the cave?')
    expect(steps.filter(step => step.tool === 'timeline').some(step => step.evidence.length > 450)).toBe(true)
  })
})

describe('what may be watched and is told in words', () => {
  const bakery = [seen(40, 44, 'A village street with a bakery.'), said(50, 54, 'Diane has run the bakery since 2004')]
  test('is told where captions stand and nothing looks', async () => {
    const { answer } = await asked('Who runs the bakery in the village?', bakery)
    expect(answer.abstained).toBe(false)
    expect(answer.text).toMatch(/Diane/)
  })

  test('is told where looks do not show it', async () => {
    const service = seeingModel(() => ({ text: 'The frames do not show who runs the company.' }))
    const vision = async () => ({ by: 'chat/test', service })
    const more = [said(50, 54, 'I run the company, says Diane')]
    const { answer, steps } = await asked('Who runs the company?', more, { vision })
    expect(steps.some(step => step.tool === 'look')).toBe(true)
    expect(answer.abstained).toBe(false)
    expect(answer.text).toMatch(/I run the company/)
  })
})

describe('where somebody is seen who says something', () => {
  const bicycle = said(12.5, 14, 'somebody has stolen my bicycle')
  test.each([
    ['seen next', /^in a forest, by hair and clothes alone/],
    ['seen last before that', /^on a beach, by hair and clothes alone/],
  ])('%s', async (when, says) => {
    const more = [seen(0, 4, `${laura} stands on a beach.`), bicycle]
    const { answer } = await asked(`Where is the person who says "somebody has stolen my bicycle" ${when}?`, more, {
      vision: blind,
    })
    expect(answer.text).toMatch(says)
  })

  test('nowhere where two are there while it is said', async () => {
    const more = [said(36.5, 38, 'somebody has stolen my bicycle'), seen(50, 54, `${laura} stands on a beach.`)]
    const { answer } = await asked('Where is the person who says "somebody has stolen my bicycle" seen next?', more, {
      vision: blind,
    })
    expect(answer.text).not.toMatch(/by hair and clothes/)
  })
})
