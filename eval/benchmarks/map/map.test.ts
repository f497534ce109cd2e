import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { processorTime } from '../../../tests/support/processor-time.ts'
import { allvbRecords, taskCode } from '../allvb/record.ts'
import { allBenchmarks } from '../index.ts'
import { allSamples } from '../read-split.ts'
import { mapFile, mapNotes } from './map-file.ts'
import { listPaths } from './paths.ts'
import { proposeMap } from './propose-map.ts'
import { readByMap } from './record-map.ts'

const texts = ['a red car', 'a blue boat', 'a green bus', 'a grey train', 'none of them']
const two = [
  { question: 'What does Ann drive?', right: 2, film: 'Film One', task: 'Scene Recognition', code: 'SR' },
  { question: 'What does Bob drive at night?', right: 0, film: 'Film Two', task: 'Action Recognition', code: 'AR' },
]
const letter = (at: number) => 'ABCDE'[at] ?? ''
const lettered = (prefix: string) => Object.fromEntries(texts.map((text, at) => [`${prefix}${letter(at)}`, text]))
const wanted = two.map(({ question, right, film, code }) => ({
  video: film,
  task: code,
  question,
  options: texts,
  answer: letter(right),
}))

// As nobody publishes them: what the reader of allvb takes by itself, and what the proposal has to find.
const unaided: Record<string, unknown> = {
  'options A to E beside the question': two.map(one => ({
    question: one.question,
    movie_name: one.film,
    task: one.task,
    correct_option: letter(one.right),
    ...lettered(''),
  })),
  'a flat list': two.map(one => ({
    question: one.question,
    video: one.film,
    task: one.task,
    options: texts,
    answer: letter(one.right),
  })),
  'nested under films and tasks': Object.fromEntries(
    two.map(one => [one.film, { [one.code]: [{ question: one.question, options: texts, answer: letter(one.right) }] }]),
  ),
}
const proposed: Record<string, unknown> = {
  'other names': two.map(one => ({
    query: one.question,
    film: one.film,
    skill: one.task,
    cands: texts,
    label: letter(one.right),
  })),
  'a number from nought': {
    data: two.map(one => ({ ask: one.question, movie: one.film, type: one.task, c: texts, gold: one.right })),
  },
  'the text of the option': two.map(one => ({
    prompt: one.question,
    title: one.film,
    category: one.task,
    pool: texts,
    solution: texts[one.right],
  })),
  'fields of one prefix': two.map(one => ({
    stem: one.question,
    film_title: one.film,
    question_kind: one.task,
    gt: letter(one.right),
    ...lettered('option_'),
  })),
  'the film around its questions': {
    films: two.map(one => ({
      name_of_film: one.film,
      qa: [{ text: one.question, type: one.task, variants: texts, correct: letter(one.right) }],
    })),
  },
  'the film as a name': Object.fromEntries(
    two.map(one => [one.film, [{ inquiry: one.question, kind: one.task, list: texts, key: letter(one.right) }]]),
  ),
  'a part below the question': two.map((one, at) => ({
    qid: `q${at}`,
    media: one.film,
    meta: { task: one.task, split: 'test' },
    prompt: one.question,
    alternatives: lettered(''),
    right_one: letter(one.right),
  })),
}

test('an answer that is the text of an option is not taken for a letter', () => {
  const record = { question: 'Which?', video: 'f', task: 'SR', options: texts, answer: 'a green bus' }
  expect(allvbRecords([record], 'f.json')[0]?.answer).toBe('C')
})

describe('layouts that nobody published', () => {
  test.each(Object.entries(unaided))('%s: read as it is', (_, content) => {
    const records = allvbRecords(content, 'f.json')
    expect(
      records.map(({ video, task, question, options, answer }) => ({ video, task, question, options, answer })),
    ).toEqual(wanted)
  })

  test.each(Object.entries(proposed))('%s: read by the proposed map', (_, content) => {
    const records = readByMap(content, proposeMap(content, 'f.json', { task: taskCode }), 'f.json')
    expect(records.map(({ id: _, split: __, ...record }) => record)).toEqual(wanted)
    expect(allvbRecords(records, 'f.json')).toHaveLength(2)
  })

  test.each([
    [
      'without options',
      two.map(one => ({ question: one.question, movie: one.film, answer: 'a car' })),
      /a question with options/,
    ],
    [
      'without an answer among them',
      two.map(one => ({ q: one.question, movie: one.film, choices: texts })),
      /an answer that is one/,
    ],
  ])('%s: refused with the paths and examples', (_, content, reason) => {
    const propose = () => proposeMap(content, 'f.json', { task: taskCode })
    expect(propose).toThrow(reason)
    expect(propose).toThrow(
      expect.objectContaining({ hint: expect.stringContaining('*.movie: "Film One", "Film Two"') }),
    )
  })
})

test('a map of one’s own says what it cannot find, and where', () => {
  const content = [{ q: 'Who?', v: 'one', o: texts, a: 'Z' }]
  const map = {
    records: '*',
    video: 'v',
    question: 'q',
    options: 'o',
    answer: 'a',
    answerIs: 'letter' as const,
    more: {},
    values: {},
  }
  expect(() => readByMap(content, map, 'f.json')).toThrow(
    'f.json, record 0: the answer "Z" is not one of its 5 options',
  )
  expect(() => readByMap(content, { ...map, video: 'w' }, 'f.json')).toThrow('record 0 has nothing at "w" (video)')
  expect(() => readByMap(content, { ...map, records: 'x' }, 'f.json')).toThrow('no record at "x"')
  expect(listPaths(content)).toContainEqual({ path: '*.v', examples: ['"one"'] })
})

describe('what is easily lost', () => {
  const layout = (answers: (number | string)[], pool: unknown = texts) =>
    answers.map(gold => ({ ask: 'What does Ann drive?', movie: 'Film', type: 'SR', c: pool, gold }))
  const read = (content: unknown) => readByMap(content, proposeMap(content, 'f.json', { task: taskCode }), 'f.json')
  const notes = (content: unknown) => mapNotes(content, proposeMap(content, 'f.json', { task: taskCode }))

  test('an option without a text is refused with its place, at the end it is none', () => {
    const holed = ['a red car', null, 'a green bus', 'a grey train']
    const map = proposeMap(layout(['C']), 'f.json', { task: taskCode })
    expect(() => readByMap(layout(['C'], holed), map, 'f.json')).toThrow('record 0: option 2 of 4 at "c" has no text')
    expect(readByMap(layout(['C'], [...texts.slice(0, 4), null]), map, 'f.json')[0]?.options).toEqual(texts.slice(0, 4))
  })

  test('options under letters go by the letters', () => {
    const shuffled = Object.fromEntries([3, 0, 4, 1, 2].map(at => [letter(at), texts[at]]))
    expect(read(layout(['C'], shuffled))[0]).toMatchObject({ options: texts, answer: 'C' })
  })

  test.each([
    [[1, 5], 'AE', 'Answers are numbers, read as "from 1".'],
    [[0, 4], 'AE', 'Answers are numbers, read as "from 0".'],
    [[1, 4], 'BE', 'read as "from 0"; they fit "from 1" as well'],
  ])('answers %j are counted from where they fit, and a doubt is said', (answers, letters, said) => {
    expect(
      read(layout(answers))
        .map(({ answer }) => answer)
        .join(''),
    ).toBe(letters)
    expect(notes(layout(answers))).toEqual([expect.stringContaining(said)])
  })

  test('an id that comes again is not proposed, and is refused in a map of one’s own', () => {
    const films = (numbers: number[]) => ({
      films: ['One', 'Two'].map((movie, film) => ({
        movie,
        qa: [0, 1].map(at => ({ no: at, uid: numbers[2 * film + at], ...layout(['C'])[0], movie })),
      })),
    })
    const map = proposeMap(films([0, 1, 2, 2]), 'f.json', { task: taskCode })
    expect(map.id).toBeUndefined()
    expect(proposeMap(films([0, 1, 2, 3]), 'f.json', { task: taskCode }).id).toBe('uid')
    expect(() => readByMap(films([0, 1, 2, 3]), { ...map, id: 'no' }, 'f.json')).toThrow(
      'f.json: records 0 and 2 have the same id "0" at "no".',
    )
  })

  test('other lists of texts beside the options, around them or below are not taken for these', () => {
    const genres = ['drama', 'comedy', 'crime']
    const inFilm = { films: [{ movie: 'Film', genres, qa: layout(['C', 'B']).map(({ movie: _, ...one }) => one) }] }
    const beside = layout(['C', 'E']).map(one => ({ tags: genres, ...one, meta: { labels: genres } }))
    for (const content of [inFilm, beside]) {
      expect(read(content).map(({ video, options }) => ({ video, options }))).toEqual(
        Array(2).fill({ video: 'Film', options: texts }),
      )
      expect(notes(content)).toEqual([])
    }
  })

  test('two fields that hold other answers are refused with their names; one that says the same, or counts something, is not', () => {
    const beside = (more: (one: (typeof two)[number]) => object) => {
      const content = two.map(one => ({
        question: one.question,
        video: one.film,
        task: one.task,
        ...more(one),
        options: texts,
        answer: letter(one.right),
      }))
      return proposeMap(content, 'x.json', {})
    }
    const refusal = 'several fields of the records at "*" hold answers that differ: "model_answer", "answer"'
    expect(() => beside(() => ({ model_answer: 'B' }))).toThrow(refusal)
    expect(() => beside(() => ({ model_answer: texts[1] }))).toThrow(refusal)
    expect(beside(({ right }) => ({ correct_text: texts[right] }))).toMatchObject({
      answer: 'correct_text',
      answerIs: 'text',
    })
    expect(beside(({ right }) => ({ answer_index: right + 1 }))).toMatchObject({ answer: 'answer', answerIs: 'letter' })
    expect(beside(() => ({ answer_seconds: 3 })).answer).toBe('answer')
    expect(beside(() => ({ grade: 'B' })).answer).toBe('answer')
  })

  test('a field that a record lacks is no answer, also where one of its options is empty', () => {
    const answers = ['a red car', undefined]
    const content = two.map((one, at) => ({
      question: one.question,
      video: one.film,
      solution: answers[at],
      options: ['a red car', '', 'a green bus'],
    }))
    expect(() => proposeMap(content, 'x.json', {})).toThrow('an answer that is one of the options')
  })

  test('two lists that the answers fit are refused with their names; a list that they do not fit, or the same texts, is not', () => {
    const beside = (more: (one: (typeof two)[number]) => object, answer: (right: number) => unknown = letter) =>
      two.map(one => ({
        question: one.question,
        video: one.film,
        task: one.task,
        ...more(one),
        options: texts,
        answer: answer(one.right),
      }))
    const distractors = ['a tram', 'a plane', 'a horse']
    const propose = (top: unknown) => proposeMap(top, 'x.json', {})
    const refusal = 'the answers at "answer" fit several lists of the records at "*": "distractors", "options"'
    expect(() => propose(beside(() => ({ distractors })))).toThrow(refusal)
    expect(() => propose(beside(() => ({ distractors }), Number))).toThrow(refusal)
    expect(
      propose(
        beside(
          () => ({ distractors }),
          right => texts[right],
        ),
      ).options,
    ).toBe('options')
    expect(propose(beside(() => ({ distractors: distractors.slice(1) }))).options).toBe('options')
    expect(propose(beside(() => ({ choices: texts }))).options).toBe('choices')
    const last = beside(
      ({ right }) => ({ distractors: right === 2 ? distractors : texts }),
      right => letter(right + 1),
    )
    expect(propose(last).options).toBe('options')
  })

  test('records at another depth are counted and named', () => {
    const content = { main: layout(['A', 'B']), more: { extra: { deep: layout(['C']) } } }
    expect(notes(content)).toEqual([
      expect.stringContaining('1 records with options lie where this map does not read: 1 at "more.extra.deep.*"'),
    ])
    expect(notes({ main: layout(['A', 'B']) })).toEqual([])
  })
})

describe('records that any benchmark with options reads', () => {
  const folder = mkdtempSync(join(tmpdir(), 'longtake-map-test-'))
  afterAll(() => rmSync(folder, { recursive: true, force: true }))
  const skill = 'scene_transitions'
  const file = (name: string, more: object = {}) => {
    const rows = two.map(one => ({
      ask: one.question,
      movie: `${one.film}.mp4`,
      type: skill,
      c: texts,
      gold: letter(one.right),
      ...more,
    }))
    writeFileSync(join(folder, name), JSON.stringify({ data: rows }))
    return join(folder, name)
  }

  test('are written in the layout of each, and read back', async () => {
    const plain = file('plain.json', { clue_intervals: [[1, 2]], duration: 60 })
    const mapped = (await allBenchmarks()).filter(one => one.data.mapped)
    expect(mapped.map(({ name }) => name)).toEqual(
      expect.arrayContaining(['cg-bench', 'infinibench', 'videoeval-pro', 'lvbench']),
    )
    for (const benchmark of mapped) {
      const own = benchmark.name === 'allvb' ? { values: { task: { [skill]: 'SR' } } } : {}
      const { map } = await mapFile('videoeval-pro', plain)
      const more = Object.fromEntries((benchmark.data.mapped?.more ?? []).slice(0, 2).map(name => [name, name]))
      const written = join(folder, 'map.json')
      writeFileSync(written, JSON.stringify({ ...map, ...own, ...(benchmark.name === 'cg-bench' && { more }) }))
      const { records } = await mapFile(benchmark.name, plain, written)
      const to = join(folder, `${benchmark.name}.jsonl`)
      writeFileSync(to, records.map(record => `${JSON.stringify(record)}\n`).join(''))
      const samples = allSamples(benchmark, await benchmark.data.records([to]))
      const seen = samples.map(({ question, choice, video }) => [
        question.text,
        question.options,
        choice,
        basename(video),
      ])
      expect(seen, benchmark.name).toEqual(
        two.map(one => [one.question, texts, one.right, expect.stringContaining(one.film)]),
      )
    }
  })

  test('a list of one record is a list: a map of many reads it, and its map reads many', async () => {
    const rows = two.map(one => ({ ask: one.question, movie: one.film, c: texts, gold: letter(one.right) }))
    const written = (name: string, content: unknown) => {
      writeFileSync(join(folder, name), JSON.stringify(content))
      return join(folder, name)
    }
    const [one, both] = [written('one.json', rows.slice(0, 1)), written('both.json', rows)]
    for (const [own, other, count] of [
      [one, both, 2],
      [both, one, 1],
    ] as const) {
      const map = written('of-lists.json', (await mapFile('videoeval-pro', own)).map)
      expect((await mapFile('videoeval-pro', other, map)).records).toHaveLength(count)
    }
  })

  test('fields beside the question are proposed under their names, and named where they are lacking', async () => {
    const whole = await mapFile('cg-bench', file('whole.json', { clue_intervals: [[1, 2]], duration: 60 }))
    expect(whole.map.more).toEqual({ clue_intervals: 'clue_intervals', duration: 'duration' })
    expect(whole.records[0]).toMatchObject({ clue_intervals: [[1, 2]], duration: 60, right_answer: 'C' })
    await expect(mapFile('cg-bench', file('less.json'))).rejects.toThrow(/not enough for cg-bench: .*clue_intervals/)
    await expect(mapFile('needle', file('less.json'))).rejects.toThrow('needle is not read by a map')
  })
})

describe('files of a stranger', () => {
  const folder = mkdtempSync(join(tmpdir(), 'longtake-map-hostile-'))
  afterAll(() => rmSync(folder, { recursive: true, force: true }))

  test.each([
    ['lists', `${'['.repeat(5000)}${']'.repeat(5000)}`],
    ['objects around NaN', `${'{"a":'.repeat(5000)}NaN${'}'.repeat(5000)}`],
  ])('%s nested 5,000 deep are refused with a sentence', async (name, content) => {
    const path = join(folder, `${name}.json`)
    writeFileSync(path, content)
    await expect(mapFile('videoeval-pro', path)).rejects.toThrow(/is not JSON: .*nested/)
  })

  test('an option of half a million blanks takes no time', () => {
    const used = processorTime()
    const options = [`A. x${' '.repeat(500_000)}y`, 'B. blue', 'C. green']
    const record = { question: 'Which?', video: 'f', task: 'SR', options, answer: 'B' }
    expect(allvbRecords([record], 'f.json')[0]?.options.slice(1)).toEqual(['blue', 'green'])
    expect(used()).toBeLessThan(2000)
  })

  test('a task named like a property of every object keeps its name', () => {
    const record = { q: 'Who?', v: 'f', o: texts, a: 'B', t: 'constructor' }
    const map = { records: '*', video: 'v', question: 'q', options: 'o', answer: 'a', answerIs: 'letter' as const }
    const read = readByMap([record], { ...map, task: 't', more: {}, values: { task: { SR: 'x' } } }, 'f.json')
    expect(read[0]?.task).toBe('constructor')
  })

  test('a field from the top is looked up for each record, and not searched for', () => {
    const many = Array.from({ length: 5000 }, (_, at) => ({ q: `Who ${at}?`, v: `f${at}`, o: texts, a: 'B' }))
    const map = { records: '*', video: '$.*.v', question: 'q', options: 'o', answer: 'a', answerIs: 'letter' as const }
    const used = processorTime()
    const records = readByMap(many, { ...map, more: {}, values: {} }, 'f.json')
    expect(records.at(-1)?.video).toBe('f4999')
    expect(used()).toBeLessThan(1000)
  })
})
