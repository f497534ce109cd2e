// esbuild writes a file for each set of entries that share modules: an `ask` would open 300, at a millisecond each. What a command loads
// anyway lies in one file here (docs/decisions/2026-11-22-one-bundle.md).
import { readFileSync } from 'node:fs'
import { extname, relative, sep } from 'node:path'

// A group has these modules and all that loads with them, without what a group before it has.
const groups = {
  start: /^(src\/cli\/main|src\/store\/compile-cache|(eval|apps\/\w+)\/commands\/index)\.ts$/,
  'data-folder': /^src\/(cli\/commands\/(ls|cache)|store\/home\/[^/]+)\.ts$/,
  index:
    /^(src\/(cli\/commands\/show|runtime\/[^/]+|runtime\/models\/resolve-here)|tools\/stages\/[^/]+|models\/([^/]+\/index|(embed|hear|read|shots|transcribe|voice)[^/]*\/[^/]+))\.ts$/,
  question:
    /^(src\/cli\/commands\/ask|src\/runtime\/.+|tools\/[^/]+|graphs\/(policies\/)?[^/]+|models\/chat\/rules.*)\.ts$/,
}

// The group of each module that has one, by a build that writes nothing.
export async function groupModules(build, options) {
  const { inputs } = (await build({ ...options, splitting: false, write: false })).metafile
  const groupOf = new Map()
  for (const [name, seeds] of Object.entries(groups)) {
    for (const path of modulesLoadedWith(seeds, inputs)) if (!groupOf.has(path)) groupOf.set(path, name)
  }
  return groupOf
}

// Those that match `seeds` and what they import, but none that loads a package from node_modules with it.
function modulesLoadedWith(seeds, inputs) {
  const importsOf = path => inputs[path].imports.filter(({ kind }) => kind === 'import-statement')
  const known = new Map()
  const isLight = path => {
    if (known.has(path)) return known.get(path)
    known.set(path, true) // modules of packages import each other
    const light = importsOf(path).every(one => (one.external ? !isPackage(one.path) : isLight(one.path)))
    known.set(path, light)
    return light
  }
  const loaded = new Set(Object.keys(inputs).filter(path => seeds.test(path)))
  for (const path of loaded) for (const one of importsOf(path)) if (!one.external) loaded.add(one.path)
  return [...loaded].filter(path => isLight(path) && !path.includes('node_modules/') && /\.tsx?$/.test(path))
}

// Of what esbuild does not bundle: its own helpers are <runtime>, and "./" begins an import() of a folder.
const isPackage = path => !/^(node:|<|\.)/.test(path)

// A plugin for esbuild by which each group becomes one file, and the entries that it needs. Modules that the same entries reach share a
// file: whoever reaches one of a group reaches them all.
export function joinGroups(groupOf, root) {
  const plugin = {
    name: 'groups of modules',
    setup({ onResolve, onLoad }) {
      onResolve({ filter: /^group:/ }, ({ path }) => ({ path, namespace: 'group' }))
      onLoad({ filter: /./, namespace: 'group' }, ({ path: group }) => {
        const members = [...groupOf].filter(([, name]) => group === `group:${name}`)
        return {
          contents: [...members.map(([path]) => `import './${path}'`), 'process.version'].join('\n'),
          resolveDir: root,
        }
      })
      // The order of the modules in a file begins with its entries. From a member on, others would run before what they import.
      onResolve({ filter: /^\.\// }, ({ kind, path }) =>
        kind === 'entry-point' && groupOf.has(path.slice(2)) ? { path, namespace: 'entry' } : undefined,
      )
      onLoad({ filter: /./, namespace: 'entry' }, ({ path }) => ({
        contents: `import 'group:${groupOf.get(path.slice(2))}'\nexport * from '${path}'`, // none has a default
        resolveDir: root,
      }))
      onLoad({ filter: /\.tsx?$/ }, ({ path }) => {
        const group = groupOf.get(relative(root, path).split(sep).join('/'))
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
