import { expect, test } from 'vitest'
import type { RunEvent, Step } from '../../../../src/core/agent.ts'
import type { Job } from '../../../../src/core/api/job.ts'
import type { VideoDetails } from '../../../../src/core/api/video.ts'
import type { Evidence } from '../../../../src/core/evidence.ts'
import { emptyFilm, filmWith, listMarks } from './film.ts'
import { suggestedQuestions } from './first-look.tsx'
import { lookedAt } from './turn.tsx'
import { listTurns, newSessionName } from './turns.ts'

const row = (id: string, start: number): Evidence => ({
  ...{ id, video: 'v', by: 'test', track: 'speech', text: id },
  span: { start, end: start + 2 },
})
const step = (tool: string, input: unknown, evidence: string[] = []): Step => ({
  ...{ round: 0, tool, input, evidence, notes: [], seconds: 0 },
  outcome: evidence.length > 0 ? 'found' : 'nothing',
})
const run: RunEvent = {
  type: 'run',
  run: '/runs/r',
  video: { id: 'v', name: 'v', duration: 60 },
  question: { text: 'Q?' },
}
const search = { query: 'bell' }

test('a call goes from under way to its outcome, in its place', () => {
  const begun = filmWith(emptyFilm, [
    run,
    { type: 'tool-start', round: 0, tool: 'search', input: search },
    { type: 'tool-start', round: 0, tool: 'look', input: { start: 1, end: 3 } },
  ])
  expect(begun.items).toHaveLength(2)
  const ended = filmWith(begun, [
    { type: 'evidence', evidence: row('s1', 10) },
    { type: 'tool-end', kind: 'search', step: step('search', search, ['s1']) },
  ])
  expect(ended.items[0]).toMatchObject({ kind: 'call', call: { tool: 'search', outcome: 'found', found: 1 } })
  expect(ended.items[1]).not.toHaveProperty('call.outcome')
  expect(begun.items[0]).not.toHaveProperty('call.outcome') // what is shown already does not change
})

test('what was under way when a run was stopped is made again, and is shown once', () => {
  const start: RunEvent = { type: 'tool-start', round: 0, tool: 'search', input: search }
  const film = filmWith(emptyFilm, [run, start, { ...run, resumed: 0 }, start])
  expect(film.items).toHaveLength(1)
})

test('the pieces of a draft are one', () => {
  const film = filmWith(emptyFilm, [run, { type: 'token', text: 'Three ' }, { type: 'token', text: 'times.' }])
  expect(film.items).toEqual([{ kind: 'draft', text: 'Three times.' }])
})

test('the lanes show where it searched, looked and cites', () => {
  const film = filmWith(emptyFilm, [
    run,
    { type: 'evidence', evidence: row('s1', 10) },
    { type: 'tool-end', kind: 'search', step: step('search', search, ['s1']) },
    { type: 'tool-end', kind: 'search', step: step('search', { query: 'gong', after: 30 }) },
    { type: 'tool-end', kind: 'look', step: step('look', { start: 5, end: 8 }) },
    {
      type: 'answer',
      answer: {
        ...{ text: 'A.', confidence: 1, abstained: false, degraded: [] },
        sentences: [{ text: 'A.', cites: ['s1', 'unknown'], verdict: 'supported' }],
      },
    },
  ])
  expect(listMarks(film)).toEqual({
    searched: [
      { start: 10, end: 12 },
      { start: 30, end: 60 },
    ],
    looked: [{ start: 5, end: 8 }],
    cited: [{ start: 10, end: 12 }],
  })
})

test('a cited row that an earlier turn has brought is marked as well', () => {
  const answer = {
    ...{ text: 'A.', confidence: 1, abstained: false, degraded: [] },
    sentences: [{ text: 'A.', cites: ['s1'], verdict: 'supported' as const }],
  }
  const film = filmWith(emptyFilm, [run, { type: 'answer', answer }])
  expect(listMarks(film).cited).toEqual([])
  expect(listMarks(film, new Map([['s1', row('s1', 10)]])).cited).toEqual([{ start: 10, end: 12 }])
})

const job = (id: string, change: Partial<Job>): Job => ({
  ...{ id, kind: 'ask', state: 'running', created: id, stages: [], question: { text: 'Q?' } },
  video: { id: 'v', name: 'v', duration: 60 },
  ...change,
})

test('a run that was gone on with is one question, and the latest of its jobs says how it is', () => {
  const failed = job('1', { run: 'r', state: 'failed' })
  const turns = listTurns({ video: 'v', session: undefined }, undefined, [failed, job('2', { run: 'r' })])
  expect(turns).toHaveLength(1)
  expect(turns[0]).toMatchObject({ key: '1', job: { id: '2', state: 'running' } })
})

test('a question that was stopped before it had a run, and asked again, is one', () => {
  const turns = listTurns({ video: 'v', session: undefined }, undefined, [
    job('1', { state: 'failed' }),
    job('2', { run: 'r' }),
  ])
  expect(turns.map(({ key, run }) => [key, run])).toEqual([['1', 'r']])
})

test('a kept turn takes the place of its job; other videos and sessions are left out', () => {
  const kept = {
    ...{ name: 's', created: '', video: { id: 'v', path: '', name: 'v', duration: 60 } },
    turns: [{ turn: 1, asked: '', question: { text: 'Q?' }, evidence: [], run: '/home/runs/r' }],
  }
  const others = [job('2', { session: 't' }), job('3', { session: 's', video: { id: 'w', name: 'w', duration: 1 } })]
  const turns = listTurns({ video: 'v', session: 's' }, kept, [
    job('1', { run: 'r', session: 's', state: 'done' }),
    ...others,
  ])
  expect(turns).toEqual([{ key: '1', asked: 'Q?', run: 'r', rows: [] }])
})

test('questions about all videos are those of no video alone', () => {
  const library = job('2', { library: true, video: { id: 'library', name: '2 videos', duration: 60 } })
  const turns = listTurns({ video: undefined, session: undefined }, undefined, [job('1', {}), library])
  expect(turns.map(({ key }) => key)).toEqual(['2'])
})

test('a new conversation is called after its first question, as no other is', () => {
  expect(newSessionName('How long is the bridge?', new Set())).toBe('How-long-is-the-bridge')
  expect(newSessionName('talk', new Set(['talk', 'talk-2']))).toBe('talk-3')
  expect(newSessionName('../ a b!', new Set())).toBe('a-b')
  expect(newSessionName('☃?', new Set())).toBe('talk')
  expect(newSessionName('¿Qué dice él?', new Set())).toBe('Qué-dice-él')
})

test('what was not looked at is said with its span; a track that the video has not is left out', () => {
  const indexed = { state: 'indexed' as const, spans: [{ start: 0, end: 100 }], items: 1 }
  const coverage = {
    ...{ duration: 100, notes: [], picture: indexed, text: { ...indexed, state: 'off' as const, spans: [] } },
    speech: { ...indexed, state: 'partial' as const, spans: [{ start: 0, end: 60 }] },
    sound: { ...indexed, state: 'absent' as const, spans: [] },
  }
  expect(lookedAt(coverage).map(({ track, missing }) => [track, missing])).toEqual([
    ['picture', []],
    ['speech', [{ start: 60, end: 100 }]],
    ['text', [{ start: 0, end: 100 }]],
  ])
})

test('three questions are suggested, of the whole, of its longest chapter and of who speaks', () => {
  const chapter = (start: number, end: number, title: string) => ({
    span: { start, end },
    title,
    summary: '',
    cites: [],
  })
  const chapters = [chapter(0, 10, 'Opening'), chapter(10, 50, 'The bridge'), chapter(50, 60, 'End')]
  const overview = { duration: 60, shots: 3, speakers: [], chapters, notIndexed: [] }
  expect(suggestedQuestions({ overview } as unknown as VideoDetails)).toEqual([
    'Summarise the video',
    'What is said about “The bridge”?',
    'What is said at the end?',
  ])
})
