import { describe, expect, test } from 'vitest'
import { answerLines } from '../../src/cli/show/lines.ts'
import type { RunEvent } from '../../src/core/agent.ts'
import type { ChatMessage, ChatReply, ChatRequest } from '../../src/core/chat.ts'
import { BackendError } from '../../src/core/errors.ts'
import { buildReport } from '../../src/runtime/ask/start-run.ts'
import { ask } from './ask.ts'
import { type HandMade, handMadeIndex, heard, said, shown } from './hand-made-index.ts'
import { lecture } from './lecture.ts'
import { call, model, wordsOf } from './scripted-model.ts'
import { greyFrame, imagesIn, seeingModel } from './seen-index.ts'

const index = handMadeIndex(lecture)
const exam = 'When does the exam take place?'

// The id of the row with these words, as the first request shows it.
function idOf(request: ChatRequest | undefined, words: string): string {
  const line = wordsOf(request)
    .split('\n')
    .find(one => one.includes(words) && /^\w{11} /.test(one))
  if (!line) throw new Error(`No row with "${words}" was shown.`)
  return line.slice(0, 11)
}

function answer(text: string, cites: string[], more: object = {}): Partial<ChatReply> {
  return call('answer', { claims: [{ text, cites }], text, confidence: 0.9, ...more })
}

describe('the graph converse', () => {
  test('the first request holds every row of a short index with its id, and one answer call ends the question', async () => {
    const planner = model(request => answer('It is on June twelfth.', [idOf(request, 'The exam takes place')]))
    const made = await ask(index, exam, { planner, graph: 'converse' })
    expect(planner.requests).toHaveLength(1)
    for (const row of lecture.rows) expect(wordsOf(planner.requests[0])).toContain(row.text.split('\n')[0])
    expect(made.answer.text).toBe('It is on June twelfth [16:40-16:48].')
    expect(made.answer.confidence).toBe(0.9)
    expect(made.stop).toBe('answered')
  })

  test('its tools and the answer call take less than 600 tokens', async () => {
    const planner = model(() => answer('No.', []))
    await ask(index, exam, { planner, graph: 'converse' })
    expect(JSON.stringify(planner.requests[0]?.tools).length / 4).toBeLessThan(600)
  })

  test('silence is left out, unsure speech is marked, and a text that goes on is one line', async () => {
    const made: HandMade = {
      duration: 60,
      rows: [
        heard(0, 5, 'silence'),
        { ...said(6, 9, 'maybe the bridge'), confidence: 0.2 },
        shown(10, 12, 'PIER 7'),
        shown(12, 15, 'PIER 7'),
      ],
    }
    const planner = model(() => answer('No.', []))
    await ask(handMadeIndex(made), exam, { planner, graph: 'converse' })
    const words = wordsOf(planner.requests[0])
    expect(words).not.toContain(': silence')
    expect(words).toContain('0:06.0-0:09.0 (?): maybe the bridge')
    expect(words.match(/PIER 7/g)).toHaveLength(1)
    expect(words).toContain('0:10.0-0:15.0 "PIER 7"')
  })

  test('the conversation only grows: the words and calls of each round stay', async () => {
    const planner = model((request, n) => {
      if (n === 0)
        return { ...call('find', { words: 'calculator' }), text: 'The date is clear; the rules are not yet.' }
      if (n === 1) return { ...call('read', { start: '16:40', end: '17:00' }), text: 'Now the lines around it.' }
      return answer('A calculator is allowed.', [idOf(request, 'You may bring')])
    })
    await ask(index, 'What may be brought to the exam?', { planner, graph: 'converse' })
    const [first, second, third] = planner.requests.map(({ messages }) => messages)
    const grows = (before: ChatMessage[] = [], after: ChatMessage[] = []) =>
      expect(JSON.stringify(after.slice(0, before.length))).toBe(JSON.stringify(before))
    grows(first, second)
    grows(second, third)
    expect(JSON.stringify(third)).toContain('The date is clear; the rules are not yet.')
    expect(JSON.stringify(third)).toContain('Now the lines around it.')
  })

  test('a reply in prose is an answer: it is asked for in form once, and taken in its own words then', async () => {
    const planner = model(() => ({ text: 'The exam takes place on June twelfth.' }))
    const made = await ask(index, exam, { planner, graph: 'converse' })
    expect(planner.requests).toHaveLength(2)
    expect(wordsOf(planner.requests[1])).toContain('calling the tool answer')
    expect(made.answer.text).toBe('The exam takes place on June twelfth [16:40-16:48].')
    expect(made.answer.abstained).toBe(false)
    expect(made.stop).toBe('answered')
  })

  test('an answer whose call is faulty JSON, and an option named in words only, still count', async () => {
    const options = ['May first', 'June twelfth']
    const text = { text: '{"claims": [{"text": "June twelfth", "cites": []}], "text": "June twelfth", "choice": 1,' }
    const made = await ask(index, exam, { options, planner: model(() => text), graph: 'converse' })
    expect(made.answer.choice).toBe(1)
    const worded = answer('It is option B.', [], { choice: 'B' })
    expect((await ask(index, exam, { options, planner: model(() => worded), graph: 'converse' })).answer.choice).toBe(1)
  })

  test('a time that nothing was shown or read at is asked about once, and reported if it stays', async () => {
    const planner = model(request => answer('It is said at 27:15.', [idOf(request, 'The exam takes place')]))
    const made = await ask(index, exam, { planner, graph: 'converse' })
    expect(planner.requests).toHaveLength(2)
    expect(wordsOf(planner.requests[1])).toContain('"27:15"')
    expect(made.answer.text).toContain('27:15')
    expect(made.answer.degraded.join(' ')).toContain('27:15')
  })

  test('two empty replies hand over to a search by code, and nothing fails', async () => {
    const made = await ask(index, exam, { planner: model(() => ({})), graph: 'converse' })
    expect(made.answer.text).toContain('The exam takes place on June twelfth')
    expect(made.answer.degraded.join(' ')).toContain('gave no answer that can be read')
    expect(made.stop).toBe('answered')
  })

  test('a check that doubts goes back into the conversation once, and the model has the last word', async () => {
    const verifier = model(() => ({
      text: '{"claims":[{"claim":1,"reason":"no such words","verdict":"contradicted"}]}',
    }))
    const planner = model(request =>
      answer('It is on June twelfth.', [idOf(request, 'The exam takes place')], { confidence: 0.5, choice: 1 }),
    )
    const options = ['May first', 'June twelfth']
    const made = await ask(index, exam, { options, planner, verifier, graph: 'converse' })
    expect(planner.requests).toHaveLength(2)
    expect(verifier.requests).toHaveLength(1)
    const [result] = planner.requests[1]?.messages.filter(one => one.role === 'tool') ?? []
    expect(wordsOf({ purpose: 'plan', messages: result ? [result] : [] })).toContain('no such words')
    const said = planner.requests[1]?.messages.filter(one => one.role !== 'assistant') ?? []
    for (const message of said) expect(wordsOf({ purpose: 'plan', messages: [message] }).trim()).not.toBe('')
    expect(made.answer.choice).toBe(1)
    expect(made.answer.text).toContain('June twelfth')
    expect(made.answer.degraded.join(' ')).toContain('The check found otherwise')
    expect(made.answer.confidence).toBeLessThan(0.5)
  })

  test('the narrowest row is shown, and an interval that the model names within it', async () => {
    const planner = model(request =>
      call('answer', {
        claims: [
          {
            text: 'June twelfth',
            cites: [idOf(request, 'The exam takes place'), idOf(request, 'Date: 12 June')],
            at: ['16:41-16:43'],
          },
        ],
        text: 'June twelfth.',
        confidence: 0.9,
      }),
    )
    const made = await ask(index, exam, { planner, graph: 'converse' })
    expect(made.answer.text).toBe('June twelfth [16:41-16:43].')
  })

  test('citations that nothing has are taken out, and the words stay', async () => {
    const made = await ask(index, exam, {
      planner: model(() => answer('June twelfth.', ['s0123456789'])),
      graph: 'converse',
    })
    expect(made.answer.text).toBe('June twelfth.')
    expect(made.answer.sentences[0]?.cites).toEqual([])
  })

  const noTools = 'As a language model I have no access to tools, so I cannot watch the video.'
  const inEveryRole = (planner: ReturnType<typeof model>) => ({ planner, writer: planner, verifier: planner })

  test('a server that passes no tools on and replies prose: the run says so, and investigate answers', async () => {
    const events: RunEvent[] = []
    const planner = model(() => ({ text: noTools }))
    const made = await ask(index, exam, { ...inEveryRole(planner), graph: 'converse', events })
    const [note] = made.answer.degraded.filter(one => one.includes('investigate'))
    expect(note).toContain('called no tool and replied only in prose ("As a language model')
    expect(events).toContainEqual({ type: 'note', text: note })
    expect(made.answer.text).toContain('The exam takes place on June twelfth')
    expect(made.answer.sentences[0]?.cites).toHaveLength(1)
    expect(made.stop).toBe('answered')
  })

  test('a server that drops the tools in the middle of a run: what was found before is gone on with', async () => {
    const planner = model((_, n) => (n === 0 ? call('find', { words: 'calculator' }) : { text: noTools }))
    const made = await ask(index, exam, { ...inEveryRole(planner), graph: 'converse' })
    expect(made.steps[0]?.tool).toBe('find')
    expect(made.steps.slice(1).map(step => [step.tool, step.round > 0])).toContainEqual(['search', true])
    expect(new Set(made.steps[0]?.evidence.map(id => made.evidence.some(row => row.id === id)))).toEqual(
      new Set([true]),
    )
    expect(made.answer.text).toContain('The exam takes place on June twelfth')
    expect(made.answer.degraded.join(' ')).toContain('investigate, went on')
  })

  test('rows that stand in the conversation are named by their ids in later results', async () => {
    const planner = model((request, n) => {
      if (n === 0) return call('read', { start: '16:40', end: '17:00' })
      return answer('A calculator is allowed.', [idOf(request, 'You may bring')])
    })
    await ask(index, 'What may be brought to the exam?', { planner, graph: 'converse' })
    const words = wordsOf(planner.requests[1])
    expect(words.split('You may bring')).toHaveLength(2)
    expect(words).toContain(`rows shown above: `)
    expect(words.split(idOf(planner.requests[0], 'You may bring')).length).toBeGreaterThan(2)
  })

  test('a planner that follows rules is refused with the graph that takes it', async () => {
    await expect(ask(index, exam, { graph: 'converse' })).rejects.toThrow('needs a language model')
  })
})

describe('a model that sees', () => {
  const seen = { ...index, video: { ...index.video, duration: 40, picture: pictureOf() } }
  const short = { ...seen, coverage: { ...index.coverage, duration: 40 } }

  test('gets frames with ids and times to a tenth, the first and the last moment included', async () => {
    const planner = seeingModel(() => answer('Grey.', []))
    await ask(short, 'What is seen?', { planner, graph: 'converse', frames: 999 })
    const words = wordsOf(planner.requests[0])
    expect(imagesIn(planner.requests[0]).length).toBeGreaterThan(0)
    expect(words).toMatch(/\n\w{11} 0:00\.0, unchanged until 0:39\.\d:/)
    expect(words).toMatch(/\n\w{11} 0:39\.\d:\s*$|\n\w{11} 0:40\.0:/m)
  })

  test('is told which frames the context window has no room for, and so is who reads the answer', async () => {
    const draw = async (times: number[]) => times.map(time => greyFrame(time * 6))
    const more = { graph: 'converse', draw }
    const planner = seeingModel(request => {
      if (imagesIn(request).length > 30) throw new BackendError('It does not fit.', { reason: 'context-overflow' })
      return answer('Grey.', [])
    })
    const { answer: thinned } = await ask(short, 'What is seen?', { planner, ...more })
    const counts = planner.requests.map(request => imagesIn(request).length)
    expect(counts.at(-1)).toBeLessThanOrEqual(30)
    const missing = (counts[0] ?? 0) - (counts.at(-1) ?? 0)
    expect(wordsOf(planner.requests.at(-1))).toContain(
      `${missing} more were left out, evenly, because the context window is full`,
    )
    expect(thinned.degraded.join(' ')).toContain(`${missing} of ${counts[0]} opening frames were left out`)
    const small = { ...seeingModel(() => answer('Grey.', [])), contextTokens: 8192 }
    const { answer: few } = await ask(short, 'What is seen?', { planner: small, ...more })
    expect(few.degraded.join(' ')).toMatch(/context window of the model holds 16 opening frames; \d+ would/)
  })
})

describe('what is there and cannot be read', () => {
  const seen = { ...index, video: { ...index.video, duration: 40, picture: pictureOf() } }
  const film = { ...seen, coverage: { ...index.coverage, duration: 40 } }
  const plate = 'Which number is on the plate of the car?'
  const asked = (last: Partial<ChatReply>) => {
    const look = { start: '0:10', end: '0:12', frames: 2, region: { x: 0.4, y: 0.4, width: 0.2, height: 0.2 } }
    const planner = seeingModel((_, n) => (n === 0 ? call('view', look) : last))
    return ask(film, plate, { planner, graph: 'converse', frames: 999 })
  }

  test('is "unreadable" if the model says so in its call', async () => {
    const text = 'The plate is in view, but its letters are three pixels high.'
    const made = await asked(answer(text, [], { claims: [], unanswered: [plate], cause: 'unreadable' }))
    expect(made.steps[0]).toMatchObject({ tool: 'view', outcome: 'found' })
    expect(made.answer).toMatchObject({ abstained: true, cause: 'unreadable', confidence: 0 })
    expect(made.answer.mend).toMatch(/higher resolution/)
    const report = buildReport({ index: film, runtime: { profile: { name: 'embedded' } }, options: {} }, made, '')
    expect(JSON.parse(JSON.stringify(report)).answer).toMatchObject({ cause: 'unreadable' })
    const plain = { bold: (word: string) => word, dim: (word: string) => word } as Parameters<typeof answerLines>[1]
    expect(answerLines(report, plain).join('\n')).toContain('Not answered (unreadable)')
  })

  test('is not "unreadable" where nobody could look', async () => {
    const blind = model(() => answer('It is too small to read.', [], { claims: [], unanswered: [plate] }))
    const { coverage } = handMadeIndex({ duration: 40, rows: [] })
    const absent = { ...coverage.speech, state: 'absent' as const, items: 0 }
    const silent = { ...film, coverage: { ...coverage, speech: absent, sound: absent } }
    const made = await ask(silent, plate, { planner: blind, graph: 'converse' })
    expect(made.answer).toMatchObject({ abstained: true, cause: 'not-looked' })
  })

  test('is "unreadable" if it says so in words alone, and "absent" if it says that there is none', async () => {
    const [blurred, none] = ['The plate is too blurred to read.', 'No car is in view at any time.']
    const made = await asked(answer(blurred, [], { claims: [], unanswered: ['the number'] }))
    expect(made.answer).toMatchObject({ abstained: true, cause: 'unreadable' })
    const absent = await asked(answer(none, [], { claims: [], unanswered: ['the number'] }))
    expect(absent.answer).toMatchObject({ abstained: true, cause: 'absent' })
  })
})

function pictureOf() {
  const { width, height } = greyFrame(0)
  return { index: 0, codec: 'h264', width, height, start: 0, rotation: 0, hdr: false }
}
