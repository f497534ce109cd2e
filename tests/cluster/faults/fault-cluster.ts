import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { existsSync, mkdirSync, readdirSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { build } from 'esbuild'

const root = join(import.meta.dirname, '..', '..', '..')

// The worker as one file, which starts in a third of the time of its sources.
export async function bundleWorker(folder: string): Promise<string> {
  symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'))
  const outfile = join(folder, 'fake-worker.mjs')
  const entry = join(import.meta.dirname, 'fake-worker.ts')
  await build({
    entryPoints: [entry],
    outfile,
    bundle: true,
    platform: 'node',
    format: 'esm',
    packages: 'external',
    target: 'node20',
  })
  return outfile
}

export interface FaultWorker {
  pid(): number | undefined
  said(): string // the end of it
  kill(): void // -9; another one begins in its place
  pause(): void
  goOn(): void
  stop(): Promise<number | null>
  fallen: Promise<never> // rejects where it has ended by itself
}

// A worker that comes back whenever it was killed.
export function faultWorker(command: string[], environment: Record<string, string> = {}): FaultWorker {
  let isOver = false
  let child: ChildProcess
  let said = ''
  let fell: (error: Error) => void = () => {}
  const fallen = new Promise<never>((_, reject) => {
    fell = reject
  })
  fallen.catch(() => {})
  const begin = () => {
    child = spawn(process.execPath, command, {
      env: { ...process.env, ...environment },
      stdio: ['ignore', 'ignore', 'pipe'],
    })
    child.stderr?.setEncoding('utf8').on('data', piece => {
      said = (said + piece).slice(-4000)
    })
    child.once('exit', (code, signal) => {
      if (isOver) return
      if (signal === 'SIGKILL') setTimeout(begin, 200)
      else fell(new Error(`A worker ended with ${signal ?? code}: ${said}`))
    })
  }
  begin()
  return {
    pid: () => child.pid,
    said: () => said,
    kill: () => void child.kill('SIGKILL'),
    pause: () => void child.kill('SIGSTOP'),
    goOn: () => void child.kill('SIGCONT'),
    stop() {
      isOver = true
      if (child.exitCode !== null || child.signalCode) return Promise.resolve(child.exitCode)
      return new Promise(resolve => {
        child.once('exit', code => resolve(code))
        child.kill('SIGTERM')
      })
    },
    fallen,
  }
}

// Debian's package faketime; scripts/setup.sh --tests brings it.
export function fakeClock(): Record<string, string> | undefined {
  const found = readdirSync('/usr/lib')
    .map(name => join('/usr/lib', name, 'faketime', 'libfaketimeMT.so.1'))
    .find(path => existsSync(path))
  return found ? { LD_PRELOAD: found, FAKETIME: '+10m', FAKETIME_DONT_FAKE_MONOTONIC: '1' } : undefined
}

// A small disk for the tables; none where this user may mount nothing.
export function smallDisk(
  folder: string,
  megabytes: number,
): { fill(): void; free(): void; remove(): void } | undefined {
  mkdirSync(folder, { recursive: true })
  const filler = join(folder, 'filler')
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${megabytes}m,mode=700,uid=65534,gid=65534`, 'tmpfs', folder], {
      stdio: 'ignore',
    })
  } catch {
    return undefined
  }
  return {
    fill() {
      try {
        execFileSync('dd', ['if=/dev/zero', `of=${filler}`, 'bs=4k'], { stdio: 'ignore' })
      } catch {} // it ends where nothing is free any more
    },
    free: () => execFileSync('rm', ['-f', filler]),
    remove: () => execFileSync('umount', ['-l', folder]),
  }
}
