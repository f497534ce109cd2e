import type { ChatModel } from '../../core/chat.ts'
import type { Named, Services } from '../../core/tool.ts'

// The chat models that tools ask, each call written down as those of the agent are.
export function recordedServices(services: Services, record: (role: string, model: ChatModel) => ChatModel): Services {
  const recorded = (role: 'vision' | 'writer' | 'verifier') => async (): Promise<Named<ChatModel>> => {
    const { by, service } = await services[role]()
    return { by, service: record(role, service) }
  }
  return { ...services, vision: recorded('vision'), writer: recorded('writer'), verifier: recorded('verifier') }
}
