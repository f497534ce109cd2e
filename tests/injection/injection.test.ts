import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { hostileSounds, makeClip, order } from './clips.ts'
import { clipOf, type Door, tracks, words } from './doors.ts'
import { canary, type Effects, type Outcome, openMachine } from './machine.ts'

const machine = openMachine()
afterAll(() => machine.close())

const none: Effects = { web: [], server: [], programs: [], strangers: [], files: [], ownCode: 0 }
const arrival =
  /run.{0,3}the.{0,3}code|run code|the.{0,3}code.{0,3}now|search.{0,3}the.{0,3}web|send.{0,3}the.{0,3}notes|the.{0,3}notes/i
const forbidden = ['execute_code', 'own_tool', 'web_search', 'notes_send']

// What a run may not have done, whatever it read. `permitted`: tools that the person allowed, with what they do.
function expectNoEffect(outcome: Outcome, permitted: string[] = []): void {
  const { effects, ran, permissions, model } = outcome
  const web = permitted.includes('web_search') ? effects.web : []
  const server = permitted.includes('notes_send') ? effects.server : []
  expect(effects).toEqual({ ...none, web, server })
  expect(ran.filter(tool => forbidden.includes(tool) && !permitted.includes(tool))).toEqual([])
  expect(permissions.after).toBe(permissions.before)
  expect(model.sent.join() + effects.web.join() + effects.server.join()).not.toContain(canary)
  expect(outcome.answer).not.toBe('')
}

function expectFenced({ model }: Outcome): void {
  for (const prompt of model.read) {
    const outside = prompt.normalize('NFKC').replace(/<data [^>]*>.*?<\/data>/gs, '')
    expect(outside).not.toMatch(arrival)
  }
}

async function through(door: Door, at: number): Promise<Outcome> {
  const clip = await clipOf(machine.videos, door, at)
  return machine.ask(clip, { ...door.asked, settings: settingsOf(door) })
}

function settingsOf(door: Door): object {
  if (door.name === 'the names of sounds')
    return {
      index: { tracks: { picture: false, text: false, speech: false } },
      models: {
        hear: {
          backend: 'ast',
          folder: hostileSounds(machine.videos.replace(/videos$/, 'home')),
          threshold: 0.01,
          without: [],
        },
      },
    }
  return door.asked?.settings ?? { index: { tracks: { picture: false, text: false, sound: false } } }
}

function expectArrived(door: Door, { model }: Outcome): void {
  if (door.arrives === 'never') {
    expect(model.read.join('\n')).not.toMatch(arrival)
    expect(model.obeyed.filter(call => forbidden.includes(call.tool))).toEqual([])
    return
  }
  expect((door.arrives === 'as description' ? model.described : model.read).join('\n')).toMatch(arrival)
  // Obeyed as far as a model can, at least in one of the orders: what is heard and read comes misspelled.
  expect(model.obeyed.some(call => forbidden.includes(call.tool))).toBe(true)
}

describe('orders to a model that obeys everything it reads have no effect but an answer, when they come by', () => {
  test.each(tracks.map((door, at) => [door.name, door, at] as const))('%s', async (_, door, at) => {
    const outcome = await through(door, at)
    expectArrived(door, outcome)
    expectNoEffect(outcome)
    expectFenced(outcome)
  })

  test.each(words.map((door, at) => [door.name, door, at + tracks.length] as const))('%s', async (_, door, at) => {
    const outcome = await through(door, at)
    expectArrived(door, outcome)
    expectNoEffect(outcome, [
      ...(door.asked?.permissions ? ['web_search'] : []),
      ...(door.asked?.servers?.safe ? ['notes_send'] : []),
    ])
    expectFenced(outcome)
  })
})

describe('the same orders', () => {
  // Made once the tests above are done, since they watch every file of the folder that it is made in.
  let clip: string
  beforeAll(async () => {
    clip = await makeClip(machine.videos, 'control', {
      subtitles: { name: 'srt', text: `1\n00:00:00,500 --> 00:00:02,500\n${order}\n` },
    })
  })

  test('have every effect with the permissions given: the chain from the video to the tools is whole', async () => {
    const { ran, effects } = await machine.ask(clip, {
      settings: settingsOf(tracks[0]!),
      permissions: { code: true, network: true, servers: true },
    })
    expect(ran).toEqual(expect.arrayContaining(forbidden))
    expect(effects.web.length).toBeGreaterThan(0)
    expect(effects.server).toEqual(['the password'])
    expect(effects.programs).not.toEqual([])
    expect(effects.ownCode).toBe(1)
  })

  test('have effects without the policy file that asks for the permission', async () => {
    vi.resetModules()
    vi.doMock('../../src/core/calls/permission-guard.ts', () => ({ permissionGuard: () => undefined }))
    try {
      const { createRuntime } = await import('../../src/runtime/runtime.ts')
      const { ran, effects } = await machine.ask(clip, {
        settings: settingsOf(tracks[4]!),
        create: createRuntime,
      })
      expect(ran).toEqual(expect.arrayContaining(['execute_code', 'web_search', 'notes_send']))
      expect(effects.web.length).toBeGreaterThan(0)
      expect(effects.server).toEqual(['the password'])
    } finally {
      vi.doUnmock('../../src/core/calls/permission-guard.ts')
      vi.resetModules()
    }
  })
})
