import { type ChatReply, decorate } from '../../src/core/chat.ts'
import type { ToolServices } from '../../src/core/tool.ts'

type ChatService = 'vision' | 'writer' | 'verifier'

// Whatever a tool asks of a chat model is paid for, whichever tool and whichever model it is.
export function paidServices(
  services: ToolServices,
  paid: (role: ChatService, reply: ChatReply) => void,
): ToolServices {
  const paying = (role: ChatService): ToolServices[ChatService] => {
    return async () => {
      const { service, ...named } = await services[role]()
      const answered = decorate(service, async (request, signal, onText) => {
        const reply = await service.reply(request, signal, onText)
        paid(role, reply)
        return reply
      })
      return { ...named, service: answered }
    }
  }
  return { ...services, vision: paying('vision'), writer: paying('writer'), verifier: paying('verifier') }
}
