import { describe, expect, test } from 'vitest'
import { type Evidence, type Finding, stamp } from '../../../src/core/evidence.ts'
import type { People } from '../../../src/core/people.ts'
import { namedLines, personRows } from './make-people.ts'
import type { FaceLook, PeopleClip } from './people-view.ts'
import { buildRegistry } from './registry.ts'

function row(finding: Finding): Evidence {
  return stamp(finding, 'v', 'made/hand')
}

// "2: This is Diane." is said by Speaker 2; one line after the other, of four seconds each with a second between.
function said(...lines: string[]): Evidence[] {
  return lines.map((line, at) => {
    const [, who, text = ''] = /^([^:]+): (.*)$/.exec(line) ?? []
    const speaker = who === '?' ? {} : { speaker: /^\d+$/.test(who ?? '') ? `Speaker ${who}` : who }
    return row({ span: { start: at * 5, end: at * 5 + 4 }, track: 'speech', text, ...speaker })
  })
}

function shown(start: number, end: number, text: string): Evidence {
  return row({ span: { start, end }, track: 'text', text })
}

function clip(start: number, looks: string[], objects: string[] = []): PeopleClip {
  return { id: `c${start}`, span: { start, end: start + 10 }, people: looks.map(looks => ({ looks })), objects }
}

interface Given {
  speech?: Evidence[]
  text?: Evidence[]
  clips?: PeopleClip[]
  faces?: FaceLook[]
  cuts?: number[]
}

function made({ speech = [], text = [], clips = [], faces, cuts }: Given): People {
  return buildRegistry({ speech, text, clips, ...(faces && { faces }), ...(cuts && { cuts }) })
}

function looks(...counts: (number | string)[]): FaceLook[] {
  return counts.map((count, at) => ({
    time: at * 5 + 2,
    faces: typeof count === 'string' ? [{ person: count }] : Array.from({ length: count }, () => ({})),
  }))
}

// No test below may find a name on a voice without a merge that names its rows, or one person with two voices.
function holds({ people }: People, rows: readonly { id: string }[]): void {
  const ids = new Set(rows.map(({ id }) => id))
  for (const person of people) {
    expect(person.speakers.length).toBeLessThanOrEqual(1)
    if (person.names.length === 0) expect(person.merges).toEqual([])
    for (const { because } of person.merges) for (const id of because) expect(ids).toContain(id)
    if (/ \(speaker \d+\)$/.test(person.label)) expect(person.merges.length).toBeGreaterThan(0)
  }
}

describe('a name is bound to a voice', () => {
  test.each<[string, Given, string[]]>([
    [
      'that says it is its own, on the telephone',
      { speech: said('1: Hello?', '2: Oh, hello.', '2: This is Diane in New Jersey.', "1: And I'm Sheila in Texas.") },
      ['Sheila (speaker 1)', 'Diane (speaker 2)'],
    ],
    [
      'in letters without capitals',
      { speech: said('1: good evening', '1: my name is sheila and i bake') },
      ['Sheila (speaker 1)'],
    ],
    [
      'by a caption while it alone speaks',
      {
        speech: said('1: Who are you?', '?: (pause)', '2: I bake bread.', '2: Every day.'),
        text: [shown(11, 17, 'Diane Miller, baker')],
      },
      ['Speaker 1', 'Diane Miller (speaker 2)'],
    ],
    [
      'by a caption, one face being there',
      {
        speech: said('2: I bake bread.', '2: Every day.'),
        text: [shown(0, 9, 'Diane Miller\nbaker')],
        faces: looks(1, 1),
      },
      ['Diane Miller (speaker 2)'],
    ],
    [
      'by its host, and an answer that only a guest gives',
      { speech: said('1: Please welcome Diane Miller!', '2: Thank you so much for having me.') },
      ['Speaker 1', 'Diane Miller (speaker 2)'],
    ],
    [
      'twice, the fuller name being shown',
      { speech: said("1: I'm Diane.", '1: I bake bread.'), text: [shown(5, 9, 'Diane Miller, baker')] },
      ['Diane Miller (speaker 1)'],
    ],
    ['by the subtitles', { speech: said('DIANE: Hello.', 'Man: Hello.') }, ['DIANE', 'Man']],
    [
      'of each of two who have the same given name, and these stay two',
      { speech: said("1: I'm Diane.", "2: I'm Diane too, I'm Diane.") },
      ['Diane (speaker 1)', 'Diane (speaker 2)'],
    ],
  ])('%s', (_, given, expected) => {
    const found = made(given)
    expect(found.people.map(({ label }) => label)).toEqual(expected)
    holds(found, [...(given.speech ?? []), ...(given.text ?? [])])
  })
})

describe('two are kept apart', () => {
  const apart: [string, Given, string[]][] = [
    [
      'a name of somebody absent',
      { speech: said('1: I met Diane yesterday.', '2: How is she?') },
      ['Speaker 1', 'Speaker 2'],
    ],
    ['a name that is called', { speech: said('1: Diane, come here.', '2: I am coming.') }, ['Speaker 1', 'Speaker 2']],
    ['thanks by name', { speech: said('1: It rains.', '2: Thank you, Diane.') }, ['Speaker 1', 'Speaker 2']],
    ['an answer to a name', { speech: said('1: What do you say, Diane?', '2: It rains.') }, ['Speaker 1', 'Speaker 2']],
    ['somebody is shown to others', { speech: said('1: This is Diane.', '2: Hello all.') }, ['Speaker 1', 'Speaker 2']],
    [
      'a picture is shown',
      { speech: said('1: And this is Diane in Paris.', '2: Lovely.') },
      ['Speaker 1', 'Speaker 2'],
    ],
    ['it is denied', { speech: said('1: This is not Diane.', '2: Who is it?') }, ['Speaker 1', 'Speaker 2']],
    ['it is said and denied', { speech: said("1: I'm Diane.", "1: No, I'm not Diane.") }, ['Speaker 1']],
    ['it is a question', { speech: said('1: Is this Diane in New Jersey?', '2: No.') }, ['Speaker 1', 'Speaker 2']],
    ['others are quoted', { speech: said('1: He said: I am Diane.') }, ['Speaker 1']],
    ['a quotation begins a line before', { speech: said('1: And then she said,', '1: I am Diane.') }, ['Speaker 1']],
    ['a quotation ends a line after', { speech: said('1: I am Diane.', '1: she said.') }, ['Speaker 1']],
    ['a relative speaks', { speech: said("1: I'm Diane's mother.") }, ['Speaker 1']],
    ['a part is played', { speech: said("1: I'm Diane in this play.") }, ['Speaker 1']],
    ['one voice says two names', { speech: said("1: I'm Diane.", "1: I'm Bob.") }, ['Speaker 1']],
    ['one voice says two surnames', { speech: said("1: I'm Diane Miller.", "1: I'm Diane Jones.") }, ['Speaker 1']],
    [
      'a host welcomes a guest, and a co-host answers',
      { speech: said('1: Please welcome Diane.', '2: Hello Diane, good to be here with you.') },
      ['Speaker 1', 'Speaker 2'],
    ],
    [
      'a host welcomes a guest, and thanks alone answer',
      { speech: said('1: Please welcome Diane.', '2: Thank you.') },
      ['Speaker 1', 'Speaker 2'],
    ],
    [
      'a host welcomes a guest, and somebody answers who was heard before',
      { speech: said('2: Good evening.', '1: Please welcome Diane.', '2: Thanks for having me.') },
      ['Speaker 2', 'Speaker 1'],
    ],
    [
      'a host welcomes a guest, who speaks much later',
      {
        speech: said(
          '1: Please welcome Diane.',
          ...Array(5).fill('1: But first the news.'),
          '2: Thanks for having me.',
        ),
      },
      ['Speaker 1', 'Speaker 2'],
    ],
    [
      'a host welcomes two guests',
      { speech: said('1: Please welcome Diane and Bob.', '2: Thanks for having me.') },
      ['Speaker 1', 'Speaker 2'],
    ],
    [
      'a host tells of yesterday',
      { speech: said('1: Yesterday we were joined by Diane.', '2: Great to be here.') },
      ['Speaker 1', 'Speaker 2'],
    ],
    [
      'a caption stands over two voices',
      { speech: said('1: I bake.', '2: I sing.'), text: [shown(0, 9, 'Diane Miller, baker')] },
      ['Speaker 1', 'Speaker 2'],
    ],
    [
      'a caption ends as another begins to speak',
      { speech: said('1: I bake.', '2: I sing.'), text: [shown(0, 4.5, 'Diane Miller, baker')] },
      ['Speaker 1', 'Speaker 2'],
    ],
    [
      'a caption stands over a voice and one that is not known',
      { speech: said('1: I bake.', '?: I sing.'), text: [shown(0, 9, 'Diane Miller, baker')] },
      ['Speaker 1'],
    ],
    [
      'a caption stands over two faces',
      { speech: said('1: I bake.'), text: [shown(0, 4, 'Diane Miller, baker')], faces: looks(2) },
      ['Speaker 1'],
    ],
    [
      'a caption stands over no face: somebody tells of her',
      { speech: said('1: She bakes.'), text: [shown(0, 4, 'Diane Miller, baker')], faces: looks(0) },
      ['Speaker 1'],
    ],
    [
      'a caption stands over a clip of two people',
      {
        speech: said('1: I bake.'),
        text: [shown(0, 4, 'Diane Miller, baker')],
        clips: [clip(0, ['a man', 'a woman'])],
      },
      ['Speaker 1'],
    ],
    [
      'a caption stands over two voices one after the other',
      {
        speech: said('1: I bake.', '?: (pause)', '?: (pause)', '2: I sing.'),
        text: [shown(0, 3, 'Diane Miller, baker'), shown(15, 19, 'Diane Miller, baker')],
      },
      ['Speaker 1', 'Speaker 2'],
    ],
    [
      'captions give one voice two names: it tells of both',
      {
        speech: said('1: She bakes.', '1: And he sings.'),
        text: [shown(0, 3, 'Diane Miller, baker'), shown(5, 9, 'Bob Jones, singer')],
      },
      ['Speaker 1'],
    ],
    [
      'two captions at once',
      { speech: said('1: We bake.'), text: [shown(0, 4, 'Diane Miller, baker'), shown(0, 4, 'Bob Jones, baker')] },
      ['Speaker 1'],
    ],
    [
      'a caption is corrected by what is said',
      { speech: said('1: This is not Diane.', '1: Her name is Ann.'), text: [shown(5, 9, 'Diane Miller, baker')] },
      ['Speaker 1'],
    ],
    [
      'a caption says another name than the voice',
      { speech: said("1: I'm Bob.", '1: I sing.'), text: [shown(5, 9, 'Diane Miller, baker')] },
      ['Speaker 1'],
    ],
    [
      'a caption stands over a host while the guest says her name later',
      {
        speech: said('1: Here is our baker.', '?: (music)', "2: I'm Diane."),
        text: [shown(0, 3.5, 'Diane Miller, baker')],
      },
      ['Speaker 1', 'Diane (speaker 2)'],
    ],
    [
      'a voice tells of the one whom the caption names',
      { speech: said('1: Every morning Diane bakes bread.'), text: [shown(0, 4, 'Diane Miller, baker')] },
      ['Speaker 1'],
    ],
    ['a heading is no name', { speech: said('1: Welcome.'), text: [shown(0, 4, 'Harbour Museum')] }, ['Speaker 1']],
    [
      'credits name nobody who speaks',
      { speech: said('1: Goodbye.'), text: [shown(0, 4, 'Diane Miller\nBob Jones')] },
      ['Speaker 1'],
    ],
    ['subtitles name the voice, which plays somebody', { speech: said("DIANE: I'm Bob Jones.") }, ['DIANE']],
    [
      'two voices say the same whole name',
      { speech: said("1: I'm John Smith.", "2: I'm John Smith.") },
      ['John Smith (speaker 1)', 'John Smith (speaker 2)'],
    ],
    [
      'twins in the same clothes have two names',
      {
        text: [shown(0, 4, 'Tom Baker, sailor'), shown(20, 24, 'Ned Smith, cook')],
        clips: [clip(0, ['a man in a blue coat']), clip(20, ['a man in a blue coat'])],
      },
      ['Tom Baker', 'Ned Smith'],
    ],
    [
      'two of one name have other words below it',
      {
        text: [shown(0, 4, 'John Smith, sailor'), shown(20, 24, 'John Smith, cook')],
        clips: [clip(0, ['a man in red']), clip(20, ['a man in blue'])],
      },
      ['John Smith', 'John Smith'],
    ],
    [
      'a known face is seen while somebody else of that name is heard',
      { speech: said("1: I'm Diane."), faces: [{ time: 30, faces: [{ person: 'Diane' }] }] },
      ['Diane (speaker 1)', 'Diane'],
    ],
    [
      'a known face is not alone when the name is said',
      { speech: said("1: I'm Diane."), faces: [{ time: 2, faces: [{ person: 'Diane' }, {}] }] },
      ['Diane (speaker 1)', 'Diane'],
    ],
    [
      'a known face looks on while a voice says another name',
      { speech: said("1: I'm Bob."), faces: looks('Diane') },
      ['Bob (speaker 1)', 'Diane'],
    ],
    [
      'a known face is there while an unnamed voice speaks',
      { speech: said('1: It rains.'), faces: looks('Diane') },
      ['Speaker 1', 'Diane'],
    ],
  ]

  test.each(apart)('%s', (_, given, expected) => {
    const found = made(given)
    expect(found.people.map(({ label }) => label).sort()).toEqual([...expected].sort())
    holds(found, [...(given.speech ?? []), ...(given.text ?? []), ...(given.clips ?? [])])
  })

  test('in more than forty ways', () => {
    expect(apart.length).toBeGreaterThanOrEqual(40)
  })
})

describe('who is seen', () => {
  const caption = shown(0, 9, 'Diane Miller, baker')
  const clips = [
    clip(0, ['a woman in a red coat'], ['a red suitcase', 'a table']),
    clip(20, ['a man in a blue hat'], ['a table']),
    clip(40, ['A woman in a red coat.'], ['The red suitcase']),
  ]

  test('a name that is shown is bound to the only person described meanwhile; others in such clothes stay nobody', () => {
    const { people, looks: described } = made({ text: [caption], clips })
    expect(people).toHaveLength(1)
    const [diane] = people
    expect(diane?.descriptions).toEqual([{ text: 'a woman in a red coat', evidence: ['c0', caption.id] }])
    expect(diane?.merges).toEqual([
      {
        of: ['Diane Miller', 'a woman in a red coat'],
        because: [caption.id, 'c0'],
        rule: 'the only person described while the name is shown',
      },
    ])
    expect(diane?.spans.every(({ end }) => end <= 10)).toBe(true)
    expect(diane?.unsure).toEqual([{ text: expect.stringContaining('clothes do not say'), evidence: ['c40'] }])
    expect(described).toEqual([
      { text: 'woman in a red coat', spans: [clips[0]?.span, clips[2]?.span], evidence: ['c0', 'c40'] },
    ])
  })

  test('a name that stays over a cut to somebody else, or may do so, is nobody: clothes do not tell', () => {
    const text = [shown(8, 13, 'Diane Miller, baker')]
    const alike = [clip(0, ['a woman in a red coat']), clip(10, ['A woman in a red coat.'])]
    const other = [clip(0, ['a woman in a red coat']), clip(10, ['a man in a blue coat'])]
    for (const clips of [alike, other])
      for (const cuts of [undefined, [10]]) expect(made({ text, clips, cuts }).people).toEqual([])
    const speech = said('2: It rains.', '1: I bake.', '1: Every day.') // while the second is seen
    expect(made({ speech, text: [shown(5, 13, 'Diane Miller, baker')], clips: other }).people).toMatchObject([
      { speakers: ['Speaker 2'], names: [] },
      { speakers: ['Speaker 1'], names: [] },
    ])
    const ada = [4, 12].map(time => ({ time, faces: [{ person: 'Ada' }] }))
    for (const sure of [{ cuts: [30] }, { cuts: [10], faces: ada }])
      expect(made({ text, clips: alike, ...sure }).people[0]?.descriptions).toHaveLength(2)
    // A still is taken a moment after the cut.
    const late = made({ text: [shown(5, 10.4, 'Diane Miller, baker')], clips: other, cuts: [10] }).people
    expect(late).toMatchObject([{ descriptions: [{ text: 'a woman in a red coat' }] }])
    expect(late[0]?.spans.every(({ end }) => end <= 10)).toBe(true)
  })

  test('one caption over a man and a woman, or over two known faces, is of two people', () => {
    const text = [shown(1, 5, 'David Lee, student'), shown(21, 25, 'David Lee, student')]
    const man = 'a man in a blue coat'
    const face = (time: number, person: string) => ({ time, faces: [{ person }] })
    const pair = (first: string, second: string, ...faces: FaceLook[]) =>
      made({ text, clips: [clip(0, [first]), clip(20, [second])], ...(faces.length > 0 && { faces }) })
        .people.filter(({ names }) => names[0]?.name === 'David Lee')
        .map(({ descriptions, unsure }) => [descriptions.length, unsure[0]?.text])
    const apart = [1, expect.stringContaining('is also called David Lee')]
    expect(pair(man, 'a woman in a red coat')).toEqual([apart, apart])
    expect(pair(man, man, face(3, 'Ada'), face(23, 'Bob'))).toHaveLength(2)
    expect(pair(man, 'a man in a green shirt', face(3, 'Ada'))).toEqual([[2, undefined]])
  })

  test('a voice that goes on over a namesake of the other sex has one description', () => {
    const text = [shown(1, 5, 'David Lee, student'), shown(21, 25, 'David Lee, student')]
    const speech = said('1: I study.', '1: A lot.', '1: At home.', '1: At night.', '1: Always.', '1: Yes.')
    const clips = [clip(0, ['a man in a blue coat']), clip(20, ['a woman in a red coat'])]
    const [one, ...others] = made({ speech, text, clips }).people
    expect(others).toEqual([])
    expect(one?.descriptions.map(({ text }) => text)).toEqual(['a man in a blue coat'])
    expect(one?.unsure.map(({ text }) => text)).toContain(
      'David Lee is shown while somebody else is seen: "a woman in a red coat"',
    )
  })

  test('a voice, its face and its clothes are one where each is borne out by the same rows', () => {
    const speech = said('1: I bake bread.', '1: Every day.')
    const faces = [{ time: 2, faces: [{ person: 'Diane Miller' }] }]
    const { people } = made({ speech, text: [caption], clips: clips.slice(0, 1), faces })
    expect(people).toMatchObject([
      {
        label: 'Diane Miller (speaker 1)',
        faces: ['Diane Miller'],
        descriptions: [{ text: 'a woman in a red coat' }],
      },
    ])
    expect(people[0]?.merges.map(({ of }) => of)).toEqual([
      ['Speaker 1', 'Diane Miller'],
      ['Diane Miller', 'a woman in a red coat'],
      ['Diane Miller', 'the face of Diane Miller'],
    ])
  })

  test('things recur where scenes without them lie between', () => {
    const { things } = made({ clips })
    expect(things.map(({ text, evidence }) => [text, evidence])).toEqual([['red suitcase', ['c0', 'c40']]])
  })
})

// Lines and captions that only seem to say whose name it is.
test.each<[string, Given, string[]]>([
  ['a letter that is read', { speech: said('1: Dear John,', '1: My name is Diane Miller.') }, ['Speaker 1']],
  [
    'an interpreter who once says so',
    { speech: said('1: Ja.', '2: My name is Klaus, he says.', '2: I am Klaus from Berlin.') },
    ['Speaker 1', 'Speaker 2'],
  ],
  [
    'an interpreter who says nothing of it',
    { speech: said('1: Ich heiße Klaus.', '2: My name is Klaus.') },
    ['Speaker 1', 'Speaker 2'],
  ],
  [
    'two who were announced before one answers',
    { speech: said("1: I'm joined by Diane Miller.", "1: I'm also joined by Bob Jones.", '2: Great to be here.') },
    ['Speaker 1', 'Speaker 2'],
  ],
  [
    'one who is always there',
    { speech: said("1: I'm joined by Diane Miller.", '2: Happy to be here with you, as always.') },
    ['Speaker 1', 'Speaker 2'],
  ],
  [
    'parts that are given out',
    { speech: said("1: You be Diane and I'll be Bob.", "1: Hi, I'm Bob.", "2: Hi, I'm Diane.") },
    ['Speaker 1', 'Speaker 2'],
  ],
  [
    'a class that repeats a sentence',
    {
      speech: said('1: Repeat after me.', '1: My name is Peter.', '2: My name is Peter.', '3: My name is Peter.'),
    },
    ['Speaker 1', 'Speaker 2', 'Speaker 3'],
  ],
  ['a photograph', { speech: said('1: Look at this photo.', '1: This is Diane in Texas.') }, ['Speaker 1']],
  ['a picture of her', { speech: said('1: This is Diane in New York.', '1: She moved there in May.') }, ['Speaker 1']],
  [
    'an answer to what somebody else has said',
    { speech: said('1: And what did she say?', '2: My name is Diane.') },
    ['Speaker 1', 'Speaker 2'],
  ],
  [
    'a caption while another one asks',
    {
      speech: said('1: And how did you begin?', '2: I began early.'),
      text: [shown(0, 3, 'Diane Miller, baker')],
    },
    ['Speaker 1', 'Speaker 2'],
  ],
  [
    'a caption while another one tells of her, one face being there',
    {
      speech: said('1: She has been a baker all her life.', '2: I get up at four.'),
      text: [shown(0, 3, 'Diane Miller, baker')],
      faces: looks(1, 1),
    },
    ['Speaker 1', 'Diane Miller', 'Speaker 2'],
  ],
  [
    'the credits of a film',
    { speech: said('1: Once upon a time.'), text: [shown(0, 4, 'Diane Miller, director')] },
    ['Speaker 1'],
  ],
  [
    'a full name that is shown below two who look different',
    {
      text: [shown(0, 5, 'Diane Miller'), shown(20, 25, 'Diane Miller')],
      clips: [clip(0, ['a red coat']), clip(20, ['a blue coat'])],
    },
    ['Diane Miller', 'Diane Miller'],
  ],
])('nobody gets the name of somebody else from %s', (_, given, expected) => {
  const people = made(given)
  holds(people, [...(given.speech ?? []), ...(given.text ?? []), ...(given.clips ?? [])])
  expect(people.people.map(({ label }) => label).sort()).toEqual([...expected].sort())
})

test('whoever is called alike is named, and kept apart', () => {
  const { people } = made({ speech: said("1: I'm Diane.", "2: I'm Diane Miller.") })
  expect(people.map(({ unsure }) => unsure.map(({ text }) => text))).toEqual([
    ['Speaker 2 is also called Diane Miller: nothing shows them to be one'],
    ['Speaker 1 is also called Diane: nothing shows them to be one'],
  ])
})

test('what disagrees is said with its rows', () => {
  const speech = said("1: I'm Diane.", "1: I'm Bob.")
  const { people } = made({ speech })
  expect(people[0]?.unsure.map(({ evidence }) => evidence)).toEqual(speech.map(({ id }) => [id]))
  expect(people[0]?.unsure[0]?.text).toContain('Speaker 1 may be Diane')
})

test('rows say who has a name, why, and where the person speaks; lines of speech get the name and keep their ids', () => {
  const speech = said('1: Hello?', '2: This is Diane in New Jersey.', '1: Hello Diane.', '2: Hello.')
  const registry = made({ speech })
  const rows = personRows(registry, new Map(speech.map(row => [row.id, row])))
  expect(rows).toEqual([
    {
      span: { start: 5, end: 9 },
      track: 'person',
      text: `Diane (speaker 2): says so: "This is Diane in New Jersey." [${speech[1]?.id}]`,
    },
    { span: { start: 5, end: 19 }, track: 'person', text: 'Diane (speaker 2) speaks' },
  ])
  const named = namedLines(speech, registry)
  expect(named.map(({ speaker }) => speaker)).toEqual([
    'Speaker 1',
    'Diane (speaker 2)',
    'Speaker 1',
    'Diane (speaker 2)',
  ])
  expect(named.map(({ id }) => id)).toEqual(speech.map(({ id }) => id))
})
