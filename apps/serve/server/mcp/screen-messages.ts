import { Transform, type TransformCallback } from 'node:stream'
import { parseJSONRPCMessage } from '@modelcontextprotocol/server'

const maxMessage = 1_000_000 // bytes, as over HTTP
const maxDepth = 100

const parseError = -32700
const invalidRequest = -32600

// Lets the messages of a host through, a line each, and answers what is none: the transport behind it would only pass over it.
export function screenMessages(reply: (line: string) => void): Transform {
  let pending: Buffer[] = []
  let size = 0
  const refuse = (code: number, message: string, id: string | number | null = null) =>
    reply(`${JSON.stringify({ jsonrpc: '2.0', id, error: { code, message } })}\n`)
  const take = (piece: Buffer) => {
    size += piece.length
    if (size <= maxMessage) pending.push(piece)
    else pending = [] // the rest of the line is read and dropped
  }
  const line = (): Buffer | undefined => {
    const isTooLong = size > maxMessage
    const whole = Buffer.concat(pending)
    pending = []
    size = 0
    if (isTooLong) refuse(invalidRequest, `A message may have ${maxMessage} bytes at most.`)
    return isTooLong || !isMessage(whole.toString('utf8'), refuse) ? undefined : whole
  }
  return new Transform({
    transform(chunk: Buffer, _encoding, done: TransformCallback) {
      for (let at = 0; at < chunk.length; ) {
        const end = chunk.indexOf(10, at)
        take(chunk.subarray(at, end < 0 ? chunk.length : end))
        if (end < 0) break
        const message = line()
        if (message) this.push(Buffer.concat([message, Buffer.from('\n')]))
        at = end + 1
      }
      done()
    },
  })
}

function isMessage(
  text: string,
  refuse: (code: number, message: string, id?: string | number | null) => void,
): boolean {
  if (text.trim() === '') return false
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    refuse(parseError, 'The message is not JSON.')
    return false
  }
  const id = readMessageId(value)
  if (isTooDeep(value)) refuse(invalidRequest, `A message may be ${maxDepth} levels deep at most.`, id)
  else if (!isJsonRpc(value)) refuse(invalidRequest, 'The message is not one of JSON-RPC 2.0.', id)
  else return true
  return false
}

function isJsonRpc(value: unknown): boolean {
  try {
    parseJSONRPCMessage(value)
    return true
  } catch {
    return false
  }
}

function readMessageId(value: unknown): string | number | null {
  const id = value && typeof value === 'object' && 'id' in value ? value.id : null
  return typeof id === 'string' || Number.isInteger(id) ? (id as string | number) : null
}

// Level by level: a walk into the depth would itself run out of stack.
function isTooDeep(value: unknown): boolean {
  let level = [value]
  for (let depth = 0; level.length > 0; depth++) {
    if (depth > maxDepth) return true
    level = level.flatMap(one => (one && typeof one === 'object' ? Object.values(one) : []))
  }
  return false
}
