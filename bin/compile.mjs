import { spawn } from 'node:child_process'
import {
  closeSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
  writeSync,
} from 'node:fs'
import { basename, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { groupModules, joinGroups } from './group-chunks.mjs'

export const root = fileURLToPath(new URL('..', import.meta.url))
const output = join(root, 'dist')
const folders = ['src', 'models', 'tools', 'graphs', 'eval', 'apps']
const stamps = { bundle: join(output, '.built'), types: join(output, '.typed') }
const lockFile = join(output, '.compiling')

// Packages whose many small files make the start slow; every other one is loaded from node_modules
// (docs/decisions/2026-11-22-one-bundle.md).
export const bundled = ['@langchain/core', '@langchain/langgraph', 'commander', 'fast-string-truncated-width', 'zod']

const readPackage = folder => JSON.parse(readFileSync(join(root, folder, 'package.json'), 'utf8'))

// longtake and the packages beside it (docs/decisions/2026-11-28-packages.md), each before those that it needs.
export const packages = ['apps/cluster', 'apps/serve', 'eval', '.'].map(folder => ({
  folder,
  file: readPackage(folder),
}))

const installed = packages.flatMap(({ file }) => Object.keys({ ...file.dependencies, ...file.optionalDependencies }))

// Writes what runs when a source is newer than it, and says whether it did; with `types` the compiler also checks the types and writes
// the declarations, which costs ten times as much and which no command needs. Two that start at once compile once.
export async function compileIfStale({ types = false } = {}) {
  const staleSteps = () => (types ? ['bundle', 'types'] : ['bundle']).filter(step => isStale(stamps[step]))
  if (staleSteps().length === 0) return false
  mkdirSync(output, { recursive: true })
  const lock = await takeTurn()
  try {
    const steps = staleSteps()
    if (steps.length === 0) return false
    await compile(steps)
    return true
  } finally {
    closeSync(lock)
    rmSync(lockFile, { force: true })
  }
}

function isStale(stampFile) {
  const built = statSync(stampFile, { throwIfNoEntry: false })?.mtimeMs
  if (built === undefined) return true
  return (
    folders.some(folder => newerThan(join(root, folder), built)) ||
    [
      'tsconfig.build.json',
      'tsconfig.types.json',
      'tsconfig.json',
      'package.json',
      'package-lock.json',
      'bin/compile.mjs',
      'bin/group-chunks.mjs',
    ].some(name => changed(name, built))
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
  return /\.(tsx?|json|css|html|svg)$/.test(name) && !/\.test\.tsx?$/.test(name)
}

async function compile(steps) {
  const began = new Date()
  const projects = steps.includes('types')
    ? ['tsconfig.build.json', 'tsconfig.types.json', 'apps/serve/page/tsconfig.json']
    : []
  const [bundling, ...typing] = await Promise.allSettled([
    steps.includes('bundle') ? bundle() : undefined,
    ...projects.map(checkTypes),
  ])
  // The compiler says more about a fault that both have found.
  for (const { reason } of [...typing, bundling]) {
    if (!reason) continue
    if (reason.code === 'ERR_MODULE_NOT_FOUND' || reason.code === 'ENOENT')
      stop('longtake is not compiled, and its compiler is not installed.', 'Run "npm ci" in the checkout.')
    process.stderr.write(`${reason.message.trimEnd()}\n`)
    stop(
      'longtake does not compile: see the messages above.',
      'Mend the sources, or go back to a commit that compiles.',
    )
  }
  // What was edited while it compiled stays newer than the stamp.
  for (const step of steps) {
    writeFileSync(stamps[step], '')
    utimesSync(stamps[step], began, began)
  }
}

// Everything lies in one folder, so that a thread's file is found beside whatever chunk starts it.
async function bundle() {
  const { build, stop } = await import('esbuild')
  try {
    const groups = joinGroups(groupsOfCheckout(), root)
    const { metafile } = await build({
      ...bundling,
      entryPoints: [
        ...groups.entries,
        ...entries,
        ...threads('models'),
        ...threads('apps/cluster'),
        ...threads('eval'),
      ],
      outdir: output,
      external: installed.filter(name => !bundled.includes(name)),
      plugins: [groups.plugin, requireOfNode, langgraphOfCaller],
    })
    const page = await bundlePage(build, join(output, 'page'))
    const filePages = await bundleFilePages(build, join(output, 'eval-page'))
    const inputs = [metafile, page, filePages].flatMap(({ inputs }) => Object.keys(inputs))
    writeFileSync(join(output, 'licenses.txt'), licenses(inputs))
    removeOld(output, metafile)
    removeOld(join(output, 'page'), page)
  } finally {
    await stop()
  }
}

export const entries = [
  { in: 'src/index.ts', out: 'index' },
  { in: 'src/runtime/graph.ts', out: 'graph' },
  { in: 'src/cli/main.ts', out: 'main' },
  { in: 'src/store/compile-cache.ts', out: 'compile-cache' },
]

export const bundling = {
  absWorkingDir: root,
  bundle: true,
  splitting: true,
  format: 'esm',
  platform: 'node',
  target: 'node20.19',
  metafile: true,
  logLevel: 'silent',
}

const bundlingForBrowsers = {
  absWorkingDir: root,
  bundle: true,
  minify: true,
  platform: 'browser',
  target: ['chrome123', 'firefox120', 'safari17.5'], // the first with light-dark() in CSS
  jsx: 'automatic',
  jsxImportSource: 'preact',
  metafile: true,
  logLevel: 'silent',
}

// The page of "longtake serve": its views are loaded when they are opened, and need nothing but these files.
export async function bundlePage(build, target) {
  const source = join(root, 'apps', 'serve', 'page')
  const { metafile } = await build({
    ...bundlingForBrowsers,
    entryPoints: { main: 'apps/serve/page/main.tsx' },
    outdir: target,
    entryNames: '[name]-[hash]',
    chunkNames: '[name]-[hash]',
    splitting: true,
    format: 'esm',
  })
  const names = Object.keys(metafile.outputs).map(path => basename(path))
  const entry = ending => `/${names.find(name => name.startsWith('main-') && name.endsWith(ending))}`
  const html = readFileSync(join(source, 'index.html'), 'utf8')
  writeFileSync(join(target, 'index.html'), html.replace('/main.css', entry('.css')).replace('/main.js', entry('.js')))
  copyFileSync(join(source, 'icon.svg'), join(target, 'icon.svg'))
  return metafile
}

// What reports and reviews run in the browser: a script and a style each, which their files hold.
export async function bundleFilePages(build, target) {
  const folder = 'eval/page'
  const names = readdirSync(join(root, folder)).filter(name => /\.tsx?$/.test(name))
  const entryPoints = names.map(name => `${folder}/${name}`)
  return (await build({ ...bundlingForBrowsers, entryPoints, outdir: target, format: 'iife' })).metafile
}

// Modules have no require: what an older package wants of Node itself comes without it.
export const requireOfNode = {
  name: 'require of Node',
  setup(build) {
    build.onResolve({ filter: /^node:/ }, ({ kind, path }) =>
      kind === 'require-call' ? { path, namespace: 'node' } : undefined,
    )
    build.onLoad({ filter: /./, namespace: 'node' }, ({ path }) => ({
      contents: `module.exports = process.getBuiltinModule('${path}')`,
    }))
  },
}

// Whoever imports "longtake/graph" gets graphs of their own LangGraph, whose classes and context are theirs.
const callersLanggraph = 'graphs/callers-langgraph.ts'
export const langgraphOfCaller = {
  name: 'LangGraph of the caller',
  setup(build) {
    build.onResolve({ filter: /^@langchain\// }, ({ importer, path }) =>
      importer === join(root, callersLanggraph) ? { path, external: true } : undefined,
    )
  },
}

// What import() names by a pattern esbuild takes for an entry without asking its plugins: policies stay apart, too.
const apart = new RegExp(`^(${callersLanggraph}|graphs/policies/)`)
export const groupsOfCheckout = () => groupModules(root, { folders, bundled, apart })

// The first files of worker threads.
export function threads(folder) {
  return readdirSync(join(root, folder), { withFileTypes: true }).flatMap(entry => {
    const path = `${folder}/${entry.name}`
    if (entry.isDirectory()) return threads(path)
    return entry.name.endsWith('-worker.ts') ? [{ in: path, out: basename(path, '.ts') }] : []
  })
}

// Whoever passes code on passes its licence on.
export function licenses(inputs) {
  const packages = new Set(inputs.flatMap(path => path.match(/^.*node_modules\/(?:@[^/]+\/)?[^/]+/)?.[0] ?? []))
  return [...packages]
    .sort()
    .map(path => {
      const { name, version, license } = JSON.parse(readFileSync(join(root, path, 'package.json'), 'utf8'))
      const file = readdirSync(join(root, path)).find(entry => /^licen[cs]e/i.test(entry))
      const text = file ? readFileSync(join(root, path, file), 'utf8').trim() : ''
      return `${name} ${version}: ${license}\n\n${text}\n`
    })
    .join(`\n${'-'.repeat(80)}\n\n`)
}

// Chunks of earlier builds. A command that runs may still load those of the last day.
function removeOld(folder, { outputs }) {
  const made = new Set(Object.keys(outputs).map(path => basename(path)))
  const dayAgo = Date.now() - 86_400_000
  for (const name of readdirSync(folder))
    if (/\.(js|css)$/.test(name) && !made.has(name) && statSync(join(folder, name)).mtimeMs < dayAgo)
      rmSync(join(folder, name), { force: true })
}

function checkTypes(config) {
  const windows = process.platform === 'win32'
  const tsc = join(root, 'node_modules', '.bin', windows ? 'tsc.cmd' : 'tsc')
  return new Promise((resolve, reject) => {
    if (!existsSync(tsc)) return reject(Object.assign(new Error('no tsc'), { code: 'ENOENT' }))
    const compiler = spawn(tsc, ['-p', config], { cwd: root, shell: windows })
    const said = []
    compiler.stdout.on('data', piece => said.push(piece))
    compiler.stderr.on('data', piece => said.push(piece))
    compiler.on('error', reject)
    compiler.on('close', status => (status === 0 ? resolve() : reject(new Error(Buffer.concat(said).toString()))))
  })
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

// As "npm run build", or with --bundle only what runs.
if (process.argv[1] === fileURLToPath(import.meta.url)) {
  if (await compileIfStale({ types: !process.argv.includes('--bundle') })) console.log('Built dist/.')
}
