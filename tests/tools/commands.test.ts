import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { commandLine } from '../support/command-line.ts'

const fine = `export default ({ z }) => ({
  name: 'rows_there',
  description: 'How many rows there are, for the tests of the command line.',
  input: z.object({ least: z.number().default(0).describe('seconds') }),
  run: async (_, context) => ({ evidence: [], text: String(context.index.evidence().length) }),
})`

describe('longtake config tool', () => {
  test('list shows what the agent is shown, with a tool of the person among it', async () => {
    const shell = commandLine()
    writeFileSync(join(shell.cwd, 'mine.mjs'), fine)
    const listed = await shell.run('tool', 'list', '--json', '--tool', 'mine.mjs')
    expect(listed.code).toBe(0)
    const { sets, tools } = JSON.parse(listed.stdout) as { sets: string; tools: { name: string; state: string }[] }
    expect(sets).toBe('core')
    expect(tools.find(tool => tool.name === 'rows_there')).toMatchObject({ from: 'yours', state: 'shown' })
    expect(tools.find(tool => tool.name === 'execute_code')).toMatchObject({ state: 'not shown', danger: 'code' })
    const plain = await shell.run('tool', 'list', '--set', 'tools.sets=all')
    expect(plain.stdout).toMatch(/execute_code +longshot +refused \(code\)/)
  })

  test('check says what is right and wrong, and its code says whether the tool conforms', async () => {
    const shell = commandLine()
    writeFileSync(join(shell.cwd, 'mine.mjs'), fine)
    const good = await shell.run('tool', 'check', 'mine.mjs')
    expect([good.code, good.stdout.split('\n')[0]]).toEqual([0, 'rows_there: conforms.'])
    writeFileSync(join(shell.cwd, 'late.mjs'), fine.replace('async (_, context) =>', '() => new Promise(() => {}) ||'))
    const bad = await shell.run('tool', 'check', 'late.mjs', '--json', '--seconds', '1')
    expect(bad.code).toBe(2)
    expect(JSON.parse(bad.stdout)).toMatchObject({ tool: 'rows_there', conforms: false })
    const input = await shell.run('tool', 'check', 'mine.mjs', '--input', '[1]')
    expect(input.stderr).toContain('must be a JSON object')
  })

  test('a tool that is not there or is none is told before anything else happens', async () => {
    const shell = commandLine()
    writeFileSync(join(shell.cwd, 'none.mjs'), 'export default 1')
    expect((await shell.run('tool', 'list', '--tool', 'nowhere.mjs')).stderr).toContain('There is no tool file')
    expect((await shell.run('tool', 'list', '--tool', 'none.mjs')).stderr).toContain('is not a tool')
  })
})
