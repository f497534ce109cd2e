import { execFile } from 'node:child_process'
import { cp, mkdir, readdir, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'

const run = promisify(execFile)
const root = join(import.meta.dirname, '..', '..')

export interface Consumer {
  folder: string
  typeErrors(...files: string[]): Promise<string> // of the strictest compiler; '' where there are none
  compile(): Promise<string> // the same, and what the examples are run from
  start(file: string, video: string, home: string): Promise<{ out: string; err: string; code: number }>
}

// A project of its own that has longtake as the registry would give it: packed, without our sources.
export async function makeConsumer(folder: string): Promise<Consumer> {
  const modules = join(folder, 'node_modules')
  await mkdir(join(modules, 'longtake'), { recursive: true })
  await run(process.execPath, [join(root, 'bin', 'pack.mjs'), join(folder, 'packages')])
  const { stdout } = await run('npm', ['pack', '--json', '--pack-destination', folder], {
    cwd: join(folder, 'packages', 'longtake'),
  })
  const [{ filename }] = JSON.parse(stdout) as [{ filename: string }]
  await run('tar', ['xzf', join(folder, filename), '--strip-components=1', '-C', join(modules, 'longtake')])
  for (const name of await readdir(join(root, 'node_modules')))
    if (!name.startsWith('longtake')) await symlink(join(root, 'node_modules', name), join(modules, name))
  await cp(join(root, 'docs', 'examples', 'library'), folder, { recursive: true })
  await writeFile(join(folder, 'package.json'), '{ "type": "module", "private": true }\n')
  await writeFile(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions: strictest, include: ['*.ts'] }))
  // What the compiler says of the project and of longtake; the types of LangGraph are not as strict as these settings.
  const tsc = async (...words: string[]) => {
    const all = [join(root, 'node_modules', 'typescript', 'bin', 'tsc'), '-p', '.', ...words]
    const said = await run(process.execPath, all, { cwd: folder }).catch((error: { stdout: string }) => error)
    const errors = said.stdout.split(/\n(?! )/).filter(error => !/^\S*node_modules\/(?!longtake\/)/.test(error))
    return errors.join('\n').trim()
  }
  return {
    folder,
    typeErrors: () => tsc('--noEmit'),
    compile: () => tsc(),
    start: (file, video, home) =>
      run(process.execPath, [join(folder, file), video], {
        cwd: folder,
        env: { ...process.env, LONGTAKE_HOME: home },
        timeout: 120_000,
      }).then(
        ({ stdout: out, stderr: err }) => ({ out, err, code: 0 }),
        (error: { stdout: string; stderr: string; code?: number }) => ({
          out: error.stdout,
          err: error.stderr,
          code: error.code ?? 1,
        }),
      ),
  }
}

const strictest = {
  incremental: true, // what did not change is not looked at again
  target: 'es2022',
  lib: ['es2023', 'esnext.disposable'],
  module: 'nodenext',
  moduleResolution: 'nodenext',
  types: ['node'],
  strict: true,
  exactOptionalPropertyTypes: true,
  skipLibCheck: false,
}
