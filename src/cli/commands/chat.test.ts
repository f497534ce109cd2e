import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { PassThrough } from 'node:stream'
import { describe, expect, test } from 'vitest'
import { asked, inMemoryRuntime, rows, video } from '../../../tests/support/command-line.ts'
import type { AskOptions, OpenVideo } from '../../core/runtime.ts'
import type { VideoIndex } from '../../core/video.ts'
import { runCommandLine } from '../program.ts'
import { terminal } from '../terminal.ts'

interface Typed {
  lines: string
  argv?: string[]
  home?: string
  live?: boolean
  ask?(question: string, options: AskOptions): Promise<void> | void
  onInterrupt?(press: () => void): void
  onPrinted?(text: string): void
}

async function chat({ lines, argv = ['talk.mp4'], home, live = false, ask, onInterrupt, onPrinted }: Typed) {
  const written = { out: '', err: '' }
  const to = (name: 'out' | 'err') => ({
    write: (text: string) => {
      written[name] += text
      if (name === 'out') onPrinted?.(text)
    },
  })
  const turns: (string | undefined)[][] = []
  const opened: OpenVideo = {
    index: { video } as VideoIndex,
    async ask(question, options = {}) {
      turns.push((options.turns ?? []).map(turn => turn.question.text))
      await ask?.(question.text, options)
      const stop = options.signal?.aborted ? ('interrupted' as const) : ('answered' as const)
      const run = `/home/runs/${turns.length}-${question.text.length}`
      return { ...asked, question, evidence: rows, stop, run, session: options.session }
    },
    close: async () => {},
  }
  const stream = new PassThrough()
  stream.write(lines)
  if (!live) stream.end()
  const folder = home ?? mkdtempSync(join(tmpdir(), 'longtake-chat-'))
  const code = await runCommandLine(['chat', ...argv], {
    cwd: folder,
    environment: { LONGTAKE_HOME: folder },
    terminal: terminal(to('out'), to('err'), {}),
    signal: new AbortController().signal,
    createRuntime: async () => inMemoryRuntime({ openVideo: async () => opened }),
    input: { stream, output: new PassThrough(), live },
    onInterrupt(handler) {
      onInterrupt?.(handler)
      return () => {}
    },
  })
  return { code, ...written, turns, home: folder }
}

describe('chat', () => {
  test('answers each line of a pipe, and each with the turns before it', async () => {
    const { code, out, turns } = await chat({ lines: 'Why did she leave?\n\nAnd then?\n' })
    expect(code).toBe(0)
    expect(out.match(/^> .*/gm)).toEqual(['> Why did she leave?', '> And then?'])
    expect(out.match(/She had to catch her train\.\n/g)).toHaveLength(2)
    expect(turns).toEqual([[], ['Why did she leave?']])
  })

  test('goes on in a session of a name, without the video', async () => {
    const first = await chat({ lines: 'Why?\n', argv: ['talk.mp4', '--session', 'train'] })
    const second = await chat({ lines: 'And then?\n/quit\nnever\n', argv: ['--session', 'train'], home: first.home })
    expect(second.turns).toEqual([['Why?']])
    expect(second.err).toContain('session train after 1 turns')
  })

  test('/help, /evidence, /history, /sessions, /fork and /resume work between questions', async () => {
    const lines = 'Why?\n/help\n/evidence\n/fork other\nAnd then?\n/sessions\n/history\n/resume one\nWho?\n'
    const { err, turns } = await chat({ lines, argv: ['talk.mp4', '--session', 'one'] })
    expect(err).toContain('/fork NAME [turn]')
    expect(err).toContain(`${rows[0]!.id} [12:04-12:31] speech: "I have to catch my train"`)
    expect(err).toContain('* other')
    expect(err).toContain('2. And then?')
    expect(turns).toEqual([[], ['Why?'], ['Why?']])
  })

  test('an unknown command is told with the right ones, and the conversation goes on', async () => {
    const { code, err, out } = await chat({ lines: '/evidense\nWhy?\n' })
    expect(err).toMatch(/Unknown command "\/evidense"[\s\S]*Did you mean "\/evidence"/)
    expect(out).toContain('She had to catch her train.')
    expect(code).toBe(2)
  })

  test('--json is one document with every turn, --ndjson a result for each', async () => {
    const json = JSON.parse((await chat({ lines: 'a?\nb?\n', argv: ['talk.mp4', '--json'] })).out)
    expect(json.turns.map((turn: { question: { text: string } }) => turn.question.text)).toEqual(['a?', 'b?'])
    const { out } = await chat({ lines: 'a?\nb?\n', argv: ['talk.mp4', '--ndjson'] })
    const results = out
      .trim()
      .split('\n')
      .map(line => JSON.parse(line))
    expect(results.map(({ type }) => type)).toEqual(['result', 'result'])
  })

  test('Ctrl-C stops the question, which is no turn; twice leaves', async () => {
    let press = () => {}
    const running: string[] = []
    const { code, err, home, turns } = await chat({
      lines: 'slow?\nquick?\n',
      argv: ['talk.mp4', '--session', 'stopped'],
      live: true,
      onInterrupt: handler => {
        press = handler
      },
      async ask(question, { signal }) {
        running.push(question)
        if (question === 'slow?') {
          setTimeout(press, 10)
          await new Promise(resolve => signal?.addEventListener('abort', resolve))
        }
      },
      // An answer is printed when its question has ended.
      onPrinted(text) {
        if (running.at(-1) !== 'quick?' || !text.includes(asked.answer.text)) return
        setTimeout(press, 10)
        setTimeout(press, 20)
      },
    })
    expect(running).toEqual(['slow?', 'quick?'])
    expect(turns).toEqual([[], []])
    expect(err).toMatch(/Stopping this question[\s\S]*longtake ask --resume[\s\S]*Ctrl-C once more leaves/)
    expect(code).toBe(130)
    const { openSessions } = await import('../../store/sessions.ts')
    expect((await openSessions(home).read('stopped')).turns.map(turn => turn.question.text)).toEqual(['quick?'])
  })

  test('a session about another video is refused', async () => {
    const { openSessions } = await import('../../store/sessions.ts')
    const home = mkdtempSync(join(tmpdir(), 'longtake-chat-'))
    await openSessions(home).create('other', { id: 'v9', path: '/x.mp4', name: 'x.mp4', duration: 1 })
    await expect(chat({ lines: 'a?\n', argv: ['talk.mp4', '--session', 'other'], home })).rejects.toThrow(
      /about x\.mp4/,
    )
  })
})
