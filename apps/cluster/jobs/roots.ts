import { realpath } from 'node:fs/promises'
import { join, relative, resolve, sep } from 'node:path'
import { absentAs, UsageError } from '../../../src/core/errors.ts'

type Roots = Readonly<Record<string, string>>

// "lectures:2026/talk.mp4": a file as every machine finds it below its own path of the root.
export interface Rooted {
  root: string
  path: string
}

// A path as others know it. Links are resolved first: what lies elsewhere in truth is not below a root.
export async function rootedPath(path: string, roots: Roots): Promise<Rooted> {
  const real = await realpath(path)
  for (const [root, folder] of Object.entries(roots)) {
    const below = relative(await realpath(folder).catch(absentAs(folder)), real)
    if (isBelow(below)) return { root, path: below.split(sep).join('/') }
  }
  const rootList = Object.entries(roots).map(([root, folder]) => `${root} (${folder})`)
  throw new UsageError(
    `${path} lies below none of the roots that the machines share${rootList.length > 0 ? `: ${rootList.join(', ')}` : ''}.`,
    {
      hint: `Name a folder that all machines see, as --set 'cluster.roots={"videos":"/mnt/videos"}' (in the settings of each machine, with its own path). "longtake index --queue" can copy the file to the store: --upload.`,
    },
  )
}

// The file here, where this machine has the root. Nothing outside of the root is ever opened, whatever a row says.
export async function fileBelow({ root, path }: Rooted, roots: Roots): Promise<string | undefined> {
  const folder = Object.hasOwn(roots, root) ? roots[root] : undefined
  if (folder === undefined || path.includes('\0')) return undefined
  const file = join(folder, path)
  if (!isBelow(relative(resolve(folder), resolve(file)))) return undefined
  const real = await realpath(file).catch(absentAs(undefined, 'ENAMETOOLONG', 'ELOOP'))
  return real !== undefined && isBelow(relative(await realpath(folder), real)) ? file : undefined
}

function isBelow(path: string): boolean {
  return path !== '' && path !== '..' && !path.startsWith(`..${sep}`) && resolve(path) !== path
}
