import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { longtake, longtakeHere } from '../../end-to-end/longtake.ts'
import { type ChatBody, startChatServer } from '../../servers/chat-server.ts'
import type { FaultServer } from '../../servers/fault-server.ts'
import { choiceAuthor } from '../recipes/choice-author.ts'
import { filmReply, ownFilm } from '../recipes/films-author.ts'
import { longshotAuthor } from '../recipes/longshot-author.ts'
import { type AskedFor, askedFor, ownVideo, quickly, serverSettings } from '../recipes/own-video.ts'
import { killedAndResumed } from './killed.ts'
import { bytesOf, callsIn } from './talks.ts'

// The recipes beside cg-bench (making.test.ts), each written by a model.
const kills = process.env.LONGTAKE_LONG ? 12 : 2

const fewShort = ['--option', 'minMinutes=1', '--option', 'perVideo=4']
const longshot = longshotAuthor({ scenarios: 1 })
const recipes = {
  longshot: { from: 'talk.mp4', more: [], roles: ['author'], author: longshot.reply },
  'videoeval-pro': { from: 'talk.mp4', more: fewShort, roles: ['author', 'check'], author: asking(choiceAuthor) },
  infinibench: { from: 'films', more: [], roles: ['author'], author: asking(ofFilms) },
  allvb: { from: 'films', more: [], roles: ['author', 'look'], author: asking(ofFilms) },
}
type Name = keyof typeof recipes

let folder: string
let server: FaultServer
let author: (body: ChatBody) => object
const replies = new Map<string, object>()
let asked = 0
const onAsk: { do(count: number): void } = { do() {} }

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'longtake-kills-'))
  ownVideo(folder)
  ownFilm(join(folder, 'films'))
  // Equal requests get equal replies, also from an author that counts what it was asked.
  server = await startChatServer(['scripted'], body => {
    onAsk.do(++asked)
    const key = JSON.stringify(body)
    const reply = replies.get(key) ?? author(body)
    replies.set(key, reply)
    return reply
  })
})
afterAll(async () => {
  await server.close()
  rmSync(folder, { recursive: true, force: true })
})

test.each(Object.keys(recipes) as Name[])(
  '%s: killed and resumed, it ends with the same bytes and asks nothing twice',
  async name => {
    const { from, more, roles, author: its } = recipes[name]
    author = its
    const models = roles.flatMap(role => serverSettings(role, server.url))
    const make = (words: string[], killOn?: AbortSignal) => {
      const all = ['bench', 'make', ...words, ...quickly, ...models]
      const place = { home: join(folder, 'home'), cwd: folder }
      return killOn ? longtake(all, { ...place, killOn }) : longtakeHere(all, place)
    }
    const begin = (out: string) => [name, '--from', from, ...more, '--out', join(folder, out)]

    const whole = await make(begin(`${name}-whole`))
    expect([0, 6], whole.err).toContain(whole.code) // 6: so few questions can be guessed
    const calls = callsIn(join(folder, `${name}-whole`))
    expect(calls).toBeGreaterThan(kills)

    const before = asked
    const set = join(folder, `${name}-killed`)
    server.misbehave(...Array.from({ length: 400 }, () => ({ fault: 'slow' as const, seconds: 0.05 })))
    const { killed, end } = await killedAndResumed(
      { make, asked: () => asked, onAsk },
      { begin: begin(`${name}-killed`), set, kills, ...{ first: 2, last: Math.max(2, Math.floor(calls / kills)) } },
    )
    server.misbehave()
    expect(end.code, end.err).toBe(whole.code)
    expect(killed).toBe(kills)
    expect(bytesOf(set)).toEqual(bytesOf(join(folder, `${name}-whole`)))
    expect(asked - before - calls).toBeGreaterThanOrEqual(0)
    expect(asked - before - calls).toBeLessThanOrEqual(killed)
  },
)

function asking(reply: (asked: AskedFor) => string) {
  return (body: ChatBody) => ({ content: reply(askedFor(body)) })
}

function ofFilms({ schema, text }: AskedFor): string {
  return JSON.stringify(filmReply(schema, text))
}
