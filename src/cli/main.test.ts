import { type ChildProcess, spawn } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'

const root = fileURLToPath(new URL('../..', import.meta.url))
let folder: string
let entry: string

// Starts the command line as its own process, on a runtime whose "ask" goes on until it is stopped and whose "show" is long.
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'longtake-main-'))
  entry = join(folder, 'entry.mjs')
  const at = (path: string) => JSON.stringify(pathToFileURL(join(root, path)).href)
  writeFileSync(
    entry,
    `const { main } = await import(${at('src/cli/main.ts')})
const { inMemoryRuntime, rows } = await import(${at('tests/support/command-line.ts')})
const { InterruptedError } = await import(${at('src/core/errors.ts')})
const known = inMemoryRuntime()
const stopped = signal => new Promise((_, reject) => signal.addEventListener('abort', () => reject(new InterruptedError('Stopped while indexing.', { hint: 'The same command goes on.' }))))
await main(process.argv.slice(2), async () => inMemoryRuntime({
  ask: async (path, question, { watch, signal }) => {
    const busy = setInterval(() => {}, 1000)
    watch({ type: 'note', text: 'working' })
    if (path === 'deaf.mp4') return new Promise(() => {})
    return stopped(signal).finally(() => clearInterval(busy))
  },
  show: async path => ({ ...(await known.videos.show(path)), evidence: Array.from({ length: 20000 }, () => rows[0]) }),
  search: async () => { setInterval(() => {}, 1000); return known.videos.search() },
  index: async () => { setTimeout(() => { throw new Error('thrown from nowhere') }, 1); return new Promise(() => {}) },
}))
`,
  )
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

function start(...argv: string[]): ChildProcess {
  return spawn(
    process.execPath,
    ['--import', pathToFileURL(join(root, 'node_modules/tsx/dist/esm/index.mjs')).href, entry, ...argv],
    {
      cwd: folder,
      env: { PATH: process.env.PATH, LONGTAKE_HOME: join(folder, 'home') },
    },
  )
}

interface Ended {
  code: number | null
  stdout: string
  stderr: string
}

function ended(child: ChildProcess): Promise<Ended> {
  let stdout = ''
  let stderr = ''
  child.stdout?.on('data', chunk => (stdout += chunk))
  child.stderr?.on('data', chunk => (stderr += chunk))
  return new Promise(resolve => child.on('close', code => resolve({ code, stdout, stderr })))
}

function said(child: ChildProcess, words: string): Promise<void> {
  let text = ''
  return new Promise(resolve =>
    child.stderr?.on('data', chunk => {
      text += chunk
      if (text.includes(words)) resolve()
    }),
  )
}

describe.concurrent('the process', () => {
  test('fault 29: the first Ctrl-C ends cleanly with 130 and says how to go on', async () => {
    const child = start('ask', 'talk.mp4', 'Why?')
    const end = ended(child)
    await said(child, 'working')
    child.kill('SIGINT')
    const { code, stdout, stderr } = await end
    expect(code).toBe(130)
    expect(stdout).toBe('')
    expect(stderr).toMatch(
      /Stopping; once more to stop at once\.\nerror: Stopped while indexing\.\nhint: The same command goes on\.\n$/,
    )
  })

  test('fault 29: the second Ctrl-C does not wait for work that does not stop', async () => {
    const child = start('ask', 'deaf.mp4', 'Why?')
    const end = ended(child)
    await said(child, 'working')
    child.kill('SIGINT')
    await said(child, 'Stopping')
    child.kill('SIGINT')
    expect((await end).code).toBe(130)
  })

  test.each([
    ['SIGINT', 130],
    ['SIGTERM', 143],
    ['SIGHUP', 129],
  ] as const)('fault 29: %s ends in %i', async (signal, number) => {
    const child = start('ask', 'talk.mp4', 'Why?')
    const end = ended(child)
    await said(child, 'working')
    child.kill(signal)
    expect((await end).code).toBe(number)
  })

  test.each([
    ['SIGINT', 130],
    ['SIGTERM', 143],
    ['SIGHUP', 129],
  ] as const)(
    'fault 29: work that does not stop ends with %s all the same, within two seconds',
    async (signal, number) => {
      const child = start('ask', 'deaf.mp4', 'Why?')
      const end = ended(child)
      await said(child, 'working')
      child.kill(signal)
      await said(child, 'Stopping')
      const began = performance.now()
      expect((await end).code).toBe(number)
      expect(performance.now() - began).toBeLessThan(2000)
    },
  )

  test('fault 29: a reader that goes away (SIGPIPE) is no fault', async () => {
    const child = start('show', 'talk.mp4')
    child.stdout?.once('data', () => child.stdout?.destroy())
    const { code, stderr } = await ended(child)
    expect(stderr).not.toContain('error')
    expect(code).toBe(0)
  })

  test('a long result arrives whole', async () => {
    const { code, stdout } = await ended(start('show', 'talk.mp4', '--track', 'speech'))
    expect(code).toBe(0)
    expect(stdout.split('\n')).toHaveLength(20_001)
  })

  test('something that a library left open does not keep it from ending', async () => {
    const { code, stdout } = await ended(start('search', 'talk.mp4', 'train'))
    expect(stdout).toContain('catch my train')
    expect(code).toBe(0)
  })

  test('a fault of our own is told in a sentence, and with its stack under --debug', async () => {
    const { code, stderr } = await ended(start('index', 'talk.mp4'))
    expect(code).toBe(1)
    expect(stderr).toMatch(/error: This is a fault of longtake: thrown from nowhere\nhint: Please report it/)
    expect(stderr).not.toContain('    at ')
    expect((await ended(start('index', 'talk.mp4', '--debug'))).stderr).toContain('    at ')
  })

  test('an error is a document too for who asks for JSON, and nothing else is on stdout', async () => {
    const { code, stdout, stderr } = await ended(start('aks', 'x', '--json'))
    expect(code).toBe(2)
    expect(JSON.parse(stdout)).toEqual({
      schemaVersion: 1,
      error: { code: 'usage', message: 'Unknown command "aks".', hint: 'Did you mean "ask"?', exitCode: 2 },
    })
    expect(stderr).toMatch(/^error: Unknown command/)
  })

  test('an unknown command ends in 2 with a suggestion', async () => {
    const { code, stdout, stderr } = await ended(start('serach', 'talk.mp4', 'x'))
    expect([code, stdout]).toEqual([2, ''])
    expect(stderr).toBe('error: Unknown command "serach".\nhint: Did you mean "search"?\n')
  })
})
