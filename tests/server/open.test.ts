import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
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
