import type { Closable } from '../../../src/core/backend.ts'
import type { ChatReply, ChatRequest, Modality } from '../../../src/core/chat.ts'

// How one protocol carries a request, and the reply as it came.
export interface ChatTransport extends Closable {
  id: string
  accepts: ReadonlySet<Modality>
  atOnce?: number // calls that it takes side by side
  send(request: TransportRequest, signal: AbortSignal, onText?: (piece: string) => void): Promise<TransportReply>
}

export interface TransportRequest extends ChatRequest {
  think?: false // the model is to answer at once
}

export interface TransportReply {
  text: string
  thinking?: string
  calls: { id?: string; name: string; arguments: unknown }[] // arguments as JSON or as text
  stop: ChatReply['stop']
  usage?: ChatReply['usage'] // absent if the server reports none
  model: string
}
