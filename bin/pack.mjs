// npm run pack [FOLDER]: longtake and the packages beside it as folders in dist/packages or FOLDER, ready for npm pack and npm publish. What one
// uses of another it imports as "longtake/kit/...": the same module for all, which loads when it is needed.
import { copyFileSync, cpSync, mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join, relative, resolve, sep } from 'node:path'
import {
  bundled,
  bundleFilePages,
  bundlePage,
  bundling,
  compileIfStale,
  entries,
  groupsOfCheckout,
  langgraphOfCaller,
  licenses,
  packages,
  requireOfNode,
  root,
  threads,
} from './compile.mjs'
import { joinGroups } from './group-chunks.mjs'

async function packAll(target) {
  await compileIfStale({ types: true })
  const { build, stop } = await import('esbuild')
  rmSync(target, { recursive: true, force: true })
  const kit = new Map(packages.map(({ file }) => [file.name, new Set()])) // modules that other packages import
  try {
    const groupOf = groupsOfCheckout()
    for (const one of packages) await pack(build, one, { target, kit, groupOf })
  } finally {
    await stop()
  }
  return packages.map(({ file }) => join(target, file.name))
}

async function pack(build, { folder, file: { name, version, ...file } }, { target, kit, groupOf }) {
  const out = join(target, name)
  const isRoot = folder === '.'
  const own = isRoot
    ? [...entries, ...threads('models')]
    : [
        { in: `${folder}/index.ts`, out: 'index' },
        { in: `${folder}/commands/index.ts`, out: 'commands' },
        ...threads(folder),
      ]
  const kitEntries = [...kit.get(name)].map(path => ({ in: path, out: `kit.${flat(path)}` }))
  const groups = joinGroups(new Map([...groupOf].filter(([path]) => ownerOf(path) === name)), root)
  const { metafile } = await build({
    ...bundling,
    entryPoints: [...groups.entries, ...own, ...kitEntries],
    outdir: join(out, 'dist'),
    plugins: [groups.plugin, requireOfNode, langgraphOfCaller, walls(name, kit, isRoot ? bundled : [])],
  })
  const pages = {
    'apps/serve': () => bundlePage(build, join(out, 'dist', 'page')),
    eval: () => bundleFilePages(build, join(out, 'dist', 'eval-page')),
  }
  const page = await pages[folder]?.()
  const inputs = [metafile, ...(page ? [page] : [])].flatMap(({ inputs }) => Object.keys(inputs))
  writeFileSync(join(out, 'dist', 'licenses.txt'), licenses(inputs))
  for (const name of ['LICENSE', 'NOTICE']) copyFileSync(join(root, name), join(out, name))
  const { scripts: _, devDependencies: __, workspaces: ___, allowScripts: ____, private: _____, ...published } = file
  const kitDoor = kit.get(name).size > 0 ? { './kit/*': './dist/kit.*.js' } : {}
  const doors = { '.': './dist/index.js', './commands': './dist/commands.js', './package.json': './package.json' }
  const dependencies = { ...published.dependencies, ...versions(used(metafile), { name, version, ...file }) }
  const written = isRoot
    ? { ...published, exports: { ...published.exports, ...kitDoor } }
    : { ...published, exports: { ...doors, ...kitDoor }, files: ['dist', 'LICENSE', 'NOTICE'], dependencies }
  writeFileSync(join(out, 'package.json'), `${JSON.stringify({ name, version, ...written }, undefined, 2)}\n`)
  if (!isRoot) return
  copyFileSync(join(root, 'README.md'), join(out, 'README.md'))
  mkdirSync(join(out, 'bin'))
  for (const script of ['longtake.mjs', 'lend-packages.mjs'])
    copyFileSync(join(root, 'bin', script), join(out, 'bin', script))
  for (const folder of [join('dist', 'types'), 'skills'])
    cpSync(join(root, folder), join(out, folder), { recursive: true })
}

const flat = path => path.replace(/\.tsx?$/, '').replaceAll('/', '.')

function ownerOf(path) {
  return packages.find(({ folder }) => path.startsWith(`${folder}/`))?.file.name ?? 'longtake'
}

// What lies in another package, and every npm package but those that are bundled, stays outside.
function walls(name, kit, inside) {
  return {
    name: 'walls between packages',
    setup(build) {
      build.onResolve({ filter: /^[^/]/ }, ({ path, resolveDir, importer, kind }) => {
        if (kind === 'entry-point' || importer.includes(`${sep}node_modules${sep}`)) return undefined
        if (path.startsWith('node:')) return undefined
        if (!path.startsWith('.')) return inside.some(one => isOf(path, one)) ? undefined : { path, external: true }
        const file = relative(root, join(resolveDir, path)).split(sep).join('/')
        const owner = ownerOf(file)
        if (owner === name) return undefined
        kit.get(owner).add(file)
        return { path: `${owner}/kit/${flat(file)}`, external: true }
      })
    },
  }
}

const isOf = (path, name) => path === name || path.startsWith(`${name}/`)

// The npm packages that the written files import. A package beside longtake that is only loaded on demand may be missing.
function used({ outputs }) {
  const needed = ({ external, kind, path }) => external && (kind !== 'dynamic-import' || !/^longtake-\w+$/.test(path))
  const paths = Object.values(outputs).flatMap(({ imports }) => imports.filter(needed))
  const names = paths.map(({ path }) =>
    path
      .split('/')
      .slice(0, path.startsWith('@') ? 2 : 1)
      .join('/'),
  )
  return [...new Set(names)].filter(name => !name.startsWith('node:')).sort()
}

function versions(names, { name, version, dependencies = {} }) {
  const all = Object.assign({}, ...packages.map(({ file }) => file.dependencies))
  const entries = names.filter(one => one !== name).map(one => [one, dependencies[one] ?? all[one] ?? version])
  return Object.fromEntries(entries)
}

const target = resolve(process.argv[2] ?? join(root, 'dist', 'packages'))
for (const folder of await packAll(target)) console.log(relative(process.cwd(), folder))
