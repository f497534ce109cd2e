import { execFile, spawnSync } from 'node:child_process'
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import module from 'node:module'
import { tmpdir } from 'node:os'
import { basename, dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'

const root = fileURLToPath(new URL('../..', import.meta.url))
const folders: string[] = []
afterAll(() => {
  for (const folder of folders) rmSync(folder, { recursive: true, force: true })
})

// A folder with the starter, the package file and the packages, but no sources of ours.
function folderWith(...names: string[]): string {
  const folder = mkdtempSync(join(tmpdir(), 'longtake-bin-'))
  folders.push(folder)
  for (const name of ['bin', 'package.json', ...names])
    cpSync(join(root, name), join(folder, name), { recursive: true })
  symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'))
  return folder
}

function start(folder: string, argv: string[] = [], environment: NodeJS.ProcessEnv = {}) {
  const { status, stdout, stderr } = spawnSync(process.execPath, [join(folder, 'bin/longtake.mjs'), ...argv], {
    encoding: 'utf8',
    env: { PATH: process.env.PATH, LONGTAKE_HOME: join(folder, 'home'), ...environment },
    maxBuffer: 1e9,
  })
  return { status, stdout, stderr }
}

describe('the starter in a checkout', () => {
  let checkout: string
  let main: string
  const say = (text: string) =>
    writeFileSync(main, `export async function main(): Promise<void> {\n  console.log(${text})\n}\n`)
  const stamp = () => statSync(join(checkout, 'dist/.built')).mtimeMs
  // As after an edit that came later than the last compilation.
  const later = () => utimesSync(main, new Date(), new Date(Date.now() + 5000))

  beforeAll(() => {
    checkout = folderWith('tsconfig.json', 'tsconfig.build.json', 'tsconfig.types.json')
    for (const folder of ['eval', 'apps/serve', 'apps/cluster']) {
      mkdirSync(join(checkout, folder), { recursive: true })
      cpSync(join(root, folder, 'package.json'), join(checkout, folder, 'package.json'))
    }
    for (const folder of [
      'src/runtime',
      'src/cli',
      'apps/cluster',
      'apps/serve/page',
      'src/store',
      'models',
      'tools',
      'graphs',
      'eval/page',
    ])
      mkdirSync(join(checkout, folder), { recursive: true })
    for (const entry of ['src/index.ts', 'src/runtime/graph.ts', 'src/store/compile-cache.ts'])
      writeFileSync(join(checkout, entry), '')
    for (const file of ['index.html', 'icon.svg', 'tsconfig.json'])
      cpSync(join(root, 'apps/serve/page', file), join(checkout, 'apps/serve/page', file))
    cpSync(join(root, 'src/page/css.d.ts'), join(checkout, 'src/page/css.d.ts'))
    writeFileSync(join(checkout, 'apps/serve/page/page.css'), 'p { margin: 0 }')
    writeFileSync(join(checkout, 'apps/serve/page/main.tsx'), "import './page.css'\nexport default <p>the page</p>\n")
    main = join(checkout, 'src/cli/main.ts')
  })

  test('compiles what was never compiled, without a word', () => {
    say('"one"')
    expect(start(checkout)).toEqual({ status: 0, stdout: 'one\n', stderr: '' })
  })

  test('does not compile again what has not changed', () => {
    const before = stamp()
    expect(start(checkout).stdout).toBe('one\n')
    expect(stamp()).toBe(before)
  })

  test('compiles once where two are started at once', async () => {
    say('"both"')
    later()
    const both = [1, 2].map(() => promisify(execFile)(process.execPath, [join(checkout, 'bin/longtake.mjs')]))
    for (const { stdout } of await Promise.all(both)) expect(stdout).toBe('both\n')
    expect(readdirSync(join(checkout, 'dist')).filter(name => name.startsWith('.'))).toEqual(['.built'])
  })

  test('compiles what was edited', () => {
    say('"two"')
    later()
    expect(start(checkout).stdout).toBe('two\n')
  })

  test('a source that does not compile is an error with what the compiler says, each time until it is mended', () => {
    say('1 +')
    later()
    for (const _ of [1, 2]) {
      const { status, stdout, stderr } = start(checkout)
      expect([status, stdout]).toEqual([1, ''])
      expect(stderr).toMatch(/main\.ts:\d+:\d+: ERROR: Unexpected/)
      expect(stderr).toMatch(/\nerror: longtake does not compile: see the messages above\.\nhint: .+\n$/)
    }
    say('"three"')
    expect(start(checkout).stdout).toBe('three\n')
  })

  test('a build checks the types too', () => {
    say('1 + undefinedName')
    later()
    const { status, stderr } = spawnSync(process.execPath, [join(checkout, 'bin/compile.mjs')], { encoding: 'utf8' })
    expect(status).toBe(1)
    expect(stderr).toContain("Cannot find name 'undefinedName'")
  })

  test('a compiler that was killed leaves no lock behind', () => {
    const dead = spawnSync(process.execPath, ['-e', '']).pid
    writeFileSync(join(checkout, 'dist/.compiling'), String(dead))
    say('"four"')
    later()
    expect(start(checkout).stdout).toBe('four\n')
    expect(existsSync(join(checkout, 'dist/.compiling'))).toBe(false)
  })
})

describe('an installed copy', () => {
  let installed: string
  beforeAll(() => {
    spawnSync(process.execPath, [join(root, 'bin/compile.mjs'), '--bundle'])
    installed = folderWith('dist')
  })

  test('loads for its help nothing that was installed', () => {
    const { status, stderr } = start(installed, ['--help'], { NODE_DEBUG: 'esm,module' })
    const loaded = stderr.replaceAll(dirname(dirname(process.execPath)), 'node') // Node itself may come from a package
    const packages = new Set([...loaded.matchAll(/node_modules\/((?:@[^/\s]+\/)?[^/\s'"]+)\//g)].map(match => match[1]))
    expect(status).toBe(0)
    expect([...packages]).toEqual([])
  })

  // By the processor's time: of elapsed time a busy machine takes as much as it likes.
  test('has its help there for less than 300 ms, or on a slow machine for less than four times what Node itself takes', () => {
    const meter = `data:text/javascript,process.on('exit',()=>{const{user,system}=process.cpuUsage();process.stderr.write('\\n'+(user+system)/1000)})`
    const median = (argv: string[]) => {
      const times = [1, 2, 3, 4, 5].map(() => {
        const { status, stderr } = spawnSync(process.execPath, ['--import', meter, ...argv], { encoding: 'utf8' })
        expect(status, stderr).toBe(0)
        return Number(stderr.split('\n').at(-1))
      })
      return times.sort((a, b) => a - b)[2]
    }
    const bare = median(['-e', '0'])
    expect(median([join(installed, 'bin/longtake.mjs'), '--help'])).toBeLessThan(Math.max(300, bare! * 4))
  })

  test('keeps compiled code in a data folder that is there and private, and makes none', () => {
    const home = join(installed, 'home')
    const compiled = () => existsSync(join(home, 'compiled'))
    expect(start(installed, ['--help']).status).toBe(0)
    expect(existsSync(home)).toBe(false)
    mkdirSync(home)
    chmodSync(home, 0o755)
    expect(start(installed, ['--help']).status).toBe(0)
    expect(compiled()).toBe(false)
    chmodSync(home, 0o700)
    writeFileSync(join(home, 'compiled'), 'in its way')
    expect(start(installed, ['--help']).status).toBe(0)
    rmSync(join(home, 'compiled'))
    expect(start(installed, ['--help']).status).toBe(0)
    expect(compiled()).toBe('enableCompileCache' in module)
    if (!compiled()) return
    expect(statSync(join(home, 'compiled')).mode & 0o077).toBe(0)
    expect(readdirSync(join(home, 'compiled'), { recursive: true }).length).toBeGreaterThan(5)
  })

  test('has the file of every thread beside its chunks', () => {
    const sources = readdirSync(join(root, 'models'), { recursive: true, encoding: 'utf8' })
    const started = sources
      .filter(name => /(?<!\.test)\.ts$/.test(name))
      .flatMap(name => [...readFileSync(join(root, 'models', name), 'utf8').matchAll(/new Thread\b[^(]*\('([^']+)'/g)])
      .map(match => basename(match[1]!))
    expect(started.length).toBeGreaterThan(4)
    expect(started.filter(name => !existsSync(join(installed, 'dist', `${name}.js`)))).toEqual([])
  })

  const groups = ['start', 'data-folder', 'index', 'question']
  const chunkTexts = (group: string) => {
    const text = readFileSync(join(installed, 'dist', `group-${group}.js`), 'utf8')
    const files = [...text.matchAll(/^import "(.*)";$/gm)].map(([, file = '']) => file)
    return files.map(file => readFileSync(join(installed, 'dist', file), 'utf8'))
  }

  test.each(groups)('has the modules of %s in a few files', group => {
    const texts = chunkTexts(group)
    expect(texts.filter(text => text.includes(`// group:group:${group}\n`))).toHaveLength(1)
    expect(texts.length).toBeLessThan(12)
  })

  test.each(groups)('runs no module of %s before one that it imports', group => {
    for (const text of chunkTexts(group)) {
      const first = new Map<string, number>()
      const last = new Map<string, number>()
      for (const { 1: path = '', index } of text.matchAll(/^\/\/ (\w\S*\.tsx?)$/gm)) {
        if (!first.has(path)) first.set(path, index)
        last.set(path, index)
      }
      for (const path of first.keys())
        for (const [, name = ''] of readFileSync(join(root, path), 'utf8').matchAll(
          /^import (?!type ).*from '(\..*)'$/gm,
        ))
          expect(first.get(join(dirname(path), name)) ?? -1, `${path} needs ${name}`).toBeLessThan(last.get(path)!)
    }
  })

  test('has one copy of the errors, under their own names, for the command and for what imports longtake', () => {
    const tool = join(mkdtempSync(join(tmpdir(), 'longtake-tool-')), 'tool.mjs')
    folders.push(dirname(tool))
    writeFileSync(
      tool,
      `import * as all from 'longtake'
const named = ['UsageError', 'InputError', 'BackendError', 'StorageError', 'InterruptedError']
export default kit => {
  throw new all.UsageError([kit.UsageError === all.UsageError, ...named.map(name => new all[name]('x').name)].join())
}`,
    )
    const { stdout } = start(installed, ['tool', 'check', tool])
    expect(stdout).toContain('true,UsageError,InputError,BackendError,StorageError,InterruptedError')
  })
})
