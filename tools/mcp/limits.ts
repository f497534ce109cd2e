// What one MCP server may send, on a pipe and over HTTP.
export const maxMessage = 4 * 1024 * 1024 // bytes
export const maxTotal = 8 * 1024 * 1024 // bytes of one reply stream, or between two messages of ours

// Why a server was left: it sent more than is read.
export class TooMuchError extends Error {
  constructor(what: 'a message' | 'in all', bytes: number) {
    super(`it sent more than ${bytes / 1024 / 1024} MB ${what === 'in all' ? 'without an end' : 'in one message'}`)
  }
}
