import { open, stat } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { filesBelow } from '../files-below.ts'

export interface ArchiveFiles {
  sort: 'zip' | 'tar' | 'tar.gz'
  files: string[] // the pieces in order; one where it lies whole
  bytes: number
}

// The archives below a folder. Data sets cut theirs in several ways, and name pieces like wholes: what a file is, its first bytes
// and its end tell.
export async function findArchives(folder: string): Promise<ArchiveFiles[]> {
  const groups = new Map<string, { file: string; order: string }[]>()
  const files = await filesBelow(folder, 2)
  const there = new Set(files)
  for (const file of files) {
    const isLast = /\.zip$/i.test(file) && there.has(file.replace(/\.zip$/i, '.z01'))
    const partNumber = isLast ? splitPart(basename(file)) : parsePart(basename(file))
    if (!partNumber) continue
    const key = join(dirname(file), partNumber.stem)
    groups.set(key, [...(groups.get(key) ?? []), { file, order: partNumber.order }])
  }
  const archiveFiles: ArchiveFiles[] = []
  for (const group of groups.values()) {
    group.sort((a, b) => a.order.localeCompare(b.order, 'en', { numeric: true }))
    archiveFiles.push(...(await groupArchives(group.map(({ file }) => file))))
  }
  return archiveFiles
}

// A file that is an archive by its first bytes.
export async function archiveAt(file: string): Promise<ArchiveFiles | undefined> {
  return (await groupArchives([file]))[0]
}

// What to type to unpack it, in the folder where it lies.
export function unpackCommand({ sort, files }: ArchiveFiles): string {
  const names = files.map(file => quoted(basename(file)))
  const [first = ''] = files
  const folder = `cd ${quoted(dirname(first))} && `
  if (sort === 'zip' && files.length === 1) return `${folder}unzip -n ${names[0]}`
  const nameList = names.length <= 6 ? names.join(' ') : `$(ls -v ${pattern(files)})`
  if (sort !== 'zip') return `${folder}cat ${nameList} | tar -x${sort === 'tar' ? '' : 'z'}f -`
  const last = basename(files.at(-1) ?? '')
  if (/\.zip$/i.test(last) && /\.z\d+$/i.test(first))
    return `${folder}zip -s 0 ${quoted(last)} --out whole.zip && unzip -n whole.zip`
  return `${folder}cat ${nameList} > whole.zip && unzip -n whole.zip`
}

// Pieces of one archive share what their names begin with: x.zip.001, x.z01 and x.zip, chunk_1.zip, part_aa.tar.gz, x.tar.part.aa.
function parsePart(name: string): { stem: string; order: string } | undefined {
  const after = /^(.+\.(?:zip|tar|tar\.gz|tgz))[._-](?:part[._-]?)?((?!gz$)[a-z]{2,3}|\d{1,4})$/i.exec(name)
  if (after) return { stem: `${after[1]}.`, order: after[2] ?? '' }
  const numbered =
    /^(.*?[._-](?:part|chunk|chunked|split|piece)?[._-]?)([a-z]{2}|\d{1,4})(\.(?:zip|tar|tar\.gz|tgz))$/i.exec(name)
  if (numbered) return { stem: `${numbered[1]}*${numbered[3]}`, order: numbered[2] ?? '' }
  return /\.(?:tar|tar\.gz|tgz)$/i.test(name) ? { stem: name, order: '' } : splitPart(name)
}

// x.z01, x.z02, ..., and x.zip last.
function splitPart(name: string): { stem: string; order: string } | undefined {
  const [, stem, order = ''] = /^(.+)\.z(\d{2,3}|ip)$/i.exec(name) ?? []
  return stem === undefined ? undefined : { stem: `${stem}.z*`, order: /ip/i.test(order) ? '9999' : order }
}

// Each file for itself where each begins like an archive; else all of them in a row.
async function groupArchives(files: readonly string[]): Promise<ArchiveFiles[]> {
  const heads = await Promise.all(files.map(async file => ({ file, sort: await readSort(file) })))
  const sort = heads[0]?.sort
  if (sort === undefined) return []
  const wholes = heads.flatMap(({ file, sort }) => (sort ? [{ file, sort }] : []))
  if (wholes.length < files.length) return [await archive(sort, files)]
  return Promise.all(wholes.map(({ file, sort }) => archive(sort, [file])))
}

async function archive(sort: ArchiveFiles['sort'], files: readonly string[]): Promise<ArchiveFiles> {
  const sizes = await Promise.all(files.map(async file => (await stat(file)).size))
  return { sort, files: [...files], bytes: sizes.reduce((sum, size) => sum + size, 0) }
}

async function readSort(file: string): Promise<ArchiveFiles['sort'] | undefined> {
  const handle = await open(file)
  try {
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(512), 0, 512, 0)
    const head = buffer.subarray(0, bytesRead)
    if (head[0] === 0x1f && head[1] === 0x8b) return 'tar.gz'
    if (head.toString('latin1', 257, 262) === 'ustar') return 'tar'
    // A split archive begins with a mark of its own before its first member; one without members is all end.
    return ['PK\x03\x04', 'PK\x07\x08', 'PK\x05\x06', 'PK00'].includes(head.toString('latin1', 0, 4))
      ? 'zip'
      : undefined
  } finally {
    await handle.close()
  }
}

// What all names begin with and what all end with, with a star between.
function pattern(files: readonly string[]): string {
  const names = files.map(file => basename(file))
  const [first = ''] = names
  let start = first
  while (!names.every(name => name.startsWith(start))) start = start.slice(0, -1)
  let end = first.slice(start.length)
  while (!names.every(name => name.endsWith(end))) end = end.slice(1)
  return `${quoted(start)}*${quoted(end)}`
}

function quoted(word: string): string {
  return word === '' || /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`
}
