import { spawnSync } from 'node:child_process'
import {
  closeSync,
  existsSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  utimesSync,
  writeSync,
} from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('..', import.meta.url))
const folders = ['src', 'models', 'tools', 'graphs', 'eval']
const stampFile = join(root, 'dist', '.tsbuildinfo')
const lockFile = join(root, 'dist', '.compiling')

// Compiles the checkout when a source is newer than the last compilation. Two that start at once compile once.
export async function compileIfStale() {
  if (!isStale()) return
  mkdirSync(join(root, 'dist'), { recursive: true })
  const lock = await takeTurn()
  try {
    if (isStale()) compile()
  } finally {
    closeSync(lock)
    rmSync(lockFile, { force: true })
  }
}

function isStale() {
  const built = statSync(stampFile, { throwIfNoEntry: false })?.mtimeMs
  if (built === undefined) return true
  return (
    folders.some(folder => newerThan(join(root, folder), built)) ||
    changed('tsconfig.build.json', built) ||
    changed('tsconfig.json', built)
  )
}

function changed(name, built) {
  return (statSync(join(root, name), { throwIfNoEntry: false })?.mtimeMs ?? 0) > built
}

function newerThan(folder, built) {
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name)
    if (entry.isDirectory() ? newerThan(path, built) : isSource(entry.name) && statSync(path).mtimeMs > built)
      return true
  }
  return false
}

function isSource(name) {
  return name.endsWith('.ts') && !name.endsWith('.test.ts')
}

function compile() {
  const began = new Date()
  const tsc = join(root, 'node_modules', '.bin', process.platform === 'win32' ? 'tsc.cmd' : 'tsc')
  if (!existsSync(tsc))
    stop('longtake is not compiled, and its compiler is not installed.', 'Run "npm ci" in the checkout.')
  const { status, stdout, stderr, error } = spawnSync(tsc, ['-p', 'tsconfig.build.json'], {
    cwd: root,
    encoding: 'utf8',
    shell: process.platform === 'win32',
  })
  if (status === 0) {
    // What was edited while it compiled stays newer than the stamp.
    utimesSync(stampFile, began, began)
    return
  }
  // The compiler writes its stamp also when it fails: an old one makes the next start try again.
  if (existsSync(stampFile)) utimesSync(stampFile, 0, 0)
  process.stderr.write([stdout, stderr, error?.message].filter(Boolean).join('\n'))
  stop('longtake does not compile: see the messages above.', 'Mend the sources, or go back to a commit that compiles.')
}

function stop(message, hint) {
  rmSync(lockFile, { force: true })
  process.stderr.write(`error: ${message}\nhint: ${hint}\n`)
  process.exit(1)
}

// One compiler at a time; the lock of a process that died is taken over.
async function takeTurn() {
  for (;;) {
    try {
      const lock = openSync(lockFile, 'wx')
      writeSync(lock, String(process.pid))
      return lock
    } catch (error) {
      if (error.code !== 'EEXIST') throw error
    }
    if (!isHeld()) rmSync(lockFile, { force: true })
    else await sleep(50)
  }
}

function isHeld() {
  try {
    const age = Date.now() - statSync(lockFile).mtimeMs
    const owner = Number(readFileSync(lockFile, 'utf8'))
    if (age > 120_000) return false
    if (!owner) return age < 1000 // about to write its number
    process.kill(owner, 0)
    return true
  } catch (error) {
    return error.code === 'EPERM'
  }
}
