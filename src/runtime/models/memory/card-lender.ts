import type { MemoryReclaimer } from '../../../../models/onnx/card/card.ts'
import type { Host } from '../../../core/backend.ts'
import type { Role } from '../../../core/services.ts'
import { type LoadedChoice, loadChoice, type RoleChoice, type RoleChoices } from '../role-families.ts'

// Asks the servers of these roles for what they hold of the card.
export function memoryReclaimer(choices: RoleChoices): MemoryReclaimer {
  return async host => {
    const unloaded: string[] = []
    for (const [role, choice] of Object.entries(choices) as [Role, RoleChoice][])
      for (const { backend, settings } of await withNested(role, choice, host)) {
        const name = await backend.server?.unload?.(settings as Record<string, unknown>, host)
        if (name !== undefined) unloaded.push(name)
      }
    return unloaded.join(' ') || undefined
  }
}

// With the chat model that a backend holds inside.
async function withNested(role: Role, choice: RoleChoice, host: Host): Promise<LoadedChoice[]> {
  if (choice.backend === 'off') return []
  const { chat } = choice
  const inside = chat && typeof chat === 'object' && 'backend' in chat ? (chat as RoleChoice) : undefined
  return [await loadChoice(role, choice, host), ...(inside ? await withNested('vision', inside, host) : [])]
}
