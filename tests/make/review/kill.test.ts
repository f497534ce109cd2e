import { type ChildProcess, spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { DraftItem } from '../../../eval/recipes/item.ts'
import { type FixtureSet, fixtureSet, said } from './reviewed-set.ts'

const bin = join(import.meta.dirname, '..', '..', '..', 'bin', 'longtake.mjs')
let made: FixtureSet
beforeAll(async () => {
  made = await fixtureSet(60)
})
afterAll(() => made.remove())

async function start(): Promise<{
  child: ChildProcess
  ask(name: string, body: object): Promise<Step>
  ended: Promise<unknown>
}> {
  const environment = { ...process.env, LONGTAKE_HOME: join(made.folder, '..', 'home'), CI: 'true' }
  const words = ['bench', 'review', made.folder, '--as', 'anna', '--json']
  const child = spawn(process.execPath, [bin, ...words], { env: environment, stdio: ['ignore', 'pipe', 'inherit'] })
  const ended = new Promise(resolve => child.on('exit', resolve))
  const url = await new Promise<string>((resolve, reject) => {
    let out = ''
    child.stdout.on('data', chunk => {
      out += chunk
      if (out.includes('\n')) resolve(JSON.parse(out.slice(0, out.indexOf('\n'))).url)
    })
    child.on('exit', code => reject(new Error(`It ended with ${code}: ${out}`)))
  })
  const headers = { 'content-type': 'application/json' }
  const ask = async (name: string, body: object) =>
    (await (await fetch(url + name, { method: 'POST', headers, body: JSON.stringify(body) })).json()) as Step
  return { child, ask, ended }
}

interface Step {
  item?: { id: string }
  done: number
  left: number
}

test('a server that is killed after 30 of 60 verdicts has lost none, and Ctrl-C writes the set', async () => {
  const itemOf = (id: string) => made.items.find(item => item.id === id) as DraftItem
  const first = await start()
  const seen: string[] = []
  for (let count = 0; count < 30; count++) {
    const { item } = await first.ask('next', {})
    await first.ask('say', said(itemOf(item!.id), 'keep'))
    seen.push(item!.id)
  }
  const cut = first.ask('next', {}).catch(() => undefined)
  first.child.kill('SIGKILL')
  await Promise.all([first.ended, cut])
  const second = await start()
  let step = await second.ask('next', {})
  expect(step).toMatchObject({ done: 30, left: 30 })
  for (; step.item; step = await second.ask('next', {})) {
    await second.ask('say', said(itemOf(step.item.id), 'keep'))
    seen.push(step.item.id)
  }
  second.child.kill('SIGINT')
  expect(await second.ended).toBe(0)
  expect(new Set(seen).size).toBe(60)
  expect(
    readFileSync(join(made.folder, 'verdicts', 'anna.jsonl'), 'utf8')
      .trim()
      .split('\n'),
  ).toHaveLength(60)
  expect(JSON.parse(readFileSync(join(made.folder, 'benchmark.json'), 'utf8')).reviewed).toMatchObject({
    items: 60,
    of: 60,
  })
})
