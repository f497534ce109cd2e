import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { BackendError, InterruptedError, UsageError } from '../../core/errors.ts'
import { findProgram } from './find-program.ts'
import { runProgram } from './run-program.ts'

const shell = (script: string, options: Parameters<typeof runProgram>[2] = {}) =>
  runProgram('sh', ['-c', script], options)

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'longtake-program-'))
})
afterAll(() => rm(folder, { recursive: true }))

// A dead process that nobody has collected yet still answers to signal 0, so its state is asked for.
async function alive(pid: number): Promise<boolean> {
  for (let i = 0; i < 40; i++) {
    const { stdout, code } = await runProgram('ps', ['-o', 'stat=', '-p', String(pid)], { failure: 'return' })
    if (code !== 0 || stdout.toString().startsWith('Z')) return false
    await new Promise(resolve => setTimeout(resolve, 25))
  }
  return true
}

describe('running a program', () => {
  test('gives back its output, its last words and its exit code', async () => {
    const result = await shell('echo out; echo err >&2; exit 3', { failure: 'return' })
    expect([result.stdout.toString(), result.stderr, result.code]).toEqual(['out\n', 'err\n', 3])
  })

  test('a failure names the program, the code and the last line of stderr', async () => {
    const error = await shell('echo first >&2; echo no such codec >&2; exit 7').catch(error => error)
    expect(error).toBeInstanceOf(BackendError)
    expect(error.message).toBe('sh stopped with code 7: no such codec.')
    expect(error.retryable).toBe(false)
  })

  test('fault 18: a crash may be tried again', async () => {
    const error = await shell('kill -SEGV $$').catch(error => error)
    expect(error.message).toContain('crashed with signal 11')
    expect(error.retryable).toBe(true)
  })

  test('fault 18: one that the system kills is named as such, with what may help', async () => {
    const error = await shell('kill -9 $$').catch(error => error)
    expect(error).toBeInstanceOf(BackendError)
    expect(error.message).toBe(
      'sh ended: the system killed it (signal 9), which is what happens when the memory is used up.',
    )
    expect(error.hint).toContain('--max-memory')
  })

  test('fault 18: arguments that are too long for the system are a sentence', async () => {
    const error = await runProgram('sh', ['-c', ':', 'x'.repeat(3_000_000)]).catch(error => error)
    expect(error).toBeInstanceOf(BackendError)
    expect(error.message).toMatch(/^The arguments of a program are longer than this system allows: sh could not be/)
  })

  test('fault 18: a missing program is a usage error with the command that installs it', async () => {
    const missing = await runProgram('no-such-program-here', []).catch(error => error)
    expect(missing).toBeInstanceOf(UsageError)
    expect(missing.message).toBe('no-such-program-here is not installed.')
    expect(missing.hint).toContain('LONGTAKE_NO_SUCH_PROGRAM_HERE')
  })

  test('LONGTAKE_<NAME> chooses another file', async () => {
    const fake = join(folder, 'fake')
    await writeFile(fake, '#!/bin/sh\necho fake', { mode: 0o755 })
    expect(await findProgram('ffmpeg', { LONGTAKE_FFMPEG: fake, PATH: process.env.PATH })).toBe(fake)
    expect(await findProgram('ffmpeg', { LONGTAKE_FFMPEG: join(folder, 'gone'), PATH: process.env.PATH })).toBe(
      undefined,
    )
  })

  test('it sees nothing of our environment but what programs need to start', async () => {
    process.env.LONGTAKE_TEST_SECRET = 'canary'
    const { stdout } = await shell('env')
    delete process.env.LONGTAKE_TEST_SECRET
    expect(stdout.toString()).toContain('PATH=')
    expect(stdout.toString()).not.toContain('canary')
  })

  test('input is fed, and a program that stops reading early is no fault', async () => {
    expect((await shell('tr a-z A-Z', { input: Buffer.from('hello') })).stdout.toString()).toBe('HELLO')
    const early = await shell('head -c 3', { input: Buffer.alloc(4_000_000, 'x') })
    expect(early.stdout.toString()).toBe('xxx')
  })

  test('without input, standard input is closed', async () => {
    expect((await shell('cat; echo end')).stdout.toString()).toBe('end\n')
  })

  test('extra pipes are read side by side, however unevenly they fill', async () => {
    const sizes = [0, 0]
    const read = (i: number, pause: number) => async (bytes: AsyncIterable<Uint8Array>) => {
      for await (const piece of bytes) {
        sizes[i]! += piece.length
        if (pause) await new Promise(resolve => setTimeout(resolve, pause))
      }
    }
    await shell('head -c 3000000 /dev/zero >&3; head -c 2000000 /dev/zero >&4; head -c 1000000 /dev/zero >&3', {
      pipes: [read(0, 1), read(1, 0)],
    })
    expect(sizes).toEqual([4_000_000, 2_000_000])
  })

  test('a reader that stops early does not block the program', async () => {
    let seen = 0
    const { code } = await shell('head -c 3000000 /dev/zero >&3; exit 0', {
      pipes: [
        async bytes => {
          for await (const piece of bytes) {
            seen += piece.length
            break
          }
        },
      ],
    })
    expect(code).toBe(0)
    expect(seen).toBeLessThan(3_000_000)
  })

  test('an error in a reader stops the program and is the error of the run', async () => {
    const started = performance.now()
    const run = shell('echo x; sleep 30', {
      onStdout: () => {
        throw new RangeError('reader broke')
      },
    })
    await expect(run).rejects.toThrow('reader broke')
    expect(performance.now() - started).toBeLessThan(5000)
  })

  test('an abort kills the whole process group', async () => {
    const abort = new AbortController()
    let pid = 0
    const run = shell('sleep 60 & echo $!; wait', {
      signal: abort.signal,
      onStdout: piece => {
        pid = Number(Buffer.from(piece).toString())
        abort.abort()
      },
    })
    await expect(run).rejects.toBeInstanceOf(InterruptedError)
    expect(pid).toBeGreaterThan(0)
    expect(await alive(pid)).toBe(false)
  })

  test('fault 18: a time limit ends it, and says so', async () => {
    await expect(shell('sleep 30', { timeoutSeconds: 0.2 })).rejects.toThrow('ran longer than 0.2 s')
  })

  test('a time limit of months does not end it at once', async () => {
    expect((await shell('sleep 0.3; echo done', { timeoutSeconds: 5_000_000 })).stdout.toString()).toBe('done\n')
  })

  test('fault 18: silence ends it, but not while we are the slow ones', async () => {
    await expect(shell('echo a; sleep 30', { stallSeconds: 0.4 })).rejects.toThrow('wrote nothing for 0.4 s')
    const slow = await shell('echo a; echo b >&2', {
      stallSeconds: 0.3,
      onStdout: () => new Promise(resolve => setTimeout(resolve, 900)),
    })
    expect(slow.code).toBe(0)
  })

  test('fault 18: of endless stderr only the end is kept', async () => {
    const { stderr } = await shell('yes spam | head -c 3000000 >&2; echo last >&2')
    expect(stderr.length).toBeLessThanOrEqual(64 * 1024)
    expect(stderr.endsWith('last\n')).toBe(true)
  })

  test('more output than allowed is an error, not memory', async () => {
    await expect(shell('yes', { maxStdoutBytes: 100_000 })).rejects.toThrow('more than 100000 bytes')
  })
})
