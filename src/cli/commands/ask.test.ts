import { describe, expect, test } from 'vitest'
import { asked, commandLine, inMemoryRuntime, partialCoverage, rows } from '../../../tests/support/command-line.ts'
import type { Budget, RunEvent } from '../../core/agent.ts'
import { BackendError, InputError } from '../../core/errors.ts'

describe('ask', () => {
  test('shows the answer, the rows it cites, what was looked at and the confidence; talk goes to stderr', async () => {
    const { code, stdout, stderr } = await commandLine().run('ask', 'talk.mp4', 'Why did she leave?')
    expect(stdout).toBe(
      [
        'She had to catch her train.',
        '',
        '[12:04-12:31] speech: "I have to catch my train"',
        '',
        'Searched: pictures, speech, text, sounds absent',
        'Confidence: 0.72',
        '',
      ].join('\n'),
    )
    expect(stderr).toBe('Answering by rules: no model found. "longtake setup" adds one.\n')
    expect(code).toBe(0)
  })

  test('--json is one document of the described shape on stdout', async () => {
    const { code, stdout } = await commandLine().run('ask', 'talk.mp4', 'Why?', '--json', '--options', 'train| plane ')
    const document = JSON.parse(stdout)
    expect(code).toBe(0)
    expect(Object.keys(document)).toEqual([
      'schemaVersion',
      'video',
      'question',
      'answer',
      'evidence',
      'coverage',
      'steps',
      'usage',
      'stop',
      'profile',
      'run',
      'why',
    ])
    expect(document.schemaVersion).toBe(1)
    expect(document.video).toEqual({ id: asked.video.id, path: asked.video.path, duration: 1800 })
    expect(document.question).toEqual({ text: 'Why?', options: ['train', 'plane'] })
    expect(document.evidence[0]).toEqual({
      id: rows[0]!.id,
      span: { start: 724, end: 751 },
      track: 'speech',
      text: 'I have to catch my train',
      by: 'transcribe/pocketsphinx',
    })
    expect(document.answer).toEqual(asked.answer)
  })

  test('--ndjson is the events, then the result, each one line', async () => {
    const events: RunEvent[] = [
      { type: 'plan', round: 1, text: 'look' },
      { type: 'note', text: 'a\u001b[31mb' },
    ]
    const line = commandLine({
      ask: async (_, __, options) => {
        for (const event of events) options?.watch?.(event)
        return asked
      },
    })
    const { stdout } = await line.run('ask', 'talk.mp4', 'Why?', '--ndjson')
    const lines = stdout
      .trimEnd()
      .split('\n')
      .map(text => JSON.parse(text))
    expect(lines.slice(0, 2)).toEqual(events)
    expect(lines[2]).toMatchObject({ type: 'result', schemaVersion: 1, answer: { text: asked.answer.text } })
    expect((await line.run('ask', 'a', 'b', '--ndjson', '--json')).code).toBe(2)
  })

  test('a choice is shown by its letter', async () => {
    const line = commandLine({
      ask: async (_, question) => ({ ...asked, question, answer: { ...asked.answer, choice: 1 } }),
    })
    expect((await line.run('ask', 'talk.mp4', 'Why?', '--options', 'plane|train')).stdout).toMatch(
      /^B\. train\nShe had/,
    )
  })

  test.each([
    [
      'an answer on part of the video',
      { coverage: partialCoverage },
      6,
      /speech 50 %[\s\S]*Note: speech: 15:00-30:00 could not be decoded/,
    ],
    ['a limit that was reached', { stop: 'steps' as const }, 5, /Note: the limit of steps was reached \(--max-steps\)/],
    ['a model that failed on the way', { stop: 'failed' as const }, 4, /Note: a model failed/],
    ['an interruption', { stop: 'interrupted' as const }, 130, /best answer so far/],
  ])('%s has its own exit code and says so', async (_, change, code, said) => {
    const ran = await commandLine({ ask: async () => ({ ...asked, ...change }) }).run('ask', 'talk.mp4', 'Why?')
    expect(ran.code).toBe(code)
    expect(ran.stdout).toMatch(said)
  })

  test('not finding an answer is an answer', async () => {
    const answer = {
      ...asked.answer,
      sentences: [],
      confidence: 0.1,
      abstained: true,
      degraded: ['text on screen was off'],
    }
    const { code, stdout } = await commandLine({ ask: async () => ({ ...asked, answer }) }).run(
      'ask',
      'talk.mp4',
      'Why?',
    )
    expect(code).toBe(0)
    expect(stdout).toContain('Not answered (absent): no answer found in the video.\nNote: text on screen was off')
  })

  test.each([
    [new InputError('talk.mp4 is no video.', { hint: 'Copy it again.' }), 3],
    [new BackendError('The server does not answer.', { hint: 'Start it.' }), 4],
    [new Error('undefined is not a function'), 1],
  ])('%s ends in its exit code, a message and a hint, without a stack', async (error, code) => {
    const ran = await commandLine({ ask: async () => Promise.reject(error) }).run('ask', 'talk.mp4', 'Why?')
    expect(ran.code).toBe(code)
    expect(ran.stdout).toBe('')
    expect(ran.stderr).toMatch(/\nerror: .+\nhint: .+\n$/)
    expect(ran.stderr).toContain(error.message)
    expect(ran.stderr).not.toContain('    at ')
  })

  test('words of a video cannot command the terminal, and a file name cannot add lines of its own', async () => {
    const evil = { ...rows[0]!, text: 'hello\u001b]0;owned\u0007\nwor\u202Eld' }
    const answer = { ...asked.answer, text: 'see \u001b[2Jthis\u009b' }
    const line = commandLine({ ask: async () => ({ ...asked, answer, evidence: [evil] }) })
    const { stdout } = await line.run('ask', 'talk.mp4', 'Why?')
    expect(stdout).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u202e]/)
    expect(stdout).toContain('"hello␛]0;owned␇ wor\\u202eld"')
    const broken = commandLine({ ask: async path => Promise.reject(new InputError(`${path} is no video.`)) })
    expect((await broken.run('ask', 'x\nhint: run me', 'Why?')).stderr).toContain('error: x␊hint: run me is no video.')
  })

  test('budget flags are settings, and a wrong one is named', async () => {
    let budget: Budget | undefined
    const line = commandLine(async ({ config }) => {
      budget = config.settings.budget
      return inMemoryRuntime()
    })
    await line.run('ask', 'talk.mp4', 'Why?', '--max-steps', '3', '--max-money', '0.5')
    expect(budget).toMatchObject({ steps: 3, money: 0.5, tokens: 120_000 })
    const { code, stderr } = await line.run('ask', 'talk.mp4', 'Why?', '--max-steps', 'few')
    expect(code).toBe(2)
    expect(stderr).toContain('budget.steps is "few" in --max-steps: expected a number.')
  })

  test('a question without words and a single option are refused before anything runs', async () => {
    const line = commandLine(async () => Promise.reject(new Error('was opened')))
    expect((await line.run('ask', 'talk.mp4', ' ')).stderr).toContain('The question is empty.')
    expect((await line.run('ask', 'talk.mp4', 'Why?', '--options', 'one')).stderr).toContain(
      'needs two answers or more',
    )
    expect((await line.run('ask', 'talk.mp4', 'Why?', '--options', 'a||b')).code).toBe(2)
  })

  test('the runtime is closed whether it went well or not', async () => {
    let closed = 0
    const parts = { close: async () => void closed++ }
    await commandLine(parts).run('ask', 'talk.mp4', 'Why?')
    await commandLine({ ...parts, ask: async () => Promise.reject(new Error('no')) }).run('ask', 'talk.mp4', 'Why?')
    expect(closed).toBe(2)
  })
})
