import { fileURLToPath } from 'node:url'
import { z } from 'zod'
import { ModelError } from './errors.ts'

// Where a request names a video.
export type VideoName =
  | { by: 'name'; name: string }
  | { by: 'path'; path: string }
  | { by: 'file'; file: string }
  | { by: 'data'; data: string }

// A message of either protocol, as far as it is used.
export interface ChatTurn {
  role: 'user' | 'assistant' | 'other'
  text: string
  names: VideoName[]
}

const MessagePart = z.looseObject({ type: z.string() })
export const MessageContent = z.union([z.string(), z.array(MessagePart)]).nullish()

const Text = z.looseObject({ text: z.string() })
const Url = z.looseObject({ video_url: z.union([z.string(), z.looseObject({ url: z.string() })]) })
const File = z.looseObject({ file: z.looseObject({ file_id: z.string() }) })
const InputFile = z.looseObject({ file_id: z.string() })

const maxMessages = 500
const maxParts = 64 // of one message; also the different names of a video in one request

// The messages of a request. Their number is bounded before anything is read for them.
export function readMessages(messages: readonly Sent[], param: 'messages' | 'input'): ChatTurn[] {
  const refuse = (many: string, hint: string): never => {
    throw new ModelError(400, 'invalid_request', many, { param, hint })
  }
  if (messages.length > maxMessages)
    refuse(
      `A request may have ${maxMessages} messages at most, and this one has ${messages.length}.`,
      'Send the newest ones, or keep the conversation here with metadata.session.',
    )
  const once = 'Name the video once, with "video_id".'
  const most = Math.max(0, ...messages.map(({ content }) => (Array.isArray(content) ? content.length : 0)))
  if (most > maxParts) refuse(`A message may have ${maxParts} parts at most, and one has ${most}.`, once)
  const chatTurns = messages.map(({ role = 'other', content }) => saidIn(role, content))
  const names = new Set(chatTurns.flatMap(one => one.names.map(name => JSON.stringify(name)))).size
  if (names > maxParts) refuse(`A request may name ${maxParts} videos at most, not ${names}.`, once)
  return chatTurns
}

interface Sent {
  role?: string // absent: not a message
  content?: z.infer<typeof MessageContent>
}

function saidIn(role: string, content: z.infer<typeof MessageContent>): ChatTurn {
  const names: VideoName[] = []
  const texts = typeof content === 'string' ? [content] : (content ?? []).flatMap(part => partTexts(part, names))
  const speaker = role === 'user' || role === 'assistant' ? role : 'other'
  return { role: speaker, text: texts.join('\n').trim(), names }
}

// The text of a part; what names a video is added to the names.
function partTexts(part: z.infer<typeof MessagePart>, names: VideoName[]): string[] {
  switch (part.type) {
    case 'text':
    case 'input_text':
    case 'output_text':
      return [read(Text, part).text]
    case 'refusal':
      return []
    case 'video_url':
    case 'input_video': {
      const { video_url: given } = read(Url, part)
      names.push(namedByUrl(typeof given === 'string' ? given : given.url))
      return []
    }
    case 'file':
      names.push({ by: 'file', file: read(File, part).file.file_id })
      return []
    case 'input_file':
      names.push({ by: 'file', file: read(InputFile, part).file_id })
      return []
    default:
      throw new ModelError(400, 'unsupported_content', `Parts of the type ${JSON.stringify(part.type)} are not read.`, {
        param: 'messages',
        hint: 'Ask in text, and name the video with "video_id", a "video_url" or a file.',
      })
  }
}

function namedByUrl(url: string): VideoName {
  if (url.startsWith('longtake:')) return { by: 'name', name: url.slice('longtake:'.length) }
  if (url.startsWith('data:')) return { by: 'data', data: url }
  const path = url.startsWith('file:') ? pathFromUrl(url) : undefined
  if (path !== undefined) return { by: 'path', path }
  const scheme = /^[a-z][a-z0-9+.-]*:/i.exec(url)?.[0] ?? url
  throw new ModelError(
    400,
    'video_url_unsupported',
    `A video at ${JSON.stringify(scheme.slice(0, 40))} is not fetched.`,
    {
      param: 'video_url',
      hint: 'Name a file below a folder of the server (file:///...), a video of the library (longtake:ID), send it as data:video/mp4;base64,..., or upload it to /v1/files.',
    },
  )
}

function pathFromUrl(url: string): string | undefined {
  try {
    return fileURLToPath(url)
  } catch {
    return undefined
  }
}

function read<Shape extends z.ZodType>(shape: Shape, part: z.infer<typeof MessagePart>): z.output<Shape> {
  const parsed = shape.safeParse(part)
  if (parsed.success) return parsed.data
  throw new ModelError(400, 'invalid_request', `A part of the type ${JSON.stringify(part.type)} has another form.`, {
    param: 'messages',
  })
}
