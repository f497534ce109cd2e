import { existsSync } from 'node:fs'
import { chmod, lstat, mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { quickIndex } from '../bench/small-data.ts'
import { longtake } from './longtake.ts'
import { renderTownStart } from './town-video.ts'

let folder: string
let video: string
const umask = process.umask()

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'longtake-private-'))
  video = join(folder, 'town.mp4')
  await renderTownStart(video)
  process.umask(0) // inherited by the programs that are started
})
afterAll(async () => {
  process.umask(umask)
  await rm(folder, { recursive: true, force: true })
})

// Everything below that anyone but its owner has a right to.
async function open(root: string): Promise<string[]> {
  const names = ['', ...(await readdir(root, { recursive: true }))]
  const modes = await Promise.all(
    names.map(async name => [name, (await lstat(join(root, name))).mode & 0o077] as const),
  )
  return modes.filter(([, mode]) => mode !== 0).map(([name]) => name)
}

describe('with umask 000', () => {
  test('nothing that a command keeps can be read by others, and a file that the user asked for has the umask', async () => {
    const home = join(folder, 'deep', 'home')
    const out = join(folder, 'out.srt')
    const needle = join(folder, 'needle')
    const runs = [
      await longtake(['index', video], { home }),
      await longtake(['ask', video, 'How many paintings does the museum have?', '--record', '--session', 'one'], {
        home,
      }),
      await longtake(['chat', video, '--session', 'two'], { home, input: 'When does the first tour start?\n' }),
      await longtake(['export', video, '--format', 'srt', '--out', out], { home }),
      await longtake(['search', 'museum', '--all'], { home }),
      await longtake(['bench', 'make', 'needle', '--out', needle, '--minutes', '2', '--videos', '1'], { home }),
      await longtake(['bench', 'run', 'needle', '--data', needle, '--limit', '1', ...quickIndex], { home }),
    ]
    for (const { code, err } of runs) expect([0, 6], err).toContain(code)
    const kept = await readdir(home, { recursive: true })
    expect(kept.length).toBeGreaterThan(60)
    for (const name of ['lock.sqlite', 'words.sqlite', 'vectors.index', 'stills.bin', 'samples.jsonl', 'one.jsonl'])
      expect(
        kept.some(path => path.endsWith(name)),
        name,
      ).toBe(true)
    expect(await open(home)).toEqual([])
    for (const asked of [out, join(needle, 'needle.json')]) expect((await lstat(asked)).mode & 0o777, asked).toBe(0o666)
  }, 300_000)

  test('what a killed index leaves cannot be read by others either', async () => {
    const home = join(folder, 'killed')
    // On a busy machine nothing is begun after so short a time, so the last kill waits until something is.
    for (const killAfter of [900, 1500, 2500]) await longtake(['index', video], { home, killAfter })
    for (let killAfter = 5000; !existsSync(home); killAfter *= 2) await longtake(['index', video], { home, killAfter })
    expect(await open(home)).toEqual([])
  })
})

describe('a data folder that others can read', () => {
  async function looseHome(name: string): Promise<string> {
    const home = join(folder, name)
    await mkdir(join(home, 'sessions'), { recursive: true, mode: 0o755 })
    await mkdir(join(home, 'runs', 'old', 'calls'), { recursive: true, mode: 0o755 })
    await writeFile(join(home, 'runs', 'old', 'calls', 'a.json'), '{}', { mode: 0o644 })
    return home
  }

  test('is tightened by the next command, which says so once', async () => {
    const home = await looseHome('loose')
    const first = await longtake(['sessions', 'ls'], { home })
    expect(first.err).toContain('private to this user now')
    expect(await open(home)).toEqual([])
    expect((await longtake(['sessions', 'ls'], { home })).err).not.toContain('private')
  })

  test('keeps the mode of folders in it that are not of longtake, and of what links in it name', async () => {
    const home = await looseHome('shared')
    await mkdir(join(home, 'photos'), { mode: 0o755 })
    await longtake(['sessions', 'ls'], { home })
    expect((await open(home)).sort()).toEqual(['', 'photos'])
  })

  test.skipIf(process.getuid?.() !== 0)(
    'is refused where another user has made it in a folder that everybody may write to [needs root]',
    async () => {
      const home = await looseHome('squatted')
      await chmod(folder, 0o1777)
      const { execFileSync } = await import('node:child_process')
      execFileSync('chown', ['12345', home])
      const { code, err } = await longtake(['sessions', 'ls'], { home })
      await chmod(folder, 0o700)
      expect(code).toBe(7)
      expect(err).toContain('belongs to another user (12345)')
      expect(err).toContain('Set LONGTAKE_HOME')
    },
  )
})
