import { contentHash } from '../../src/core/json.ts'
import { h264, type MediaFolder } from '../media-fixtures.ts'
import { startFaultServer } from '../servers/fault-server.ts'
import { plainCaption } from './captions.ts'

export const shotColours = ['red', 'blue', 'green', 'white', 'black', 'yellow', 'purple', 'brown', 'orange'] as const
export const shotSeconds = 3
// So many shots that their clips are two runs that are asked about side by side, neither of which is soon over.
export const manyColours = [...shotColours, ...shotColours, ...shotColours] as const

// A video of one shot for each colour, in this order.
export function colouredShots(media: MediaFolder, name: string, colours: readonly string[] = shotColours): string {
  const shots = colours.flatMap(colour => ['-f', 'lavfi', '-i', `color=${colour}:s=160x90:r=5:d=${shotSeconds}`])
  return media.ffmpeg(name, [...shots, '-filter_complex', `concat=n=${colours.length}:v=1`, '-g', '5'], h264)
}

// A server whose model "sees" captions every clip alike, and keeps what it was asked.
export async function startCaptionServer() {
  const asked: string[] = [] // of each request for a caption, what it shows
  let last = Number.POSITIVE_INFINITY
  const server = await startFaultServer(({ path, body }) => {
    if (path.endsWith('/models')) return json({ object: 'list', data: [{ id: 'sees', object: 'model' }] })
    asked.push(contentHash((body as { messages: unknown }).messages))
    if (asked.length === last) server.misbehave(...manyColours.map(() => ({ fault: 'stall' as const, after: 0 })))
    const message = { role: 'assistant', content: JSON.stringify(plainCaption) }
    return json({
      ...{ model: 'sees', choices: [{ index: 0, message, finish_reason: 'stop' }] },
      usage: { prompt_tokens: 100, completion_tokens: 20 },
    })
  })
  return {
    asked,
    vision: { backend: 'openai', model: 'sees', url: `${server.url}/v1`, accepts: ['text', 'image'] },
    // Says no more after so many replies; whoever asks then waits.
    fallSilentAfter(replies: number) {
      last = replies
    },
    // Gives back what was asked until now.
    speakAgain(): string[] {
      last = Number.POSITIVE_INFINITY
      server.misbehave()
      return asked.splice(0)
    },
    close: server.close,
  }
}

function json(value: unknown) {
  return { status: 200, type: 'application/json', pieces: [Buffer.from(JSON.stringify(value))] }
}

// The words of a command line that set this.
export function settingWords(settings: Readonly<Record<string, unknown>>): string[] {
  return Object.entries(settings).flatMap(([name, value]) => [
    '--set',
    `${name}=${typeof value === 'string' ? value : JSON.stringify(value)}`,
  ])
}
