// esbuild writes a file for each set of entries that share modules: an `ask` would open 300, at a millisecond each. What a command loads
// anyway lies in one file here (docs/decisions/2026-11-22-one-bundle.md).
import { readdirSync, readFileSync } from 'node:fs'
import { extname, join, posix, relative, sep } from 'node:path'

// A group has these modules and all that loads with them, without what a group before it has.
const groups = {
  start: /^(src\/cli\/main|src\/store\/compile-cache|(eval|apps\/\w+)\/commands\/index)\.ts$/,
  'data-folder': /^src\/(cli\/commands\/(ls|cache)|store\/home\/[^/]+)\.ts$/,
  index:
    /^(src\/(cli\/commands\/show|runtime\/[^/]+|runtime\/models\/resolve-here)|tools\/stages\/[^/]+|models\/([^/]+\/index|(embed|hear|read|shots|transcribe|voice)[^/]*\/[^/]+))\.ts$/,
  question: /^(src\/cli\/commands\/ask|src\/runtime\/.+|tools\/[^/]+|graphs\/[^/]+|models\/chat\/rules.*)\.ts$/,
}

// The group of each source in `folders` that has one. A source is in none if it loads a package besides `bundled` with it, or is `apart`.
export function groupModules(root, { folders, bundled, apart }) {
  const importsOf = readImports(root)
  const isBundled = name => name.startsWith('node:') || bundled.some(one => name === one || name.startsWith(`${one}/`))
  const known = new Map()
  const isLight = path => {
    if (!known.has(path))
      known.set(
        path,
        !apart.test(path) &&
          importsOf(path).every(one => (isSource(one) ? isLight(one) : one.endsWith('.json') || isBundled(one))),
      )
    return known.get(path)
  }
  const sources = folders.flatMap(folder =>
    readdirSync(join(root, folder), { recursive: true }).map(name => `${folder}/${name.split(sep).join('/')}`),
  )
  const groupOf = new Map()
  for (const [group, seeds] of Object.entries(groups)) {
    const loaded = new Set(sources.filter(path => seeds.test(path) && !path.endsWith('.test.ts')))
    for (const path of loaded) for (const one of importsOf(path)) if (isSource(one)) loaded.add(one)
    for (const path of loaded) if (isLight(path) && !groupOf.has(path)) groupOf.set(path, group)
  }
  return groupOf
}

const isSource = path => /\.tsx?$/.test(path)

// What a source loads as it is loaded itself: paths in the checkout and names of packages.
function readImports(root) {
  const statement = /^(?:import|export)\s(?!type\s)(?:[^'"]*\sfrom\s)?'([^']+)'/gm
  const known = new Map()
  return path => {
    if (!known.has(path)) {
      const names = [...readFileSync(join(root, path), 'utf8').matchAll(statement)].map(([, name]) => name)
      known.set(
        path,
        names.map(name => (name.startsWith('.') ? posix.join(posix.dirname(path), name) : name)),
      )
    }
    return known.get(path)
  }
}

const asUsual = {} // marks what this plugin itself asks esbuild to resolve
const isEntry = new Set(['entry-point', 'dynamic-import'])
const hasDefault = text => /^export default |\bas default\b/m.test(text)

// A plugin for esbuild by which each group becomes one file, and the entries that it needs. Modules that the same entries reach share a
// file: whoever reaches one of a group reaches them all.
export function joinGroups(groupOf, root) {
  const relativePath = path => relative(root, path).split(sep).join('/')
  const plugin = {
    name: 'groups of modules',
    setup({ onResolve, onLoad, resolve }) {
      onResolve({ filter: /^group:/ }, ({ path }) => ({ path, namespace: 'group' }))
      onLoad({ filter: /./, namespace: 'group' }, ({ path: group }) => {
        const members = [...groupOf].filter(([, name]) => group === `group:${name}`)
        // Without a statement of its own the group would be dropped, and its modules ordered from another one.
        return {
          contents: [...members.map(([path]) => `import './${path}'`), 'process.version'].join('\n'),
          resolveDir: root,
        }
      })
      // The order of the modules in a file begins with those that are entries, as what import() names is. From a member on, others would run
      // before what they import; from the group on they do not.
      onResolve({ filter: /./ }, async ({ kind, path, pluginData, ...from }) => {
        if (!isEntry.has(kind) || pluginData === asUsual) return undefined
        const found = await resolve(path, { ...from, kind, pluginData: asUsual })
        const file = relativePath(found.path)
        return !found.external && groupOf.has(file) ? { path: file, namespace: 'entry' } : undefined
      })
      onLoad({ filter: /./, namespace: 'entry' }, ({ path }) => {
        const names = hasDefault(readFileSync(join(root, path), 'utf8')) ? ['*', '{ default }'] : ['*']
        const exports = names.map(name => `export ${name} from './${path}'`)
        return { contents: [`import 'group:${groupOf.get(path)}'`, ...exports].join('\n'), resolveDir: root }
      })
      onLoad({ filter: /\.tsx?$/ }, ({ path }) => {
        const group = groupOf.get(relativePath(path))
        if (!group) return undefined
        return { contents: `${readFileSync(path, 'utf8')}\nimport 'group:${group}'\n`, loader: extname(path).slice(1) }
      })
    },
  }
  return {
    plugin,
    entries: [...new Set(groupOf.values())].map(name => ({ in: `group:${name}`, out: `group-${name}` })),
  }
}
