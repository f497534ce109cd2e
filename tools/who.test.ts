import { describe, expect, test } from 'vitest'
import type { VideoIndex } from '../src/core/video.ts'
import { handMadeContext, handMadeIndex, said, shown } from '../tests/agent/hand-made-index.ts'
import { namedLines, personRows } from './stages/people/make-people.ts'
import { buildRegistry } from './stages/people/registry.ts'
import who from './who.ts'

// Three voices, two of which say that they are Diane.
function interview(): VideoIndex {
  const spoken = handMadeIndex({
    duration: 100,
    rows: [
      said(0, 4, 'This is Diane in New Jersey.', 'Speaker 1'),
      said(5, 9, "And I'm Bob Jones, the baker.", 'Speaker 2'),
      said(60, 64, "Hello, I'm Diane as well.", 'Speaker 3'),
      said(70, 74, 'The bread is ready.', 'Speaker 2'),
      shown(80, 90, 'The end'),
    ],
  })
  const rows = spoken.evidence()
  const clips = [0, 20, 40].map(start => ({
    ...{ id: `c${start}`, span: { start, end: start + 10 }, people: [] },
    objects: start === 20 ? [] : ['a red suitcase'],
  }))
  const people = buildRegistry({ speech: rows.filter(row => row.track === 'speech'), text: [], clips })
  const made = personRows(people, new Map(rows.map(row => [row.id, row])))
  return { ...handMadeIndex({ duration: 100, rows: [...namedLines(rows, people), ...made] }), people }
}

async function ask(index: VideoIndex, input: object) {
  const { evidence, text = '' } = await who.run(who.input.parse(input), handMadeContext(index))
  return { text, rows: evidence.map(row => row.text) }
}

describe('who', () => {
  test('is offered where the index has a registry, and nowhere else', () => {
    expect(who.offered?.(interview())).toBe(true)
    expect(who.offered?.(handMadeIndex({ duration: 10, rows: [] }))).toBe(false)
  })

  test('says when somebody of that name speaks, with the rows that give the name', async () => {
    const { text, rows } = await ask(interview(), { name: 'bob' })
    expect(text).toContain('Bob Jones (speaker 2)')
    expect(text).toContain('[0:05-0:09]')
    expect(text).toContain('[1:10-1:14]')
    expect(text).not.toContain('Diane')
    expect(rows).toContain("And I'm Bob Jones, the baker.")
    expect(rows).toContain('The bread is ready.')
  })

  test('keeps two of one name apart, and says so', async () => {
    const { text } = await ask(interview(), { name: 'Diane' })
    expect(text).toContain('2 are called "Diane", kept apart.')
    expect(text).toContain('Diane (speaker 1)')
    expect(text).toContain('Diane (speaker 3)')
  })

  test('names those who are there in a span, and what recurs', async () => {
    const { text } = await ask(interview(), { start: 50, end: 75 })
    expect(text).toContain('Diane (speaker 3)')
    expect(text).not.toContain('Diane (speaker 1)')
    expect((await ask(interview(), {})).text).toContain('Recurring things: red suitcase')
  })

  test('knows nobody by a name that no row binds, and says who is known', async () => {
    const { text, rows } = await ask(interview(), { name: 'Carl' })
    expect(text).toContain('Nobody is known to be called "Carl"; known are Diane (speaker 1), Bob Jones (speaker 2)')
    expect(rows).toEqual([])
  })
})
