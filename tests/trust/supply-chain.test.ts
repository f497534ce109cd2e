import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'

const root = join(import.meta.dirname, '../..')
const read = (name: string) => readFileSync(join(root, name), 'utf8')
const { packages } = JSON.parse(read('package-lock.json')) as { packages: Record<string, Locked> }
const { allowScripts } = JSON.parse(read('package.json')) as { allowScripts: Record<string, boolean> }

interface Locked {
  version?: string
  integrity?: string
  resolved?: string
  link?: boolean
  hasInstallScript?: boolean
}

// This checkout and its own packages, each with the link to it; everything else comes from a registry.
const ownFolders = ['', 'eval', 'apps/serve', 'apps/cluster']
const ownLinks = ownFolders.slice(1).map(folder => `node_modules/longtake-${folder.replace('apps/', '')}`)
const installed = Object.entries(packages).filter(([path]) => ![...ownFolders, ...ownLinks].includes(path))

test('only the packages of this checkout are links, and each to its folder', () => {
  const links = Object.entries(packages).filter(([, { link }]) => link)
  expect(links.map(([path, { resolved }]) => [path, resolved])).toEqual(
    ownLinks.map((path, at) => [path, ownFolders[at + 1]]).sort(),
  )
})

test('every package of the lockfile is a registry version with a SHA-512, and no address is written down', () => {
  const odd = installed.filter(
    ([, { integrity, resolved, link }]) => !integrity?.startsWith('sha512-') || resolved || link,
  )
  expect(odd.map(([path]) => path)).toEqual([])
})

test('the packages with an install script are those that were looked at, and setup builds the native ones among them', () => {
  const scripted = installed.filter(([, { hasInstallScript }]) => hasInstallScript)
  const names = scripted.map(([path]) => path.replace(/^.*node_modules\//, ''))
  expect(names.filter(name => !(name in allowScripts))).toEqual([])
  const native = [...read('scripts/setup.sh').matchAll(/\bnative\+?=' ?([\w-]+)'/g)].map(found => found[1])
  const allowed = Object.entries(allowScripts).filter(([, allow]) => allow)
  expect(allowed.map(([name]) => name).sort()).toEqual(native.sort())
})

test('setup installs without the scripts of packages', () => {
  const installs = read('scripts/setup.sh').match(/^\s*npm (ci|install|i)\b.*/gm)
  expect(installs).toHaveLength(1)
  expect(installs?.join()).toContain(' --ignore-scripts ')
})
