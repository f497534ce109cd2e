import { dealLetters } from '../../../eval/make/set/deal-letters.ts'
import type { CheckGiven, DraftItem, SourceRecord } from '../../../eval/recipes/item.ts'
import { clean, letterOf, type Minds, oneSlide, rules, unsure } from './fixture.ts'

// What is planted: items instead of clean ones, or beside them; with the models and rules that it takes.
export interface Fault {
  name: string
  items: DraftItem[] // an item of the same id is replaced
  alone?: boolean // it is a set of its own
  records?: SourceRecord[]
  minds?: Minds
  more?: Partial<CheckGiven>
}

const [choice, open] = [clean[0], clean[24]] as [DraftItem, DraftItem]
const criteria = open.extra.criteria as Record<string, unknown>[]

const crane = {
  ...{ question: 'What is the height of the Harbour Crane?', answer: '37 units' },
  options: ['37 units', '51 units', '66 units', '80 units'],
}

const forms: ((letter: string, text: string) => string)[] = [
  letter => letter,
  letter => `(${letter})`,
  letter => `${letter}.`,
  letter => `**${letter}**`,
  letter => `Answer: ${letter}`,
  letter => `The answer is ${letter}.`,
  letter => `{"answer": "${letter}"}`,
  letter => `<think>Hm.</think>\n${letter}`,
  letter => `Option ${letter}`,
  (letter, text) => `${letter}. ${text}`,
  (_, text) => text,
  (_, text) => `It must be ${text}.`,
]

export const faults: Record<string, Fault[]> = {
  form: [
    ...[
      { kind: 'riddle' },
      { extra: { modalities: ['smell'] } },
      { extra: { difficulty: 7 } },
      { extra: { conversation_role: 'boss' } },
    ].map((change, at) => changed(`a name that is not on the list, ${at}`, choice, change)),
    ...[
      `${choice.question} ${'really '.repeat(60)}`,
      'What is the length of the Harbour Bridge in segment 4?',
      'What length of the Harbour Bridge does the metadata give?',
      'Which length of the Harbour Bridge is in the transcript?',
      'Which length does the caption give for the Harbour Bridge?',
      'Which length of the Harbour Bridge stands in frame 30?',
      'Which length of the Harbour Bridge stands at frame number 8?',
      'What is the length of the Harbour Bridge at 0:05?',
      'What is the length of the Harbour Bridge 12 seconds into the talk?',
      'In the Morning Lecture, what is the length of the Harbour Bridge?',
    ].map((question, at) => changed(`wording ${at}`, choice, { question })),
  ],
  grounded: [
    ...[
      'What is the length of the Tower Bridge?',
      'What is the length of the Harbour Bridge by Wilson?',
      'What is the length of the Harbour Bridge of 1987?',
      'What is the length of the Harbour Bridge for 6 lanes?',
      'What is the length of the Harbour Bridge shown at 7:31?',
      'How do seven engineers measure the length of the Harbour Bridge?',
      'Why was the length of some railway tunnel underneath these mountains disputed?',
    ].map((question, at) => changed(`question ${at}`, choice, { question })),
    ...['513 metres', 'twelve metres', '512 metres in 1990', '512 metres, says Calder', '52 percent'].map(
      (answer, at) =>
        changed(`answer ${at}`, choice, { answer, options: (choice.options ?? []).with(choice.right ?? 0, answer) }),
    ),
    changed('the row of another slide', choice, { rows: ['talk-t4'], clues: [[100, 120]] }),
  ],
  evidence: [
    changed('no row', choice, { rows: [] }),
    changed('a row of another video', choice, { rows: ['walk-t0'] }),
    ...(
      [
        [],
        [
          [0, 1],
          [2, 3],
          [4, 5],
          [6, 7],
          [8, 9],
          [10, 11],
        ],
        [[20, 0]],
        [[7, 7]],
        [[-1, 20]],
        [[0, 601]],
        [[Number.NaN, 5]],
        [[0, Number.POSITIVE_INFINITY]],
        [
          [0, 10],
          [10, 20],
        ],
        [
          [0, 12],
          [10, 20],
        ],
        [
          [0, 20],
          [5, 8],
        ],
        [
          [10, 20],
          [0, 10],
        ],
      ] as [number, number][][]
    ).map((clues, at) => changed(`clues ${at}`, choice, { clues })),
  ],
  options: [
    ...[
      ['512 metres'],
      Array.from({ length: 27 }, (_, at) => `${512 + at} metres`),
      ['512 metres', '512  Metres', '4 metres', '5 metres'],
      ['512 metres', 'the 4 metres', '4 metres', '5 metres'],
      ['512 metres', 'four metres', '4 metres', '5 metres'],
      ['512 metres', '4 metres!', '4 metres', '5 metres'],
      ['512 metres', '', '4 metres', '5 metres'],
      ['512 metres', 'very far indeed', '4 metres', '5 metres'],
      ['512 metres', '4:30', '4 metres', '5 metres'],
      ['512 metres', 'yes', '4 metres', '5 metres'],
      ['512 metres', 'oak, ash, elm, fir', '4 metres', '5 metres'],
    ].map((options, at) => changed(`numbers ${at}`, choice, { options, right: 0 })),
    words('nearly the same', ['dark green', 'a b c d e f g h i', 'a b c d e f g h j', 'pale red']),
    words('far too long', [
      'dark green',
      'a blue that one sees on most doors of the old town',
      'warm ochre',
      'pale red',
    ]),
    changed('no right one', choice, { right: undefined }),
    changed('another right one', choice, { right: ((choice.right ?? 0) + 1) % 4 }),
  ],
  'one right': [
    ...[
      ['\n', ': '],
      [';', ': '],
      [' | ', ' '],
    ].flatMap(([separator = '', colon = '']) =>
      ['height', 'rent', 'depth', 'weight'].map(label => {
        const value = (label === 'rent' ? ['375 dollars', '420 dollars'] : ['37 units', '42 units']) as [string, string]
        const video = `twins${label}${separator.trim() || 'line'}`
        const text = `Harbour Crane${separator}${label}${colon}${value[0]}${separator}${label}${colon}${value[1]}`
        return fromSlide(`two values of ${label}, ${JSON.stringify(separator)}`, video, text, {
          ...{ question: `What is the ${label} of the Harbour Crane?`, answer: value[0] },
          options: [value[0], value[1], value[0].replace(/\d+/, '51'), value[0].replace(/\d+/, '66')],
        })
      }),
    ),
    { ...as('the rows bear out two, says a model', choice), minds: { check: () => '{"right": ["A", "B"]}' } },
    { ...as('the rows bear out none, says a model', choice), minds: { check: () => '{"right": []}' } },
    { ...as('a model that never replies as asked', choice), minds: { check: () => 'both' } },
  ],
  letters: [0, 1, 2, 3].flatMap(place =>
    [4, 9, 20].map(count => ({
      ...{ name: `${count} times ${'ABCD'[place]}`, alone: true },
      items: clean.slice(0, count).map(item => at(item, place)),
    })),
  ),
  shallow: [
    { name: 'the key is the longest of each', items: shorter(), alone: true },
    ...[24, 48].flatMap(count => [
      easy(`longest ${count}`, count, (key, other) => [`${key} with some more to it`, other]),
      easy(`shortest ${count}`, count, (key, other) => [key.slice(0, 2), `${other} and more`]),
      easy(
        `shared ${count}`,
        count,
        (_, other, n) => [`thing ${n}`, other],
        n => `Which of them is thing ${n}?`,
      ),
      easy(`nearest ${count}`, count, (key, other, n) => [`${key} red blue`, n % 2 ? `${other} red` : `${other} blue`]),
      easy(`frequent ${count}`, count, (_, other) => ['all of them', other]),
      easy(`longest of many ${count}`, count * 4, (key, other) => [`${key} at last`, other]),
    ]),
  ],
  blind: [
    ...forms.map((form, at) => ({
      ...as(`known without the video, written as ${form('B', 'the text')}`, nth(at)),
      minds: { blind: (asked: string) => knows(asked, nth(at), form) },
    })),
    {
      ...fromSlide('known, of a video without words', 'mute', 'Harbour Crane\nheight: 37 units', crane),
      minds: { blind: asked => (asked.includes('Harbour Crane') ? letterOf(asked, '37 units') : 'no idea') },
    },
  ],
  glance: forms.map((form, at) => ({
    ...as(`seen in eight frames, written as ${form('B', 'the text')}`, nth(at)),
    minds: { glance: (asked: string) => knows(asked, nth(at), form) },
  })),
  'subtitles only': forms.map((form, at) => ({
    ...as(`said in the video, written as ${form('B', 'the text')}`, nth(at)),
    minds: { blind: (asked: string) => (asked.includes('Let us turn') ? knows(asked, nth(at), form) : 'no idea') },
  })),
  'metadata only': forms.map((form, at) => ({
    ...as(`told by the title, written as ${form('B', 'the text')}`, nth(at)),
    minds: { blind: (asked: string) => (asked.includes('Riverside Trades') ? knows(asked, nth(at), form) : 'no idea') },
  })),
  clue: [
    ...clean.slice(0, 8).map((item, at) => {
      const elsewhere = 25 * ((at + 9) % 24)
      return changed(`the clue lies elsewhere, ${at}`, item, { clues: [[elsewhere + 20.5, elsewhere + 23.5]] })
    }),
    ...['375 dollars', 'Elin Moberg', 'Thursday', '48 trams'].map((answer, at) => {
      const text = `Repeated Board\nanswer: ${answer}`
      const record = oneSlide(`again${at}`, text)
      const rows = [
        ...record.rows,
        { ...(record.rows[0] as SourceRecord['rows'][number]), id: `again${at}-t1`, span: { start: 300, end: 320 } },
      ]
      const item = {
        ...choice,
        id: `again${at}_q1`,
        video: `again${at}`,
        question: 'Which answer does the Repeated Board give?',
      }
      return {
        ...{ name: `it stands outside of the clue too, ${at}`, records: [{ ...record, rows }] },
        items: [
          {
            ...item,
            answer,
            options: undefined,
            right: undefined,
            rows: [`again${at}-t0`],
            clues: [[10, 30]] as [number, number][],
            extra: {},
          },
        ],
      }
    }),
    { ...as('frames of the clue do not show it, says a model', choice), minds: { look: unsure } },
    {
      ...as('the frames outside show it, says a model', choice),
      minds: { look: asked => knows(asked, choice, forms[0]!) },
    },
  ],
  duplicates: [
    ...[
      (text: string) => text,
      (text: string) => text.toUpperCase().replace('HARBOUR BRIDGE', 'Harbour Bridge'),
      (text: string) => text.replace('?', ' ?'),
      (text: string) => text.replace('?', ''),
      (text: string) => text.replace('What is', 'What  is'),
      (text: string) => text.replace('?', '!'),
      (text: string) => text.replace('What is the', 'What is, the'),
      (text: string) => `${text.replace('?', '')} please?`,
      (text: string) => text.replace('What is', 'So what is'),
      (text: string) =>
        text.replace('What is the length of the Harbour Bridge', 'The length of the Harbour Bridge is what'),
      (text: string) => text.replace('What', '“What').replace('?', '?”'),
      (text: string) => text.replace('What', 'what'),
    ].map((change, at) => ({
      name: `the same again, ${at}`,
      items: [{ ...again(choice), question: change(choice.question) }],
    })),
    {
      name: 'the same by meaning',
      items: [{ ...again(choice), question: 'Say how many metres the Harbour Bridge measures?' }],
      more: { embed: async texts => texts.map(text => new Float32Array(text.includes('Harbour') ? [1, 0] : [0, 1])) },
    },
  ],
  leak: [
    ...clean
      .slice(0, 10)
      .map((item, at) =>
        changed(`its own answer, ${at}`, item, { question: `${item.question.replace('?', '')}, ${item.answer}?` }),
      ),
    changed('in capitals', choice, { question: 'What is the length of the Harbour Bridge, 512 METRES?' }),
    changed('as a number word', nth(5), { question: 'What is the depth of the Fish Quay, nine metres?' }),
    ...[1, 2].map(place => ({
      name: `the answer of another, ${place}`,
      items: [
        { ...choice, question: `What is the length of the Harbour Bridge beside ${nth(place).answer}?` },
        nth(place),
      ],
    })),
  ],
  rubric: [
    ...[
      [],
      Array.from({ length: 6 }, (_, n) => ({ ...criteria[0], name: `n${n}` })),
      [criteria[0], { ...criteria[1], name: 'factual_correctness' }],
      [{ ...criteria[0], category: 'low_priority' }],
      [{ ...criteria[0], name: 'charm' }],
      [criteria[0], { ...criteria[2], name: 'rudeness' }],
      [criteria[0], { ...criteria[2], description: 'Must not make things up' }],
      [{ ...criteria[0], description: `Must mention 512 metres ${'so '.repeat(25)}` }],
      [{ ...criteria[0], description: 'Must mention 512 metres in 1990' }],
      [{ ...criteria[0], description: 'Must mention 512 metres and explains why' }],
      [{ ...criteria[0], description: 'Must demonstrate the length' }],
      [{ ...criteria[0], description: 'Must mention an interesting length' }],
      [{ ...criteria[0], description: 'Must mention 530 metres' }],
      [{ ...criteria[0], description: 'Must mention the word has' }],
      'not a list',
    ].map((list, at) => changed(`criteria ${at}`, open, { extra: { criteria: list } })),
  ],
  spread: [
    ...wide(),
    ...Array.from({ length: 10 }, (_, tenth) =>
      many(`all in tenth ${tenth + 1}`, (item, at) => ({
        ...item,
        clues: [[at % 2 ? tenth * 60 + 1 : (at % 10) * 60 + 1, 599.9]],
      })),
    ),
    many('one type', item => item),
    many('one video', (item, at) => ({
      ...item,
      kind: at % 2 ? 'value' : 'order',
      video: at < 40 ? 'talk' : `other${at}`,
    })),
  ],
  'held out': clean.slice(0, 6).flatMap((item, at) => [
    { ...as(`the question ${at}`, item), more: { rules: { ...rules, excluded: [item.id] } } },
    {
      name: `the video ${at}`,
      items: [{ ...item, id: `held${at}`, video: at % 2 ? 'talk' : 'walk', rows: item.rows }],
      alone: true,
      more: { rules: { ...rules, excluded: [at % 2 ? 'talk' : 'walk'] } },
    },
  ]),
  private: [
    ...[
      'mail: anna.k@example.org',
      'desk+old@museum.example.co',
      'phone: +49 30 1234567',
      'phone: 030/123 45 67',
      '(555) 010-4477',
      '+1 555 010 9988',
      'card: 4111 1111 1111 1111',
      'card: 5500-0000-0000-0004',
      'DE89 3704 0044 0532 0130 00',
      'GB29 NWBK 6016 1331 9268 19',
      'account no. 12345678',
      'Konto: 4455667788',
    ].map((text, at) =>
      fromSlide(`on a slide, ${at}`, `private${at}`, `Harbour Crane\nheight: 37 units\n${text}`, {
        ...{
          question: 'What is the height of the Harbour Crane?',
          answer: '37 units',
          options: ['37 units', '51 units', '66 units', '80 units'],
        },
      }),
    ),
    changed('in an option', choice, {
      options: (choice.options ?? []).with(((choice.right ?? 0) + 1) % 4, 'anna@example.org'),
    }),
  ],
}

function as(name: string, item: DraftItem): Fault {
  return { name, items: [item] }
}

function changed(name: string, item: DraftItem, change: Partial<DraftItem>): Fault {
  return { name, items: [{ ...item, ...change }] }
}

function words(name: string, options: string[]): Fault {
  return changed(name, nth(8), { options, right: 0 })
}

function nth(at: number): DraftItem {
  return clean[at] as DraftItem
}

function again(item: DraftItem): DraftItem {
  return { ...item, id: `${item.id}_again` }
}

function at(item: DraftItem, place: number): DraftItem {
  const others = (item.options ?? []).filter((_, at) => at !== item.right)
  return { ...item, options: others.toSpliced(place, 0, item.answer), right: place }
}

function fromSlide(name: string, video: string, text: string, change: Partial<DraftItem>): Fault {
  const item = {
    ...choice,
    id: `${video}_q1`,
    video,
    rows: [`${video}-t0`],
    clues: [[10, 30]] as [number, number][],
    right: 0,
  }
  return { name, items: [{ ...item, ...change }], records: [oneSlide(video, text)] }
}

// A set whose keys stand out among four options, at places that go round.
function easy(
  name: string,
  count: number,
  texts: (key: string, other: string, n: number) => [string, string],
  question = (n: number) => `What about matter ${n}?`,
): Fault {
  const items = Array.from({ length: count }, (_, n) => {
    const pairs = [0, 1, 2].map(other => texts(`key${n}k`, `oth${n}${other}`, other))
    const [answer] = texts(`key${n}k`, '', n)
    return at(
      {
        ...choice,
        id: `e${n}`,
        video: n % 2 ? 'talk' : 'walk',
        question: question(n),
        answer,
        options: [answer, ...pairs.map(([, other]) => other)],
        right: 0,
      },
      n % 4,
    )
  })
  return { name, items, alone: true }
}

// The clean questions, whose wrong options are made shorter than the right one.
function shorter(): DraftItem[] {
  const short = (answer: string) => {
    const [number, unit] = /^(\d+) (.+)$/.exec(answer)?.slice(1) ?? []
    if (number === undefined) return /^[A-Z]/.test(answer) ? ['Bo Li', 'Al Po', 'Jo Ek'] : ['red', 'tan', 'sky']
    return number.length > 1 ? [`4 ${unit}`, `5 ${unit}`, `7 ${unit}`] : []
  }
  const items = clean
    .slice(0, 24)
    .filter(({ answer }) => short(answer).length > 0 && answer.includes(' '))
    .map(item => ({ ...item, options: [item.answer, ...short(item.answer)], right: 0 }))
  return dealLetters(items, 3)
}

// 120 sound questions on one video, all about its first minute.
function wide(): Fault[] {
  const first = 'Amber Birch Copper Dover Ebony Fern Garnet Hazel Ivory Jasper Kelp Linden'.split(' ')
  const second = 'Anchor Barrel Cradle Dial Engine Furnace Girder Hammer Index Jetty'.split(' ')
  const names = first.flatMap(one => second.map(other => `${one} ${other}`))
  const rows = names.map((name, n) => ({
    ...{ id: `wide-t${n}`, track: 'text' as const, text: `${name}\nweight: ${300 + n} units` },
    span: { start: n * 0.5, end: n * 0.5 + 0.4 },
  }))
  const items = names.map((name, n): DraftItem => {
    const answer = `${300 + n} units`
    const options = [answer, `${500 + n} units`, `${600 + n} units`, `${700 + n} units`]
    const asked = { question: `What is the weight of the ${name}?`, answer, options, right: 0, extra: {} }
    const clues: [number, number][] = [[n * 0.5, n * 0.5 + 0.4]]
    return {
      id: `w${String(n).padStart(3, '0')}`,
      video: 'wide',
      kind: n % 2 ? 'value' : 'order',
      ...asked,
      clues,
      rows: [`wide-t${n}`],
    }
  })
  const record = { ...oneSlide('wide', ''), rows }
  return [{ name: 'all of the first minute', items: dealLetters(items, 3), alone: true, records: [record] }]
}

function many(name: string, change: (item: DraftItem, at: number) => DraftItem): Fault {
  const items = Array.from(
    { length: 120 },
    (_, n): DraftItem => ({
      ...choice,
      id: `m${String(n).padStart(3, '0')}`,
      video: n % 2 ? 'talk' : 'walk',
      kind: n % 3 ? 'value' : 'order',
    }),
  )
  return { name, items: items.map(change), alone: true }
}

// What a model says that has the right option of one question in mind, and no idea of the others.
function knows(asked: string, item: DraftItem, form: (letter: string, text: string) => string): string {
  return asked.includes(item.question) ? form(letterOf(asked, item.answer), item.answer) : 'I cannot tell.'
}
