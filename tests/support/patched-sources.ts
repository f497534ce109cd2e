import { cp, mkdir, mkdtemp, readFile, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'

const root = new URL('../..', import.meta.url).pathname
const copied = ['package.json', 'tsconfig.json', 'src', 'models', 'tools', 'graphs', 'apps/serve/page/lanes']

// A copy of the sources with the patches of docs/examples, to be compiled and run. Remove it at the end.
export async function patchedSources(patches: readonly string[]): Promise<{ folder: string; files: string[] }> {
  delete process.env.LONGTAKE_BUILD // its threads run what is patched
  const folder = await mkdtemp(join(tmpdir(), 'longtake-patched-'))
  for (const path of copied)
    await cp(join(root, path), join(folder, path), { recursive: true, filter: from => !/\.test\.tsx?$/.test(from) })
  await symlink(join(root, 'node_modules'), join(folder, 'node_modules'))
  const files: string[] = []
  for (const patch of patches) {
    const text = await readFile(join(root, 'docs/examples', patch), 'utf8')
    for (const [, old = '', path = '', body = ''] of text.matchAll(
      /^--- (.+)\n\+\+\+ b\/(.+)\n@@\n((?:[ +\-@].*\n)+?)(?=---|$(?![\s\S]))/gm,
    )) {
      files.push(path)
      await patchFile(join(folder, path), old === '/dev/null', body.split('@@\n'))
    }
  }
  return { folder, files }
}

// Each hunk stands in the file exactly once.
async function patchFile(path: string, isNew: boolean, hunks: readonly string[]): Promise<void> {
  const side = (hunk: string, sign: '+' | '-') =>
    hunk
      .split('\n')
      .filter(line => line.startsWith(' ') || line.startsWith(sign))
      .map(line => `${line.slice(1)}\n`)
      .join('')
  let text = isNew ? '' : await readFile(path, 'utf8')
  for (const hunk of hunks) {
    const [before, after] = [side(hunk, '-'), side(hunk, '+')]
    if (!isNew && text.split(before).length !== 2) throw new Error(`${path} does not hold once:\n${before}`)
    text = isNew ? after : text.replace(before, () => after)
  }
  await mkdir(dirname(path), { recursive: true })
  await writeFile(path, text)
}
