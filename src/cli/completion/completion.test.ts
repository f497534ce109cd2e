import { execFileSync, spawnSync } from 'node:child_process'
import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { profileNames } from '../../config/profiles.ts'
import { tierNames } from '../../config/tiers.ts'
import type { CommandSpec } from '../command.ts'
import { profileChoices, tierChoices } from '../options.ts'
import { loadCommands } from '../specs/index.ts'
import { bashCompletion } from './bash.ts'
import { fishCompletion } from './fish.ts'
import { completedCommands } from './words.ts'
import { zshCompletion } from './zsh.ts'

const commandTable = await loadCommands()

const has = (shell: string) => spawnSync(shell, ['-c', 'true']).status === 0
const scripts = { bash: bashCompletion, zsh: zshCompletion, fish: fishCompletion }

describe.each(Object.entries(scripts))('the completion of %s', (shell, script) => {
  test.skipIf(!has(shell))(`is a valid script${has(shell) ? '' : ` (skipped: ${shell} is not installed)`}`, () => {
    const file = join(mkdtempSync(join(tmpdir(), 'longtake-completion-')), 'script')
    writeFileSync(file, script(commandTable))
    const { status, stderr } = spawnSync(shell, ['-n', file], { encoding: 'utf8' })
    expect(stderr).toBe('')
    expect(status).toBe(0)
  })

  test('knows every command and every option', () => {
    const text = script(commandTable)
    for (const { path, options } of completedCommands(commandTable)) {
      if (path.length > 0) expect(text).toContain(path.at(-1))
      for (const { flag } of options)
        expect(text).toMatch(new RegExp(shell === 'fish' ? `-l ${flag.slice(2)}\\b` : `${flag}\\b`))
    }
  })
})

describe('bash completes', () => {
  const complete = (...words: string[]) => {
    const ask = `COMP_WORDS=(${words.map(word => `'${word}'`).join(' ')}); COMP_CWORD=${words.length - 1}; _longtake; printf '%s\\n' "\${COMPREPLY[@]}"`
    return execFileSync('bash', ['-c', `${bashCompletion(commandTable)}\n${ask}`], { encoding: 'utf8' })
      .split('\n')
      .filter(Boolean)
  }

  test('commands and subcommands', () => {
    expect(complete('longtake', 's')).toEqual(['search', 'show', 'serve', 'setup'])
    expect(complete('longtake', 'config', 'cache', '')).toEqual(['ls', 'du', 'verify', 'prune'])
  })

  test('options of the command at hand', () => {
    expect(complete('longtake', 'ask', 'x.mp4', '--max-s')).toEqual(['--max-steps', '--max-seconds'])
    expect(complete('longtake', 'show', '--max-s')).toEqual([])
  })

  test('values of an option, and words of an argument', () => {
    expect(complete('longtake', 'export', 'x.mp4', '--format', 'c')).toEqual(['csv', 'chapters'])
    expect(complete('longtake', '--profile', 'e')).toEqual(['embedded'])
    expect(complete('longtake', '--profile', 'local', 'config', 'completion', '')).toEqual(['bash', 'zsh', 'fish'])
  })

  test('files where a video is due, by leaving them to bash', () => {
    expect(complete('longtake', 'ask', '')).toEqual([])
  })
})

describe('fish completes', () => {
  const complete = (line: string) => {
    const file = join(mkdtempSync(join(tmpdir(), 'longtake-completion-')), 'script')
    writeFileSync(file, fishCompletion(commandTable))
    const text = execFileSync('fish', ['--no-config', '-c', `source ${file}; complete -C '${line}'`], {
      encoding: 'utf8',
    })
    return text.split('\n').flatMap(row => row.split('\t')[0] || [])
  }

  test.skipIf(!has('fish'))(
    `only what belongs to the command${has('fish') ? '' : ' (skipped: fish is not installed)'}`,
    () => {
      expect(complete('longtake s')).toEqual(['search', 'serve', 'setup', 'show'])
      expect(complete('longtake config cache ')).toEqual(['du', 'ls', 'prune', 'verify'])
      expect(complete('longtake show x.mp4 --trac')).toEqual(['--track'])
      expect(complete('longtake runs show x --trac')).toEqual([])
      expect(complete('longtake show -')).toContain('-v')
      expect(complete('longtake --profile e')).toEqual(['embedded'])
    },
  )
})

test('the names in the table are those of the schemas', () => {
  expect(profileChoices).toEqual(['auto', ...profileNames])
  expect(tierChoices).toEqual([...tierNames, 'embedded'])
})

test('every command can be loaded and has an example', async () => {
  const below = (spec: CommandSpec): CommandSpec[] => spec.commands?.flatMap(below) ?? [spec]
  const leaves = commandTable.flatMap(below)
  for (const { name, load, examples } of leaves) {
    expect(typeof (await load?.()), name).toBe('function')
    expect(examples?.length, name).toBeGreaterThan(0)
  }
})
