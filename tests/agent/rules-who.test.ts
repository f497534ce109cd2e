import { describe, expect, test } from 'vitest'
import type { Finding } from '../../src/core/evidence.ts'
import { ask } from './ask.ts'
import { handMadeIndex, said, shown } from './hand-made-index.ts'

function seen(start: number, end: number, text: string): Finding {
  return { span: { start, end }, track: 'caption', text, frame: start }
}

const laura = 'A woman with red hair in a yellow top and black trousers'
const tom = 'A man with grey hair in a green shirt and brown trousers'
const flag = seen(
  20,
  24,
  `${laura} holds a flag in a forest. Place: a forest. Objects: flag. Camera: The camera stands still.`,
)
const faint = seen(20, 24, 'A woman with red hair in a yellow top holds a flag in a forest.')
const asked = 'Who holds the flag in the forest?'
const about = (...rows: Finding[]) => handMadeIndex({ duration: 60, rows })

describe('who is seen, by a name that is told elsewhere', () => {
  const tomNamed = [seen(40, 44, `${tom} sits in an office.`), shown(40, 44, 'Tom Reed, butcher')]

  test.each([
    ['a caption on screen', shown(50, 54, 'Laura Bennett, baker'), /^Laura Bennett, by hair and clothes alone/],
    ['one that was read badly', shown(50, 54, 'Laura Bennett,\n, baker'), /^Laura Bennett, by hair/],
    ['words', said(50.5, 52, 'this is laura ben net'), /^Laura, by hair and clothes alone/],
  ])('in %s', async (_, naming, says) => {
    const rows = [flag, ...tomNamed, seen(50, 54, `${laura} walks in a garden.`), naming]
    const { answer, evidence } = await ask(about(...rows), asked)
    expect(answer.abstained).toBe(false)
    expect(answer.text).toMatch(says)
    expect(answer.text).toMatch(/holds a flag in a forest/)
    expect(answer.text).not.toMatch(/Tom|Reed/)
    const cited = answer.sentences.flatMap(({ cites }) => cites)
    expect(cited).toContain(evidence.find(row => row.text === naming.text)?.id)
    expect(cited).toContain(evidence.find(row => row.text === flag.text)?.id)
  })

  test.each([
    ['both look the same', flag, 'A woman with red hair in a yellow top and black trousers'],
    ['what tells them apart is not seen', faint, 'A woman with red hair in a yellow top and brown trousers'],
  ])('is nobody where %s', async (_, deed, other) => {
    const rows = [
      ...[deed, seen(50, 54, `${laura} walks in a garden.`), shown(50, 54, 'Laura Bennett, baker')],
      ...[seen(40, 44, `${other} sits in an office.`), shown(40, 44, 'Tom Reed, butcher')],
    ]
    const { answer } = await ask(about(...rows), asked)
    expect(answer.text).not.toMatch(/^(?:Laura|Tom)/)
    expect(answer.text).not.toMatch(/hair and clothes alone/)
  })

  test('is the woman where a man wears the same', async () => {
    const rows = [
      ...[flag, seen(50, 54, `${laura} walks in a garden.`), shown(50, 54, 'Laura Bennett, baker')],
      ...[seen(40, 44, 'A man with red hair in a yellow top.'), shown(40, 44, 'Tom Reed, butcher')],
    ]
    expect((await ask(about(...rows), asked)).answer.text).toMatch(/^Laura Bennett/)
  })

  test.each([
    ['two people are there while it is told', `${laura} walks in a garden. ${tom} waves in a garden.`],
    ['another is there of whom no clothes are told', `${laura} stands beside a man in a lab coat.`],
    ['one has no article', `${laura}: sits; man in green shirt: stands.`],
    ['nobody is described while it is told', 'A garden is seen.'],
    ['somebody else is', `${tom} waves in a garden.`],
  ])('is nobody where %s', async (_, text) => {
    const { answer } = await ask(about(flag, seen(50, 54, text), shown(50, 54, 'Laura Bennett, baker')), asked)
    expect(answer.text).not.toMatch(/^Laura/)
  })

  test.each([
    ['another wears the same', `${laura} waves. A man with red hair in a yellow top and black trousers waves.`],
    ['a list has full stops', `A garden is seen. People: ${laura}.: talks.; ${tom}.: listens. Place: a garden.`],
  ])('somebody of whom no sex is told is nobody where %s', async (_, text) => {
    const holds = seen(20, 24, flag.text.replace('A woman', 'A person'))
    const { answer } = await ask(about(holds, seen(50, 54, text), shown(50, 54, 'Laura Bennett, baker')), asked)
    expect(answer.text).not.toMatch(/^Laura/)
  })

  test('is not the one whose name is written beside somebody else while it is told', async () => {
    const beside = seen(52, 55, `${tom}, whose name Tom Reed is written, waves. At 0:54: ${laura} stands on a street.`)
    const next = seen(51, 56, `${laura} walks on a street.`) // begins while the name is told, and describes who comes next
    const naming = shown(49, 53, 'Tom Reed, butcher')
    const sexless = [flag, beside, next].map(row => ({ ...row, text: row.text.replace(/A (?:wo)?man/g, 'A person') }))
    const { answer } = await ask(about(...sexless, naming), asked)
    expect(answer.text).not.toMatch(/^Tom/)
  })

  test('the same is found where two people do two things in one caption', async () => {
    const both = seen(20, 24, `${tom} waves on a street. ${laura} holds a flag in a forest.`)
    const rows = [both, ...tomNamed, seen(50, 54, `${laura} walks in a garden.`), shown(50, 54, 'Laura Bennett, baker')]
    const { answer } = await ask(about(...rows), asked)
    expect(answer.text).toMatch(/^Laura Bennett/)
  })
})
