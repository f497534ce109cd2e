import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import type { Call } from '../../src/cli/call.ts'
import { openAnswer } from '../../src/cli/open-answer.ts'
import { routes } from '../../src/core/api/routes.ts'
import type { AskReport } from '../../src/core/runtime.ts'
import { startServer } from './serving.ts'

const folder = mkdtempSync(join(tmpdir(), 'longtake-open-'))
const place = (name: string) => join(folder, name)
afterAll(() => rmSync(folder, { recursive: true, force: true }))

// A desktop whose opener writes down what it was given.
function opener(script: string): Record<string, string> {
  const path = place('opener')
  writeFileSync(path, `#!/bin/sh\n${script}\n`)
  chmodSync(path, 0o755)
  return { LONGTAKE_XDG_OPEN: path }
}

test.skipIf(process.platform !== 'linux')(
  '--open gives the browser a private file that leads to the page, and no argument holds the token',
  async () => {
    const server = await startServer(
      ['--open'],
      place('home'),
      opener(`echo "$@" > ${place('arguments')}.part; mv ${place('arguments')}.part ${place('arguments')}`),
    )
    await expect.poll(() => existsSync(place('arguments'))).toBe(true)
    const file = readFileSync(place('arguments'), 'utf8').trim()
    expect(file).not.toContain(server.token)
    expect(statSync(file).mode & 0o077).toBe(0)
    expect(readFileSync(file, 'utf8')).toContain(`url=${server.origin}/#token=${server.token}"`)
    await server.stop()
    expect(existsSync(file)).toBe(false)
  },
)

test('--open says where there is nothing to open a browser with', async () => {
  const server = await startServer(['--open'], place('home'), { LONGTAKE_XDG_OPEN: place('none') })
  await expect.poll(server.said).toContain('open the address yourself')
  await server.stop()
})

test.skipIf(process.platform !== 'linux')(
  'ask --open opens the answer at its first citation, or says what is missing',
  async () => {
    const remarks: string[] = []
    const script = `echo "$@" > ${place('answer')}.part; mv ${place('answer')}.part ${place('answer')}`
    const environment = { ...process.env, ...opener(script) }
    const call = (environment: object) =>
      ({
        home: async () => place('home'),
        world: { environment },
        remark: (line: string) => remarks.push(line),
      }) as unknown as Call
    const row = { id: 's1', video: 'v1', track: 'speech', text: 'A.', by: 'x/y', span: { start: 1.5, end: 4 } }
    const answer = { sentences: [{ text: 'A.', cites: ['s1'], verdict: 'supported' }] }
    const report = { answer, evidence: [row], video: { id: 'v1' }, run: '/home/runs/r1' } as unknown as AskReport
    const overAll = { ...report, library: {} } as unknown as AskReport
    const server = await startServer([], place('home'))
    await openAnswer(call(environment), report)
    await expect.poll(() => existsSync(place('answer'))).toBe(true)
    const file = readFileSync(place('answer'), 'utf8').trim()
    const address = `${server.origin}/v/v1?t=1.5-4&row=s1&run=r1#token=${server.token}`
    expect(readFileSync(file, 'utf8')).toContain(address)
    expect(remarks).toEqual([])
    await openAnswer(call({ LONGTAKE_XDG_OPEN: place('none') }), overAll)
    expect(remarks.pop()).toContain(`${server.origin}/ask?run=r1#token=${server.token}`)
    await server.kill()
    await openAnswer(call(environment), report)
    expect(remarks.pop()).toContain('run "longtake serve" in another terminal')
  },
)

test('another profile is chosen by a request: the server goes on at its address, unless the profile is not ready or not allowed', async () => {
  const server = await startServer(['--set', 'serve.profiles=["embedded","onnx"]'], place('home'))
  const choose = async (profile: string) => {
    const { status, json } = await server.call('POST', '/profile', { profile })
    return [status, JSON.stringify(json)]
  }
  const profiles = async () => {
    const reply = await server.call('GET', '/answering').catch(() => undefined) // while it starts anew
    return reply ? routes.answering.reply.parse(reply.json).profiles : []
  }
  try {
    const anew = (await profiles()).map(({ name, chosen, refused, anew }) => [name, chosen, !refused, anew.length > 0])
    expect(anew).toEqual([
      ['auto', true, true, false],
      ['embedded', false, true, false],
      ['local', false, false, true],
      ['onnx', false, true, true],
      ['paper', false, false, true],
      ['remote', false, false, true],
    ])
    expect(await choose('local')).toEqual([403, expect.stringContaining('serve.profiles')])
    expect(await choose('none')).toEqual([400, expect.stringContaining('Choose one of: auto, embedded')])
    expect(await choose('onnx')).toEqual([409, expect.stringContaining('Profile onnx is not ready')])
    const tried = await server.call('POST', '/answering/try', { profile: 'embedded' })
    expect(routes.tryAnswering.reply.parse(tried.json)).toMatchObject({ by: 'chat/rules', missing: [] })
    expect(await choose('embedded')).toEqual([202, '{"profile":"embedded"}'])
    const chosen = async () => (await profiles()).find(one => one.chosen)?.name
    await expect.poll(chosen, { timeout: 60_000 }).toBe('embedded')
    const { json } = await server.call('GET', '/settings')
    expect(routes.settings.reply.parse(json).origins.profile).toBe('the page')
    expect(await choose('auto')).toEqual([202, '{"profile":"auto"}']) // as it was started
    await expect.poll(chosen, { timeout: 60_000 }).toBe('auto')
  } finally {
    await server.stop()
  }
})
