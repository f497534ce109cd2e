import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll } from 'vitest'
import { film } from '../../bench/small-data.ts'
import { type ChatBody, startChatServer } from '../../servers/chat-server.ts'
import type { FaultServer } from '../../servers/fault-server.ts'
import { type CommandLine, commandLine } from '../../support/command-line.ts'

// What is said in a video of a person's own, one sentence every nine seconds, as its subtitles have it.
export const sentences = [
  'The mill beside the river ground 340 sacks before harvest',
  'A heavy storm broke the wheel during spring',
  'Anna Keller paid 1200 crowns for the axle',
  'The carpenter worked 18 days without any rest',
  'Boats brought oak timber from the northern harbour',
  'The miller sold 75 barrels of flour to bakers',
  'A stone bridge replaced the wooden ferry',
  'The school opened with 42 children that autumn',
  'Deep snow closed the mountain road for 26 days',
  'The doctor walked 9 miles towards the patient',
  'An old clock came up into the tower',
  'The village counted 613 inhabitants that year',
  'A fire took the barn behind the chapel',
  'The council chose the railway with 31 votes',
]

export const quickly = [
  ...['--profile', 'embedded'],
  ...['text', 'sound'].flatMap(track => ['--set', `index.tracks.${track}=false`]),
]

export const toneAt = { start: 40, end: 50 } // all else is silence

// A black film with so many of these as subtitles beside it, and settings under which it is indexed at once.
export function ownVideo(folder: string, count = sentences.length): string[] {
  const seconds = 4 + 9 * count
  const tone = `aevalsrc=exprs=0.5*sin(440*2*PI*t)*between(t\\,${toneAt.start}\\,${toneAt.end}):s=16000:d=${seconds}[a]`
  film(join(folder, 'talk.mp4'), 'black', seconds, '64x36', ['-filter_complex', tone, '-map', '0:v', '-map', '[a]'])
  const clock = (at: number) => `00:0${Math.floor(at / 60)}:${String(at % 60).padStart(2, '0')},000`
  const cues = sentences
    .slice(0, count)
    .map((text, at) => `${at + 1}\n${clock(2 + 9 * at)} --> ${clock(8 + 9 * at)}\n${text}.\n`)
  writeFileSync(join(folder, 'talk.srt'), cues.join('\n'))
  return quickly
}

// For the tests of a file: such a film, and a server whose model "scripted" replies so.
export function ownVideoAndModel(reply: (body: ChatBody) => object) {
  const world = {} as { line: CommandLine; quick: string[]; server: FaultServer }
  beforeAll(async () => {
    const line = commandLine()
    Object.assign(world, { line, quick: ownVideo(line.cwd), server: await startChatServer(['scripted'], reply) })
  })
  afterAll(() => world.server.close())
  return world
}

export interface AskedFor {
  schema: string // the name of the form that a reply must have
  text: string // of the whole request
  sounds: Buffer[] // WAV
  pictures: number
}

type Part = { text?: string; image_url?: object; input_audio?: { data: string } }

export function askedFor(body: ChatBody): AskedFor {
  const { response_format } = body as ChatBody & { response_format?: { json_schema?: { name?: string } } }
  const contents = body.messages.map(message => (message as { content: string | Part[] }).content)
  const parts = contents.flatMap((one): Part[] => (typeof one === 'string' ? [{ text: one }] : one))
  return {
    schema: response_format?.json_schema?.name ?? '',
    text: parts.flatMap(({ text }) => text ?? []).join('\n'),
    sounds: parts.flatMap(({ input_audio }) => (input_audio ? [Buffer.from(input_audio.data, 'base64')] : [])),
    pictures: parts.filter(({ image_url }) => image_url).length,
  }
}

// A server as a person would set it up for a role.
export const serverSettings = (role: string, url: string, accepts = ['text', 'image', 'audio']) => [
  '--set',
  `make.${role}=${JSON.stringify({ backend: 'openai', url, model: 'scripted', accepts })}`,
]
