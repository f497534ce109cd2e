import { describe, expect, test } from 'vitest'
import { Config } from '../../config/schema.ts'
import { ToolSettings } from '../../config/tool-settings.ts'
import type { Permission } from '../../core/tool.ts'
import { listTools } from './list-tools.ts'
import { recallNotes, runMemory } from './memory.ts'
import { builtIn } from './toolbox.ts'

const host = { home: '', environment: {}, signal: new AbortController().signal, say: () => {} }
const names = (settings: object, ...permissions: Permission[]) =>
  builtIn(ToolSettings.parse(settings), new Set(permissions))

describe('the tools that an agent is shown', () => {
  test('are the core ones, and what runs code or asks the web only with its permission', () => {
    expect(names({})).not.toContain('execute_code')
    expect(names({}, 'code')).toContain('execute_code')
    expect(names({}, 'network')).not.toContain('web_search')
    expect(names({ web: { provider: 'searxng' } }, 'network')).toContain('web_search')
    expect(names({ sets: 'longshot' })).toHaveLength(16)
    expect(new Set(names({ sets: 'all' })).size).toBe(names({ sets: 'all' }).length)
  })

  test('are listed with what each lacks', async () => {
    const tools = await listTools(Config.parse({ tools: { sets: 'longshot' }, permissions: { code: true } }), host)
    const state = (name: string) => tools.find(tool => tool.name === name)?.state
    expect([state('execute_code'), state('web_search'), state('timeline')]).toEqual(['shown', 'refused', 'not shown'])
  })

  test('are those that the planner can do something with', async () => {
    const states = async (backend: string) => {
      const tools = await listTools(Config.parse({ models: { planner: { backend } } }), host)
      return ['search', 'focus'].map(name => tools.find(tool => tool.name === name)?.state)
    }
    expect(await states('rules')).toEqual(['shown', 'not shown'])
    expect(await states('openai')).toEqual(['shown', 'shown'])
  })

  test('a server that cannot be started stops the run, and says which', async () => {
    const servers = { notes: { command: 'no-such-program' } }
    await expect(listTools(Config.parse({ tools: { servers } }), host)).rejects.toThrow(/"notes" could not be reached/)
    const needy = { notes: { command: 'true', variables: ['NOT_SET_ANYWHERE'] } }
    await expect(listTools(Config.parse({ tools: { servers: needy } }), host)).rejects.toThrow(
      /NOT_SET_ANYWHERE, which is not set/,
    )
  })
})

describe('the memory of a run', () => {
  test('comes back from the steps of a run that was stopped, with the same ids', () => {
    const step = (func: string, data: string, evidence: string[] = []) => ({
      ...{ round: 1, tool: 'memory_tool', input: { func, data }, outcome: 'found' as const },
      ...{ evidence, notes: [], seconds: 0 },
    })
    const before = runMemory()
    recallNotes(before, [step('add', 'the falcon flies', ['s0123456789']), step('add', 'gone soon')])
    const gone = before.search('gone')[0]!.id
    const after = runMemory()
    recallNotes(after, [
      step('add', 'the falcon flies', ['s0123456789']),
      step('add', 'gone soon'),
      step('delete', gone),
    ])
    expect(after.search('')).toEqual(before.search('falcon'))
    expect(after.search('')[0]!.source).toBe('memory_tool, round 2; rests on s0123456789')
  })

  test('finds notes by their words, best first, with where they came from', () => {
    const memory = runMemory()
    memory.add('the falcon flies at noon', 'round 1')
    const id = memory.add('the red falcon lands', 'round 2')
    expect(memory.search('red FALCON').map(note => note.source)).toEqual(['round 2', 'round 1'])
    expect(memory.remove(id)).toBe(true)
    expect(memory.search('red')).toEqual([])
    expect(memory.search('')).toHaveLength(1)
  })
})
