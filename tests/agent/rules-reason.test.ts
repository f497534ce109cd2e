import { describe, expect, test } from 'vitest'
import { ask } from './ask.ts'
import { handMadeIndex, said, shown } from './hand-made-index.ts'

const card = shown(4, 8, 'Barbara Harrison, carpenter')
const barbara = said(40, 43, 'barbara takes the lamp because the cellar is dark')
const oliver = said(60, 63, 'oliver takes the ball because the game begins soon')
const about = (...rows: ReturnType<typeof said>[]) => handMadeIndex({ duration: 100, rows })

describe('why somebody does something, where names and clothes weigh more than the deed', () => {
  test.each([
    ['Why does Barbara Harrison take the lamp?', [card, barbara, oliver], /^because the cellar is dark/],
    ['Why does the person in the yellow shirt take the lamp?', [card, barbara, oliver], /^because the cellar is dark/],
    ['Why does the man with grey hair and a red hat take the ball?', [barbara, oliver], /^because the game begins/],
    ['Why does Barbara Harrison take the lamp?', [card, said(40, 43, 'she takes the lamp because it is dark')], /dark/],
  ])('%s', async (question, rows, says) => {
    const { answer } = await ask(about(...rows), question)
    expect(answer.abstained).toBe(false)
    expect(answer.text).toMatch(says)
    expect(answer.text).not.toMatch(/carpenter/)
  })

  test.each([
    ['of somebody else', 'Why does Barbara Harrison take the lamp?', 'oliver takes the lamp because the roof leaks'],
    ['of a farmer', 'Why does Barbara Harrison take the lamp?', 'the farmer takes the lamp because the roof leaks'],
    ['of another deed', 'Why does Barbara Harrison take the lamp?', 'barbara takes the bus because the roof leaks'],
  ])('a reason %s is none', async (_, question, line) => {
    const { answer } = await ask(about(card, said(40, 43, line)), question)
    expect(answer.text).not.toMatch(/^because/)
    expect(answer.text).not.toMatch(/roof leaks/)
  })

  const george = said(10, 13, 'George Harrison takes the lamp because the roof leaks')
  test.each([
    ['a namesake', [george, said(50, 53, 'Barbara takes the lamp because hers broke')], /^because hers broke/],
    ['a namesake whose speech has no capitals', [said(10, 13, george.text.toLowerCase())], undefined],
    [
      'somebody of the same given name',
      [said(10, 13, 'Barbara Miller takes the lamp because the roof leaks')],
      undefined,
    ],
    ['a surname alone', [said(10, 13, 'Old Harrison takes the lamp because the roof leaks')], undefined],
    [
      'the one who is named after a word',
      [said(50, 53, 'Then Barbara takes the lamp because hers broke')],
      /^because hers/,
    ],
    ['what another has', [said(50, 53, "barbara takes tom's lamp because hers broke")], /^because hers broke/],
  ])('of %s', async (_, rows, says) => {
    const { answer } = await ask(about(card, ...rows), 'Why does Barbara Harrison take the lamp?')
    if (says) expect(answer.text).toMatch(says)
    else expect(answer.abstained).toBe(true)
  })

  test('a caption with the name alone is no reason', async () => {
    const { answer } = await ask(about(card, oliver), 'Why does Barbara Harrison take the umbrella?')
    expect(answer.abstained).toBe(true)
  })

  test.each([
    [
      'of a line that names nobody and tells less of the deed',
      'Why does Barbara Harrison carry the lamp into the cellar?',
      said(40, 43, 'she carries the lamp because the roof leaks'),
    ],
    [
      'of a line that names somebody else after the deed',
      'Why does Barbara Harrison take the lamp?',
      said(40, 43, 'he takes the lamp from oliver because the roof leaks'),
    ],
  ])('a reason %s is none', async (_, question, line) => {
    const { answer } = await ask(about(card, line), question)
    expect(answer.text).not.toMatch(/^because/)
  })

  test('the line with the name goes before one that names nobody, and another reason of the same person is left out', async () => {
    const rows = [said(10, 13, 'she takes the lamp because hers broke'), barbara]
    const { answer } = await ask(about(card, ...rows), 'Why does Barbara Harrison take the lamp?')
    expect(answer.text).toMatch(/^because the cellar is dark/)
    expect(answer.text).not.toMatch(/hers broke/)
    expect(answer.confidence).toBeGreaterThan(0.6)
  })

  test('one reason that is said twice is told once, also of who is known by clothes alone', async () => {
    const rows = [barbara, said(60, 63, 'oliver takes the lamp because the cellar is dark')]
    const { answer } = await ask(about(...rows), 'Why does the person in the yellow shirt take the lamp?')
    expect(answer.sentences).toHaveLength(1)
    expect(answer.confidence).toBeGreaterThan(0.5)
  })

  test('of two people who do it and are known by clothes alone both are told', async () => {
    const rows = [barbara, said(60, 63, 'oliver takes the lamp because the roof leaks')]
    const { answer } = await ask(about(...rows), 'Why does the person in the yellow shirt take the lamp?')
    expect(answer.text).toMatch(/cellar is dark/)
    expect(answer.text).toMatch(/roof leaks/)
    expect(answer.confidence).toBeLessThan(0.5)
  })
})
