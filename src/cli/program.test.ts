import { Command } from 'commander'
import { describe, expect, test } from 'vitest'
import { commandLine } from '../../tests/support/command-line.ts'
import { Call, type CommandContext } from './call.ts'
import { option } from './command.ts'
import { addCommandName } from './file-first.ts'
import { addOption } from './program.ts'
import { loadCommands } from './specs/index.ts'

const commandTable = await loadCommands()

const line = commandLine(async () => Promise.reject(new Error('was opened')))

describe('what is typed wrong', () => {
  test.each([
    [['aks', 'x', 'y'], 'Unknown command "aks".', 'Did you mean "ask"?'],
    [['cache', 'prun'], 'Unknown command "prun".', 'Did you mean "prune"?'],
    [['ask', 'x', 'y', '--jsn'], 'Unknown option "--jsn".', 'Did you mean "--json"?'],
    [['ask', 'x', 'y', '--wat'], 'Unknown option "--wat".', 'put -- before it'],
    [['ask', 'x'], 'Missing required argument "question".', 'See "longtake ask --help".'],
    [['ask', 'x', 'why', 'me'], 'Too many arguments for "ask". Expected 2 arguments but got 3.', 'in quotes'],
    [['export', 'x', '--format', 'chapter'], 'Unknown --format "chapter".', 'Did you mean "chapters"?'],
    [['completion', 'bsh'], 'Unknown shell "bsh".', 'Did you mean "bash"?'],
    [['ask', 'x', 'y', '--profile', 'lokal'], 'Unknown --profile "lokal".', 'Did you mean "local"?'],
    [['show', 'x', '--track'], 'Option "--track <name>" argument missing.', 'See "longtake show --help".'],
    [['config', 'show', '--set', 'index.levl=quick'], 'Unknown setting "index.levl"', 'Did you mean "index.level"?'],
    [['config', 'show', '--config', 'nowhere.json'], 'Cannot read the settings file', '--config PATH'],
    [['ask', 'x', 'y', '--from-step', '2'], '--from-step has no effect without --fork.', 'Add --fork'],
    [['cache'], 'longtake cache needs a command: ls, du, verify, prune.', 'See "longtake cache --help".'],
    [['config', 'cache', 'prun'], 'Unknown command "prun".', 'Did you mean "prune"?'],
    [['help', 'serch'], 'Unknown command "serch".', 'Did you mean "search"?'],
  ])('%j', async (argv, message, hint) => {
    const { code, stdout, stderr } = await line.run(...argv)
    expect(code).toBe(2)
    expect(stdout).toBe('')
    expect(stderr).toMatch(/^error: [^\n]+\nhint: [^\n]+\n$/)
    expect(stderr).toContain(message)
    expect(stderr).toContain(hint)
  })
})

test('a switch that begins with --no- is read by its name', () => {
  const flags = ['--no-captions', '--no-people'].map(flag => option(flag, 'a switch'))
  const command = new Command()
  for (const spec of flags) addOption(command, spec)
  command.parse(['--no-captions'], { from: 'user' })
  const call = new Call([], command.opts(), {} as CommandContext)
  expect(['--no-captions', '--no-people', '--captions'].map(flag => call.has(flag))).toEqual([true, false, false])
  expect(command.opts()).toEqual({ noCaptions: true })
})

describe('the help', () => {
  test('begins with examples and names every command', async () => {
    const { code, stdout, stderr } = await line.run('--help')
    expect([code, stderr]).toEqual([0, ''])
    expect(stdout).toMatch(/^Examples:\n {2}longtake talk.mp4 /)
    const [visible, earlier] = [commandTable.filter(spec => !spec.isHidden), commandTable.filter(spec => spec.isHidden)]
    expect(visible.length).toBeLessThanOrEqual(16)
    for (const { name } of visible) expect(stdout).toMatch(new RegExp(`^ {2}${name} `, 'm'))
    for (const { name } of earlier) expect(stdout).not.toMatch(new RegExp(`^ {2}${name} `, 'm'))
    expect(await line.run()).toEqual({ code, stdout, stderr })
  })

  test('comes in groups, each command in one', () => {
    for (const { name, group, isHidden } of commandTable)
      expect([name, group === undefined]).toEqual([name, isHidden === true])
  })

  test('of one command is the same by help and by --help', async () => {
    const { stdout } = await line.run('help', 'search')
    expect(stdout).toMatch(/^Examples:\n {2}longtake search /)
    expect(stdout).toContain('--nth <n>')
    expect((await line.run('search', '--help')).stdout).toBe(stdout)
    expect((await line.run('cache', 'prune', '--help')).stdout).toContain('--dry-run')
  })

  test('of options that every command takes stands with each command', async () => {
    expect((await line.run('doctor', '--help')).stdout).toContain('--set <name=value>')
  })
})

test('the version is that of the package', async () => {
  expect((await line.run('--version')).stdout).toMatch(/^\d+\.\d+\.\d+\n$/)
})

test('common options may stand before and after the command', async () => {
  const before = await line.run('--profile', 'local', 'config', 'show')
  const after = await line.run('config', 'show', '--profile', 'local')
  expect(before.stdout).toMatch(/^profile +local$/m)
  expect(after.stdout).toBe(before.stdout)
})

describe('a file in the place of a command', () => {
  const commands = commandTable
  test.each([
    ['talk.mp4', 'chat talk.mp4'],
    ['talk.mp4 Why?', 'ask talk.mp4 Why?'],
    ['--profile local talk.mp4 Why? --json', '--profile local ask talk.mp4 Why? --json'],
    ['talk.mp4 --session s', 'chat talk.mp4 --session s'],
    ['https://example.org/v/1 Why?', 'ask https://example.org/v/1 Why?'],
    ['ask talk.mp4 Why?', 'ask talk.mp4 Why?'],
    ['aks talk.mp4', 'aks talk.mp4'],
    ['--json', '--json'],
    ['-- talk.mp4', '-- talk.mp4'],
  ])('%s', (typed, run) => {
    expect(addCommandName(typed.split(' '), '/nowhere', commands).join(' ')).toBe(run)
  })
})
